import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..', '..')
const dir = mkdtempSync(join(tmpdir(), 'psyflo-doctor-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function doctor(args: string[], env: Record<string, string> = {}) {
  const quiet = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PSYFLO|AWS)_/.test(name)))
  return spawnSync(process.execPath, [join(root, 'main/commands/launch.mjs'), 'doctor', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...quiet, ...env },
  })
}

test('with --json it prints one object and nothing else', () => {
  const { status, stdout } = doctor(['--json', '--data-dir', dir])
  const report = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string }[]; counts: object }
  expect(status).toBe(0)
  expect(report.ok).toBe(true)
  expect(report.counts).toEqual({ events: 0, alerts: 0, open: 0, quarantined: 0, outbox_pending: 0 })
  expect(report.checks.find(({ name }) => name === 'Events queue')?.status).toBe('skipped')
})

test('a setting that cannot be read fails in a sentence, without a stack', () => {
  const { status, stdout, stderr } = doctor(['--data-dir', dir], { PSYFLO_EVENTS_QUEUE_URL: 'not an address' })
  expect(status).toBe(1)
  expect(stdout).toContain('PSYFLO_EVENTS_QUEUE_URL')
  expect(stdout + stderr).not.toMatch(/^\s+at /m)
})

test('half a district console fails, and so does a misspelled name beside it', () => {
  const acks = { PSYFLO_ACKS_QUEUE_URL: 'http://127.0.0.1:9/000000000000/acks' }
  const half = doctor(['--json', '--data-dir', dir], { ...acks, PSYFLO_EVENT_QUEUE_URL: 'http://127.0.0.1:9/1/e' })
  const { checks } = JSON.parse(half.stdout) as { checks: { name: string; status: string; sentence: string }[] }
  expect(half.status).toBe(1)
  expect(checks).toMatchObject([
    { name: 'Variables', status: 'failed', sentence: expect.stringContaining('PSYFLO_EVENTS_QUEUE_URL?') as string },
    { name: 'Configuration', status: 'failed', sentence: expect.stringContaining('PSYFLO_ACKS_QUEUE_URL') as string },
  ])
})

test('a flag nobody knows is misuse', () => {
  const { status, stdout, stderr } = doctor(['--everything'])
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('--data-dir')
})

test('--help says what it does', () => {
  expect(doctor(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('It only reads') as string })
})
