import { expect, test } from '@playwright/test'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsoleProcess } from '../support/console-process.ts'

/** Each has a folder of its own. */
test.describe.configure({ mode: 'parallel' })

const launcher = join('main', 'commands', 'launch.mjs')
let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'psyflo-start-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `npm start -- …` without npm, to its end. */
function start(...args: string[]) {
  return spawnSync(process.execPath, [launcher, 'start', '--no-open', ...args], { encoding: 'utf8', timeout: 60_000 })
}

async function linesUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let written = ''
  for await (const chunk of child.stdout!) {
    written += String(chunk)
    if (wanted.test(written)) return written
  }
  throw new Error(`It ended without ${wanted.source}: ${written}`)
}

test('prints one line on standard output, the address, and stops cleanly when asked', async () => {
  const child = spawn(process.execPath, [launcher, 'start', '--web', '--no-open', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(await linesUntil(child, /\n/)).toMatch(/^Console: http:\/\/127\.0\.0\.1:\d+\/\S+\n$/)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('ends with the launcher, even where that was ended by force', async () => {
  const child = spawn(process.execPath, [launcher, 'start', '--web', '--no-open', '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const address = /Console: (\S+)/.exec(await linesUntil(child, /\n/))?.[1] ?? ''
  child.kill('SIGKILL')
  await expect
    .poll(
      () =>
        fetch(new URL('/', address)).then(
          ({ status }) => String(status),
          () => 'gone',
        ),
      { timeout: 15_000 },
    )
    .toBe('gone')
})

test('misused, says how it is used and ends with 2', () => {
  const { status, stderr, stdout } = start('--wbe')
  expect(status).toBe(2)
  expect(stderr).toContain('--wbe')
  expect(stderr).toContain('--data-dir DIR')
  expect(stdout).toBe('')
})

test.describe('says what happened, what is safe and what to do, without a stack trace, where', () => {
  const isSaidIn = (stderr: string, sentence: RegExp) => {
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n').length).toBeGreaterThanOrEqual(3)
    expect(stderr).not.toMatch(/\n\s+at /)
  }

  test('the port is taken', async () => {
    const squatter = createServer()
    await new Promise<void>((done) => squatter.listen(0, '127.0.0.1', done))
    const { port } = squatter.address() as { port: number }
    const child = spawn(process.execPath, [
      launcher,
      'start',
      '--web',
      '--no-open',
      '--port',
      String(port),
      '--data-dir',
      folder,
    ])
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    expect((await once(child, 'close'))[0]).toBe(1)
    squatter.close()
    isSaidIn(stderr, new RegExp(`Port ${port} .* in use`))
  })

  test('the data directory cannot be used', () => {
    writeFileSync(join(folder, 'file'), '')
    const { status, stderr } = start('--web', '--data-dir', join(folder, 'file', 'data'))
    expect(status).toBe(1)
    isSaidIn(stderr, /folder for the console’s data cannot be used/)
  })

  test('a variable cannot be read', () => {
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'start', '--web', '--no-open'], {
      encoding: 'utf8',
      env: { ...process.env, PSYFLO_EVENTS_QUEUE_URL: 'MARKED value' },
    })
    expect(status).toBe(1)
    isSaidIn(stderr, /PSYFLO_EVENTS_QUEUE_URL/)
    expect(stderr).not.toContain('MARKED')
  })
})

test('waits for the passphrase at an address of its own, then says that it is open', async ({ page }) => {
  const console = await startConsoleProcess({
    until: 'Waiting for the passphrase',
    env: {
      PSYFLO_EVENTS_QUEUE_URL: 'http://127.0.0.1:9/000000000000/events',
      PSYFLO_ACKS_QUEUE_URL: 'http://127.0.0.1:9/000000000000/acks',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
    },
  })
  expect(console.written.stdout).not.toMatch(/^Console:/m)
  await page.goto(console.address)
  const fields = page.locator('input[type=password]')
  await expect(fields).toHaveCount(2)
  for (const field of await fields.all()) await field.fill('correct horse battery')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect.poll(() => console.written.stdout).toMatch(/^Console: http/m)
  expect(await console.stop()).toBe(0)
})
