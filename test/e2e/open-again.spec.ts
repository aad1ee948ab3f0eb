/** A closed browser is no locked door: the next start opens the console that runs. */
import { expect, test } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsoleProcess, type ConsoleProcess } from '../support/console-process.ts'
import { signedInEnv } from '../support/sign-in.ts'

let dataDir: string
let running: ConsoleProcess | null = null
test.beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'psyflo-again-'))
})
test.afterEach(async () => {
  await running?.stop()
  running = null
  rmSync(dataDir, { recursive: true, force: true })
})

/** The way back that the running console leaves in its data directory. */
const wordOf = (dir: string) => join(dir, 'window.json')

/** `npm start -- …` without npm, on the same data directory, to its end. */
function startAgain(args: string[] = [], env: Record<string, string> = {}) {
  const launch = [join('main', 'commands', 'launch.mjs'), 'start', '--no-open', '--data-dir', dataDir, ...args]
  return spawnSync(process.execPath, launch, { encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...env } })
}

test('a second start opens the running console again, in another browser too, and stops nothing', async ({
  page,
  browser,
}) => {
  running = await startConsoleProcess({ dataDir })
  expect(statSync(wordOf(dataDir)).mode & 0o777).toBe(0o600)
  expect(readFileSync(wordOf(dataDir), 'utf8')).not.toContain(new URL(running.address).searchParams.get('token'))
  expect((await page.goto(running.address))?.status()).toBe(200)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(running.address)
  await expect(stranger.getByText('the running console is opened again, nothing is stopped')).toBeVisible()

  for (const args of [['--web'], []]) {
    const { status, stdout, stderr } = startAgain(args)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Console: http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/)
    const address = stdout.slice('Console: '.length).trim()
    expect(new URL(address).origin).toBe(new URL(running.address).origin)
    const back = await (await browser.newContext()).newPage()
    expect((await back.goto(address))?.status()).toBe(200)
    await expect(back.getByRole('main')).toBeVisible()
  }
  expect((await page.reload())?.status()).toBe(200)
  expect(running.written).toEqual({ stdout: `Console: ${running.address}\n`, stderr: '' })
  expect(await running.stop()).toBe(0)
  expect(existsSync(wordOf(dataDir))).toBe(false)
})

test('a start that asks for something else is told what runs, and the printed address keeps working', async ({
  page,
}) => {
  running = await startConsoleProcess({ dataDir })
  const port = Number(new URL(running.address).port)
  const district = {
    PSYFLO_EVENTS_QUEUE_URL: 'http://127.0.0.1:9/000000000000/events',
    PSYFLO_PASSPHRASE: 'correct horse battery staple',
  }
  for (const { status, stdout, stderr } of [
    startAgain(['--web', '--port', String(port === 65_535 ? 1024 : port + 1)]),
    startAgain(['--web'], district),
  ]) {
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(
      `A console is running on this data directory: the demonstration school, on port ${port}.\n`,
    )
    expect(stderr.trim().split('\n')).toHaveLength(3)
  }
  expect((await page.goto(running.address))?.status()).toBe(200)
  expect(startAgain(['--web', '--port', String(port)]).status).toBe(0)
})

test('a district console is opened again signed in, and one that was killed hinders nothing', async ({ page }) => {
  const env = {
    PSYFLO_EVENTS_QUEUE_URL: 'http://127.0.0.1:9/000000000000/events',
    AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    ...(await signedInEnv()),
  }
  const first = await startConsoleProcess({ dataDir, env })
  const { status, stdout } = startAgain(['--web'], env)
  expect(status).toBe(0)
  await page.goto(stdout.slice('Console: '.length).trim())
  await expect(page.getByText('No open alerts.')).toBeVisible()
  expect(startAgain(['--web', '--demo'], env).stderr).toContain('a district console, on port')

  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended
  expect(existsSync(wordOf(dataDir))).toBe(true)
  running = await startConsoleProcess({ dataDir, env })
  expect(running.process.exitCode).toBeNull()
  expect(await running.stop()).toBe(0)
})

test('a start that has only something to say says it and ends', () => {
  const { status, stdout } = startAgain(['--help'])
  expect(status).toBe(0)
  expect(stdout).toContain('--data-dir DIR')
})
