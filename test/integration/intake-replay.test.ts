/** The replay command as people run it: its own process against a running intake. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceIntake, deskKey } from '../../main/platform/intake-address.ts'
import { serveIntake } from '../../main/station/intake/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { crisisWords, intakeSchool, type IntakeSchool } from '../support/intake-school.ts'

const root = join(import.meta.dirname, '..', '..')
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
let withdraw: () => void
let file: string

beforeEach(async () => {
  at = await intakeSchool()
  const key = deskKey(at.folder, systemRandomness)
  served = await serveIntake({ ...at.serverOptions(key), clock: systemClock }, { host: '127.0.0.1', port: 0 })
  withdraw = announceIntake(at.folder, { url: served.url, pid: process.pid })
  file = join(at.folder, 'transcripts.jsonl')
})
afterEach(async () => {
  withdraw()
  await served.close()
  await at.close()
})

interface Outcome {
  code: number | null
  out: string
  err: string
}

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'main', 'commands', 'launch.mjs'), 'replay', ...args], {
    env: { PATH: process.env.PATH, HOME: at.folder, PSYFLO_DATA_DIR: at.folder },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<Outcome>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  return { child, ended }
}
const command = (...args: string[]) => start(...args).ended

const row = (student: string, ...texts: string[]) =>
  JSON.stringify({
    session_id: student,
    student,
    turns: texts.map((text, index) => ({ role: 'student', text, at: `2026-01-20T10:${10 + index}:00Z` })),
  })
const sent = async (type: string) => (await at.events()).filter(({ event_type }) => event_type === type).length

describe('npm run replay', () => {
  it('finds the running console and sends everything', async () => {
    writeFileSync(file, [row('a', 'hi', crisisWords), row('b', 'hello')].join('\n'))
    const { code, out, err } = await command('--data', file, '--speed', '0', '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ sessions: 2, messages: 3, tiers: { crisis: 1 }, bad: 0 })
    expect([await sent('MESSAGE_ANALYZED'), await sent('CRISIS_DETECTED'), await sent('SESSION_ENDED')]).toEqual([
      3, 1, 2,
    ])
  })

  it('reports a bad line by its number, without its text, and sends the rest', async () => {
    writeFileSync(file, [row('a', 'hi'), '{"student": "xx-secret-xx"', row('b', 'hello')].join('\n'))
    const { code, out, err } = await command('--data', file, '--speed', '0')
    expect(code).toBe(1)
    expect(err).toContain('Line 2 skipped: is not JSON')
    expect(out + err).not.toContain('xx-secret-xx')
    expect(await sent('MESSAGE_ANALYZED')).toBe(2)
  })

  it.skipIf(process.platform === 'win32')('stopped by Ctrl-C ends what it began and says so', async () => {
    writeFileSync(file, row('a', 'hi', 'later'))
    const { child, ended } = start('--data', file, '--speed', '1')
    await expect.poll(() => sent('MESSAGE_ANALYZED'), { timeout: 10_000 }).toBe(1)
    child.kill('SIGINT')
    const { code, err } = await ended
    expect(code).toBe(1)
    expect(err).toContain('Cancelled')
    expect([await sent('MESSAGE_ANALYZED'), await sent('SESSION_ENDED')]).toEqual([1, 1])
  })

  it('without a running console says what to do', async () => {
    withdraw()
    writeFileSync(file, row('a', 'hi'))
    const { code, err } = await command('--data', file)
    expect(code).toBe(1)
    expect(err).toContain('npm start')
  })

  it.each([
    [['--help'], 0],
    [[], 2],
    [['--data', 'x', '--speed', 'fast'], 2],
    [['--data', 'x', '--speed', '-1'], 2],
    [['--data', 'x', '--parallel', '0'], 2],
    [['--nothing'], 2],
    [['--data', '/nonexistent.jsonl'], 1],
  ])('%j ends with %i and a sentence, never a stack', async (args, expected) => {
    const { code, out, err } = await command(...args)
    expect(code).toBe(expected)
    expect(`${out}${err}`).toMatch(/\S/)
    expect(err).not.toMatch(/\n\s+at /)
  })
})
