/** The chat command as people and scripts run it: its own process against a running intake. */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceIntake, deskKey } from '../../../main/platform/intake-address.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import { crisisWords, intakeSchool, protocolReply, type IntakeSchool } from '../../support/intake-school.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
let withdraw: () => void

beforeEach(async () => {
  at = await intakeSchool()
  await serve()
})
afterEach(async () => {
  withdraw()
  await served.close()
  await at.close()
})

async function serve() {
  const key = deskKey(at.folder, systemRandomness)
  served = await serveIntake({ ...at.serverOptions(key), clock: systemClock }, { host: '127.0.0.1', port: 0 })
  withdraw = announceIntake(at.folder, { url: served.url, pid: process.pid })
}

const launcher = join(root, 'main', 'commands', 'launch.mjs')
const start = (...args: string[]) => run(process.execPath, [launcher, 'chat', ...args])

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: at.folder, PSYFLO_DATA_DIR: at.folder, ...env },
    cwd: at.folder,
  })
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, written, ended }
}

async function chat(typed: string, ...args: string[]) {
  const { child, written, ended } = start(...args)
  child.stdin.end(typed)
  return { code: await ended, ...written }
}

/** Waits for as long as a busy machine may take to start a process, which says nothing of what is tested. */
const shown = (written: { out: string }, text: string) =>
  expect.poll(() => written.out, { timeout: 45_000 }).toContain(text)

const sent = async (type: string) => (await at.events()).filter(({ event_type }) => event_type === type).length
const words = 'xx-words-of-a-student-xx'

describe('npm run chat', () => {
  it('finds the running console, sends every line, and prints the summary at the end of the input', async () => {
    const { code, out, err } = await chat(`${words}\n\n${crisisWords}\n`, '--user', 'student-1')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('crisis · 0.95 · decided by this message alone')
    expect(out).toContain(`┃ ${protocolReply}`)
    expect(out).toMatch(/The session has ended: 3 messages in \d+ seconds?\.\nHighest tier: crisis/)
    // No terminal: no colors, no prompt.
    // eslint-disable-next-line no-control-regex -- An escape is what is looked for.
    expect(out).not.toMatch(/\u001b|You:/)
    expect([await sent('CRISIS_DETECTED'), await sent('SESSION_ENDED')]).toEqual([1, 1])
    // What was typed is in no file.
    for (const file of readdirSync(at.folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(words)
  })

  it('ends at /end, and by itself where nobody can be asked who speaks', async () => {
    const { code } = await chat('hello\n/end\nnever sent\n')
    expect(code).toBe(0)
    expect([await sent('MESSAGE_ANALYZED'), await sent('SESSION_ENDED')]).toEqual([1, 1])
  })

  it('speaks JSON with a script, and says by its exit code that a line was none', async () => {
    const typed = [{ content: words }, { content: `${crisisWords}\n two lines` }].map((line) => JSON.stringify(line))
    const good = await chat(`${typed.join('\n')}\n{"end": true}\n{"content": "never sent"}\n`, '--json')
    expect(good.code).toBe(0)
    const types = ({ out }: { out: string }) =>
      out.trim().split('\n').map((line) => (JSON.parse(line) as { type: string }).type) // prettier-ignore
    expect(types(good)).toEqual(['session_started', 'answer', 'answer', 'session_ended'])
    const bad = await chat(`{"content": "${words}"\n{"content": "  "}\n${typed[0]}\n`, '--json')
    expect(bad.code).toBe(1)
    expect(types(bad)).toEqual(['session_started', 'misread', 'misread', 'answer', 'session_ended'])
    expect(bad.out + bad.err).not.toContain(words)
  })

  it('sends again, to wherever the console was started again, what had no answer', async () => {
    const { child, written, ended } = start('--user', 'student-1')
    child.stdin.write('hello\n')
    await shown(written, 'none seen')
    await served.close()
    child.stdin.write(`${crisisWords}\n`)
    await shown(written, 'No answer yet. Trying again in 1 second')
    await serve()
    await shown(written, protocolReply)
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(await sent('CRISIS_DETECTED')).toBe(1)
  })

  it.skipIf(process.platform === 'win32')('stopped by Ctrl-C ends the session it began', async () => {
    const { child, written, ended } = start('--user', 'student-1')
    child.stdin.write('hello\n')
    await shown(written, 'none seen')
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(written.out).toContain('The session has ended: 1 message')
    expect(await sent('SESSION_ENDED')).toBe(1)
  })

  it('without a running console, or with a key it does not know, says what to do', async () => {
    const refused = await chat('hello\n', '--url', served.url, '--key', 'no-such-key-at-all-1')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--key')])
    withdraw()
    const alone = await chat('hello\n')
    expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('npm start')])
    expect(alone.out + refused.out).toBe('')
  })

  /** util-linux's `script` gives a command a terminal of its own. */
  const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
  it.skipIf(!hasTerminal).each([
    ['in color', {}, true],
    ['without color where none is wanted', { NO_COLOR: '1' }, false],
  ])('on a terminal asks who speaks and prompts, %s', async (_name, env, colored) => {
    const command = [process.execPath, launcher, 'chat'].map((part) => `'${part}'`).join(' ')
    const { child, written, ended } = run('script', ['-qec', command, '/dev/null'], { TERM: 'xterm', ...env })
    const shows = (text: string) => shown(written, text)
    await shows('Id of the student (Enter for trial-')
    child.stdin.write('\n')
    await shows('You: ')
    child.stdin.write(`${crisisWords}\n`)
    await shows(protocolReply)
    // Ctrl-D.
    child.stdin.write('\u0004')
    await shows('The session has ended')
    expect(await ended).toBe(0)
    // eslint-disable-next-line no-control-regex -- Dim is what is looked for.
    expect(/\u001b\[2m {2}crisis/.test(written.out)).toBe(colored)
    expect(await sent('CRISIS_DETECTED')).toBe(1)
  })

  it.skipIf(!hasTerminal)('on a terminal ends the session at a Ctrl-D that comes before the answer', async () => {
    const command = [process.execPath, launcher, 'chat', '--user', 'student-1'].map((part) => `'${part}'`).join(' ')
    const { child, written, ended } = run('script', ['-qec', command, '/dev/null'], { TERM: 'xterm' })
    await shown(written, 'You: ')
    child.stdin.write(`${crisisWords}\n\u0004`)
    await shown(written, 'The session has ended: 2 messages')
    expect(await ended).toBe(0)
    expect([await sent('CRISIS_DETECTED'), await sent('SESSION_ENDED')]).toEqual([1, 1])
  })

  it('misused, or asked for help, ends with a sentence, never a stack', async () => {
    const misuses = [['--nothing'], ['--user', ' '], ['--url', 'http://127.0.0.1:9']]
    const ended = await Promise.all([['--help'], ...misuses].map((args) => chat('', ...args)))
    expect(ended.map(({ code }) => code)).toEqual([0, 2, 2, 2])
    for (const { out, err } of ended) {
      expect(`${out}${err}`).toContain('npm run chat')
      expect(err).not.toMatch(/\n\s+at /)
    }
  })
})
