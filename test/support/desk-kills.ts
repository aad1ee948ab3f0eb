/** Kills a real desk again and again while the chat sends messages, then reads what is left. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, vi } from 'vitest'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { openDatabase, openKeys } from '../../main/store/console/index.ts'
import { callDesk, deskPassphrase, setUpDesk, type DeskHouse } from './desk.ts'
import { openPage, type Page } from './real-console.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** What the outside was told, and what it sent without being told anything. */
interface Told {
  /** Ids of messages that were answered; of these, those that were a crisis. */
  messages: Set<string>
  crises: Set<string>
  sessions: Set<string>
  /** Calls that a kill left unanswered: what they sent may have arrived, once. */
  unanswered: number
}

/**
 * Runs `rounds` of them, each killed at another moment, and expects that every message that was answered is one
 * event, exactly once.
 */
export async function deskKills(rounds: number): Promise<void> {
  const house = await setUpDesk()
  const told: Told = { messages: new Set(), crises: new Set(), sessions: new Set(), unanswered: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const desk = await house.start()
      const talking = talk(house, `round-${round}`, told, () => desk.process.signalCode !== null)
      // Some of this round is answered however slow the machine; then it ends at any moment of the next call.
      const answered = told.crises.size + 2 + (round % 4)
      await vi.waitFor(() => expect(told.crises.size).toBeGreaterThanOrEqual(answered), {
        timeout: 20_000,
        interval: 5,
      })
      await after((round * 41) % 120)
      await desk.stop('SIGKILL')
      await talking
    }
    expect(told.crises.size).toBeGreaterThan(rounds)
    const desk = await house.start()
    const page = await openPage(desk.address)
    // Once everything has come, more must not.
    await vi.waitFor(
      async () => {
        expect(await waiting(page)).toBeGreaterThanOrEqual(told.crises.size)
      },
      { timeout: 20_000, interval: 100 },
    )
    await after(300)
    void page.close()
    expect(await desk.stop()).toBe(0)
    await expectEachOnce(house, told)
  } finally {
    house.remove()
  }
}

/** How many alerts wait, as anybody at the page to sign in is told. */
function waiting(page: Page): Promise<number> {
  return new Promise((resolve, reject) => {
    const watching = page.calls.signIn.state.subscribe(undefined, {
      onData(state) {
        watching.unsubscribe()
        resolve(state.state === 'out' ? state.waiting : -1)
      },
      onError: reject,
    })
  })
}

async function expectEachOnce(house: DeskHouse, told: Told): Promise<void> {
  const report = reportOf(house)
  expect(report).toMatchObject({ audit_ok: true, counts: { quarantined: 0, outbox_pending: 0 } })
  const { database } = await openKeys(house.dataDir, passphraseProvider(deskPassphrase, systemRandomness), systemRandomness) // prettier-ignore
  const db = openDatabase(join(house.dataDir, 'console.db'), database, { readonly: true })
  try {
    const ids = (type: string, field: string) =>
      db
        .prepare(`SELECT json_extract(body, '$.${field}') FROM events WHERE origin = 'queue' AND event_type = ?`)
        .pluck()
        .all(type) as string[]
    const [messages, crises, sessions] = [
      ids('MESSAGE_ANALYZED', 'message_id'),
      ids('CRISIS_DETECTED', 'message_id'),
      ids('SESSION_STARTED', 'session_id'),
    ]
    expect(messages).toEqual(expect.arrayContaining([...told.messages]))
    expect(crises).toEqual(expect.arrayContaining([...told.crises]))
    expect(sessions).toEqual(expect.arrayContaining([...told.sessions]))
    // What the ladder tells of them, each word of it once.
    const ladder = ['ALERT_ESCALATED', 'ALERT_NOTIFIED'].flatMap((type) => ids(type, 'idempotency_key'))
    for (const each of [messages, crises, sessions, ladder]) expect(new Set(each).size).toBe(each.length)
    expect(report.counts.events).toBe(messages.length + crises.length + sessions.length + ladder.length)
    expect(report.counts.alerts).toBe(crises.length)
    // A message that was not answered is one message and, at most, one crisis.
    const more = messages.length + sessions.length - told.messages.size - told.sessions.size
    expect(more).toBeLessThanOrEqual(told.unanswered)
  } finally {
    db.close()
  }
}

interface Report {
  audit_ok: boolean
  counts: { events: number; alerts: number; open: number; quarantined: number; outbox_pending: number }
}

function reportOf({ dataDir }: DeskHouse): Report {
  const doctor = join(root, 'main', 'commands', 'doctor.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [doctor, '--json', '--data-dir', dataDir], {
    encoding: 'utf8',
    env: { ...process.env, PSYFLO_PASSPHRASE: deskPassphrase },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Report
}

/** Says one thing after the other until the desk is gone. */
async function talk({ dataDir }: DeskHouse, round: string, told: Told, gone: () => boolean): Promise<void> {
  const answered = async (path: string, body: object): Promise<Record<string, unknown> | null> => {
    try {
      return await callDesk(dataDir, path, body)
    } catch {
      told.unanswered += 1
      return null
    }
  }
  for (let number = 0; !gone(); number++) {
    const session = await answered('/sessions', { user_id: `${round}-${number}` })
    if (session === null) return
    told.sessions.add(String(session.session_id))
    const path = `/sessions/${String(session.session_id)}/messages`
    const calm = await answered(path, { sender: 'user', content: 'We have maths after lunch.' })
    if (calm === null) return
    told.messages.add(String(calm.message_id))
    const crisis = await answered(path, { sender: 'user', content: 'I am going to kill myself tonight.' })
    if (crisis === null) return
    told.messages.add(String(crisis.message_id))
    told.crises.add(String(crisis.message_id))
  }
}

/** Real time between real processes: this is where the moment of the kill comes from. */
function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
