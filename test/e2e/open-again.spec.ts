/** A closed browser is no locked door: the next start opens the console that runs. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startConsoleProcess } from '../support/console-process.ts'
import { expect, test } from '../support/district.ts'

/** Each has a console of its own. */
test.describe.configure({ mode: 'parallel' })

/** The way back that the running console leaves in its data directory. */
const wordOf = (dir: string) => join(dir, 'window.json')

/** `npm start -- …` without npm, on the same data directory, to its end. */
function startAgain(dataDir: string, args: string[] = [], env: Record<string, string> = {}) {
  const launch = [join('main', 'commands', 'launch.mjs'), 'start', '--no-open', '--data-dir', dataDir, ...args]
  return spawnSync(process.execPath, launch, { encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...env } })
}

test('a second start opens the running console again, signed in, in another browser too, and stops nothing', async ({
  page,
  browser,
  district: { console: running, env },
}) => {
  const { dataDir } = running
  expect(statSync(wordOf(dataDir)).mode & 0o777).toBe(0o600)
  expect(readFileSync(wordOf(dataDir), 'utf8')).not.toContain(new URL(running.address).searchParams.get('token'))
  expect((await page.goto(running.address))?.status()).toBe(200)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(running.address)
  await expect(stranger.getByText('the running console is opened again, nothing is stopped')).toBeVisible()

  for (const args of [['--web'], []]) {
    const { status, stdout, stderr } = startAgain(dataDir, args, env)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Console: http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/)
    const address = stdout.slice('Console: '.length).trim()
    expect(new URL(address).origin).toBe(new URL(running.address).origin)
    const back = await (await browser.newContext()).newPage()
    expect((await back.goto(address))?.status()).toBe(200)
    await expect(back.getByText('No open alerts.')).toBeVisible()
  }
  expect((await page.reload())?.status()).toBe(200)
  expect(running.written).toEqual({ stdout: `Console: ${running.address}\n`, stderr: '' })
  expect(await running.stop()).toBe(0)
})

test(
  'a start that asks for another port is told what runs, and the printed address keeps working',
  { tag: '@long' },
  async ({ page }) => {
    const running = await startConsoleProcess({ args: ['--demo'] })
    const { dataDir } = running
    const port = Number(new URL(running.address).port)
    const { status, stdout, stderr } = startAgain(dataDir, [
      '--web',
      '--port',
      String(port === 65_535 ? 1024 : port + 1),
    ])
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(
      `A console is running on this data directory: the demonstration school, on port ${port}.\n`,
    )
    expect(stderr.trim().split('\n')).toHaveLength(3)
    expect((await page.goto(running.address))?.status()).toBe(200)
    expect(startAgain(dataDir, ['--web', '--port', String(port)]).status).toBe(0)
    expect(await running.stop()).toBe(0)
  },
)

test('a console that was killed hinders nothing, and one that stops takes its word along', async ({ district }) => {
  const { console: first, env } = district
  const { dataDir } = first

  const ended = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await ended
  expect(existsSync(wordOf(dataDir))).toBe(true)
  const running = await startConsoleProcess({ dataDir, env })
  expect(running.process.exitCode).toBeNull()
  expect(await running.stop()).toBe(0)
  expect(existsSync(wordOf(dataDir))).toBe(false)
})

test('a start that has only something to say says it and ends', () => {
  const { status, stdout } = startAgain('.', ['--help'])
  expect(status).toBe(0)
  expect(stdout).toContain('--data-dir DIR')
})
