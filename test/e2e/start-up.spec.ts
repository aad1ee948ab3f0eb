/** What a person reads where the console cannot open, or opens onto a queue that does not serve it. */
import { expect, test, type Page } from '@playwright/test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDir } from '../../main/store/index.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { writeWindowFile } from '../../main/platform/window-file.ts'
import { openDatabase, openKeys } from '../../main/store/console/index.ts'
import { axeFindings } from '../support/axe.ts'
import { startConsoleProcess, type ConsoleOptions } from '../support/console-process.ts'
import { silentQueues } from '../support/district.ts'
import { geometryFindings } from '../support/geometry.ts'
import { startQueueServer } from '../support/queue-server.ts'
import { signedInEnv } from '../support/sign-in.ts'

/** Each has data of its own. */
test.describe.configure({ mode: 'parallel' })

const passphrase = 'correct horse battery staple'

let dataDir: string
test.beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'psyflo-start-up-'))
})
test.afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const strip = (page: Page) => page.getByRole('banner', { name: 'State of the alarm' })

/** Makes a data directory as the console does. */
async function keysOf(dir: string) {
  return openKeys(dir, passphraseProvider(passphrase, systemRandomness), systemRandomness)
}

/** Starts a console that cannot open; answers with what it wrote before it ended with 1. */
async function refusal(options: ConsoleOptions): Promise<string> {
  const said = await startConsoleProcess({ dataDir, ...options }).then(
    async (started) => {
      await started.stop()
      return 'it started'
    },
    (error: Error) => error.message,
  )
  expect(said).toMatch(/^The console ended \(1\): /)
  expect(said).not.toMatch(/\n\s+at /)
  expect(said.trim().split('\n').length).toBeGreaterThanOrEqual(3)
  return said
}

test.describe('ends with 1 and three sentences where', () => {
  test('the passphrase of the environment is wrong', async () => {
    await keysOf(dataDir)
    const said = await refusal({ env: { ...silentQueues, PSYFLO_PASSPHRASE: 'not the right one at all' } })
    expect(said).toContain('The passphrase does not open this console’s data.')
    expect(said).not.toContain('not the right one')
  })

  test('a newer program wrote the data', async () => {
    const db = openDatabase(join(dataDir, 'console.db'), (await keysOf(dataDir)).database)
    db.pragma('user_version = 9999')
    db.close()
    const said = await refusal({ env: { ...silentQueues, PSYFLO_PASSPHRASE: passphrase } })
    expect(said).toContain('This data was written by a newer version of PsyFlo Console (data version 9999')
  })

  test('a console uses the data directory that does not answer', async () => {
    const release = lockDataDir(dataDir)
    const env = { ...silentQueues, PSYFLO_PASSPHRASE: passphrase }
    expect(await refusal({ env })).toContain('Another console or station is using this data directory.')
    // One that lives, but serves no page any more.
    const remove = writeWindowFile(dataDir, {
      url: 'http://127.0.0.1:9/',
      pid: process.pid,
      secret: systemRandomness.bytes(32).toString('base64url'),
      demo: false,
    })
    expect(await refusal({ env })).toContain('Another console or station is using this data directory.')
    remove()
    release()
  })

  test('half a district console is configured: no demonstration opens in its place', async () => {
    const { PSYFLO_ACKS_QUEUE_URL, PSYFLO_EVENTS_QUEUE_URL: PSYFLO_EVENT_QUEUE_URL } = silentQueues
    const said = await refusal({ env: { PSYFLO_ACKS_QUEUE_URL, PSYFLO_EVENT_QUEUE_URL } })
    expect(said).toContain('PSYFLO_EVENT_QUEUE_URL is not known; did you mean PSYFLO_EVENTS_QUEUE_URL?')
    expect(said).toContain('PSYFLO_ACKS_QUEUE_URL and PSYFLO_EVENT_QUEUE_URL are set, as for a district console')
  })

  test('the sign-in token proves nobody', async () => {
    const env = { ...silentQueues, ...(await signedInEnv()), PSYFLO_SIGN_IN_TOKEN: 'no.token.atall' }
    expect(await refusal({ env })).toContain('The sign-in token could not be verified.')
    const role = await signedInEnv({ role: 'JANITOR' })
    expect(await refusal({ env: { ...silentQueues, ...role } })).toContain(
      'claim role is not COUNSELOR, CLINICIAN or ADMIN',
    )
  })
})

test.describe('on screen', () => {
  test('asks for a new passphrase, later for that one, and says when it is another', async ({ page }) => {
    const started = { dataDir, env: silentQueues, until: 'Waiting for the passphrase' as const }
    const first = await startConsoleProcess(started)
    await page.goto(first.address)
    await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.type('too short')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Use at least 12 characters.')).toBeVisible()
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await page.getByLabel('Confirm passphrase').fill('something else')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The passphrases do not match.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('Confirm passphrase').fill(passphrase)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation')).toBeVisible()
    await expect(page.getByText('No open alerts.')).toBeVisible()
    expect(await first.stop()).toBe(0)

    const second = await startConsoleProcess(started)
    await page.goto(second.address)
    await expect(page.getByRole('heading', { name: 'Open the console' })).toBeVisible()
    await expect(page.getByLabel('Passphrase')).toBeFocused()
    await page.keyboard.type('not the right one at all')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('The passphrase does not open this console’s data.')
    await expect(page.getByLabel('Passphrase')).toBeFocused()
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 512, height: 350 })
    expect(await geometryFindings(page)).toEqual([])
    await page.getByLabel('Passphrase').fill(passphrase)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation')).toBeVisible()
    expect(await second.stop()).toBe(0)
  })

  test('says why it cannot open when that shows only after the passphrase', async ({ page }) => {
    const db = openDatabase(join(dataDir, 'console.db'), (await keysOf(dataDir)).database)
    db.pragma('user_version = 9999')
    db.close()
    const console = await startConsoleProcess({ dataDir, env: silentQueues, until: 'Waiting for the passphrase' })
    const ended = new Promise<number | null>((done) => console.process.once('exit', done))
    await page.goto(console.address)
    await page.getByLabel('Passphrase').fill(passphrase)
    await page.keyboard.press('Enter')
    await expect(page.getByText('This data was written by a newer version of PsyFlo Console')).toBeVisible()
    expect(await ended).toBe(1)
    await expect(page.getByText('This data was written by a newer version of PsyFlo Console')).toBeVisible()
    expect(console.written.stderr).not.toMatch(/\n\s+at /)
  })
})

test.describe('opens and says so, on the strip and in the connection test, where', () => {
  async function open(page: Page, env: Record<string, string>, says: RegExp, todo: RegExp): Promise<void> {
    const console = await startConsoleProcess({ dataDir, env: { ...silentQueues, ...(await signedInEnv()), ...env } })
    await page.goto(console.address)
    await expect(strip(page)).toHaveAttribute('data-state', 'alarming', { timeout: 30_000 })
    await expect(strip(page).getByRole('alert')).toHaveText(says)
    expect(await axeFindings(page)).toEqual([])
    await strip(page).getByRole('button', { name: 'Connection test' }).click()
    await page.getByRole('button', { name: 'Test the connection' }).click()
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText('A step failed.', { timeout: 45_000 })
    await expect(panel).toContainText(todo)
    await expect(panel).not.toContainText(/Error:|undefined|\bat .*\.js/)
    expect(await axeFindings(page)).toEqual([])
    expect(console.written.stderr).not.toMatch(/\n\s+at /)
    await console.stop()
  }

  test('nothing answers at the endpoint', async ({ page }) => {
    await open(page, {}, /The queue has not answered since \d{1,2}:\d\d( [AP]M)?\. Nothing is lost/, /network/)
  })

  test('the queue does not exist', { tag: '@long' }, async ({ page }) => {
    const server = await startQueueServer()
    const PSYFLO_EVENTS_QUEUE_URL = `${server.endpoint}/000000000000/no-such-queue`
    await open(page, { ...server.env, PSYFLO_EVENTS_QUEUE_URL }, /does not exist/, /PSYFLO_EVENTS_QUEUE_URL/)
    await server.stop()
  })

  test('the credentials are refused', { tag: '@long' }, async ({ page }) => {
    const { server, endpoint } = await refusing('com.amazon.coral.service#UnrecognizedClientException')
    const AWS = { AWS_ENDPOINT_URL_SQS: endpoint, PSYFLO_EVENTS_QUEUE_URL: `${endpoint}/000000000000/events` }
    await open(page, AWS, /refuses the credentials/, /access key/)
    server.close()
    server.closeAllConnections()
  })
})

/** An SQS endpoint that refuses everybody, as AWS does. */
async function refusing(type: string): Promise<{ server: Server; endpoint: string }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify({ __type: type, message: 'The security token included in the request is invalid.' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
