import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readConfiguration } from '../../../main/configuration/index.ts'
import { claimQueue } from '../../../main/console/event-queue/index.ts'
import { startConsole } from '../../../main/console/index.ts'
import { startDesk } from '../../../main/desk.ts'
import { systemClock } from '../../../main/platform/clock.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { setUpDesk } from '../../support/desk.ts'
import { silentLogger } from '../../support/logger.ts'
import { openQueue } from '../../support/queue.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const ports = () => ({
  clock: virtualClock(),
  randomness: systemRandomness,
  logger: silentLogger,
  shell: { notify: () => undefined, badge: () => undefined, openExternal: () => undefined },
  preferences: { get: () => undefined, set: () => undefined },
})

function district() {
  const dataDir = mkdtempSync(join(tmpdir(), 'startup-'))
  const env = { PSYFLO_EVENTS_QUEUE_URL: 'http://127.0.0.1:9/1/events', AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' }
  const running = startConsole(readConfiguration(env, ['--data-dir', dataDir]), ports())
  return { running, dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

async function desk() {
  const { dataDir, remove } = await setUpDesk()
  return { running: startDesk(readConfiguration({}, ['--data-dir', dataDir]), ports(), null), dataDir, remove }
}

it('a passphrase that is too short is not taken from a page either, and nothing is made with it', async () => {
  const { running, dataDir, remove } = district()
  const { startup } = running.contextFor('window')
  try {
    await vi.waitFor(() => expect(startup.state()).toMatchObject({ phase: 'locked', create: true, error: null }))
    await running.router.createCaller(running.contextFor('window')).startup.unlock({ passphrase: 'too short' })
    await vi.waitFor(() =>
      expect(startup.state()).toMatchObject({ phase: 'locked', create: true, error: { code: 'short_passphrase' } }),
    )
    expect(existsSync(join(dataDir, 'keystore.json'))).toBe(false)
  } finally {
    await running.stop()
    remove()
  }
})

it('a console whose queue another one has says so, and opens where it is told to try again once that one is gone', async () => {
  const queue = await openQueue()
  // Hours ahead, and fast, so that the test need not wait as long as a console does.
  const clock = {
    now: () => systemClock.now() + 7_200_000,
    after: (delay: number, work: () => void) => systemClock.after(delay / 50, work),
  }
  const other = await claimQueue({
    ...{ ...ports(), sqs: queue.sqs, queueUrl: queue.url, clock, consoleId: 'other', computer: 'front-office' },
    ...{ onState: () => undefined, signal: new AbortController().signal },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'startup-'))
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  const env = { PSYFLO_EVENTS_QUEUE_URL: queue.url, AWS_ENDPOINT_URL_SQS: queue.endpoint, PSYFLO_PASSPHRASE: 'correct horse battery staple' } // prettier-ignore
  const running = startConsole(readConfiguration(env, ['--data-dir', dataDir]), { ...ports(), clock })
  const { startup } = running.contextFor('window')
  const caller = running.router.createCaller(running.contextFor('window'))
  const phase = (expected: object) => vi.waitFor(() => expect(startup.state()).toMatchObject(expected), 20_000)
  try {
    await phase({ phase: 'opening', claiming: true })
    await phase({ phase: 'refused', error: { code: 'queue_taken' } })
    expect(startup.state()).toMatchObject({ error: { happened: expect.stringContaining('(front-office)') as string } })
    expect(startup.parts()).toBeNull()
    await caller.startup.tryAgain()
    await phase({ phase: 'refused' })
    await other.stop()
    await caller.startup.tryAgain()
    await phase({ phase: 'ready' })
  } finally {
    await running.stop()
    await queue.stop()
    vi.unstubAllEnvs()
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 60_000)

it.each([
  { of: 'a district’s console', start: district, takes_messages: false, safe: 'Events are waiting in the queue.' },
  { of: 'a desk', start: desk, takes_messages: true, safe: 'Until it is, no student’s message is received.' },
])('$of that waits for its passphrase says what becomes of students’ messages meanwhile', async (each) => {
  const { running, remove } = await each.start()
  const caller = running.router.createCaller(running.contextFor('window'))
  try {
    for await (const state of await caller.startup.state()) {
      expect(state.takes_messages).toBe(each.takes_messages)
      if (state.phase === 'locked') break
    }
    await expect(caller.me.get()).rejects.toMatchObject({ cause: { code: 'not_open', safe: each.safe } })
  } finally {
    await running.stop()
    remove()
  }
})
