import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnnouncer, type Announcer } from '../../../../main/console/alerts/index.ts'
import { retryQuarantined } from '../../../../main/console/event-queue/index.ts'
import { importRoster } from '../../../../main/console/identity/index.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import type { Outage } from '../../../../shared/views.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let announcer: Announcer
let said: string[]
let whole: string
let badges: number[]
/** Who is signed in at this console. */
let here: Set<string>
beforeEach(() => {
  at = openRecord()
  said = []
  whole = ''
  badges = []
  here = new Set()
  const shell = {
    notify(notification: { title: string; body: string; until?: AbortSignal }) {
      said.push(notification.title)
      notification.until?.addEventListener('abort', () => said.push(`taken back: ${notification.title}`))
      whole += JSON.stringify(notification)
    },
    badge: (count: number) => void badges.push(count),
    openExternal: () => undefined,
  }
  announcer = createAnnouncer({
    db: at.db,
    changes: at.changes,
    clock: at.clock,
    shell,
    schoolId: () => school,
    isHere: (id) => here.has(id),
  })
  announcer.start()
})
afterEach(() => {
  announcer.stop()
  at.close()
})

it('a higher tier on an open alert is news', async () => {
  await at.receive(analyzed({ session_id: 's', tier: 'high', score: 0.8, at: noon }))
  at.clock.advance(seconds(60))
  await at.receive(crisis({ session_id: 's', at: noon + seconds(60) }))
  expect(said).toEqual(['Alert', 'Crisis alert'])
})

it('a crisis that an action closed before it came is heard all the same', async () => {
  const time = new Date(noon).toISOString()
  await at.receive({
    ...crisis(),
    ...{ event_type: 'ALERT_ACTION', action: 'resolved', disposition: 'duplicate', note: 'Same.', at: time },
    ...{ ack_id: 'a', idempotency_key: 'a', alert_key: 'k', covers: ['first'], console_id: 'c', by: 'osei' },
  })
  expect(said).toEqual([])
  await at.receive(crisis({ idempotency_key: 'first' }))
  expect(at.rows('SELECT state FROM alerts')).toEqual([{ state: 'resolved' }])
  expect(said).toEqual(['Crisis alert'])
})

it('a told past is no news, but counted; what is said now is, also beside it in one commit', async () => {
  const past = { backfill: true, at: noon - minutes(14 * 60) }
  await at.receive(crisis({ session_id: 's1', ...past }))
  expect(said).toEqual([])
  expect(badges).toEqual([1])
  await at.receive(crisis({ session_id: 's2', ...past }), analyzed({ session_id: 's3', tier: 'high', score: 0.8 }))
  expect(said).toEqual(['Alert'])
  expect(badges.at(-1)).toBe(3)
})

it('what is said now is heard beside a past that was told without a sound, once', async () => {
  const now = { session_id: 's', at: noon }
  await at.receive(crisis({ session_id: 's', backfill: true, at: noon - minutes(20) }))
  expect(said).toEqual([])
  await at.receive(crisis(now))
  expect(at.count('alerts')).toBe(1)
  expect(said).toEqual(['Crisis alert'])
  at.clock.advance(seconds(10))
  await at.receive(crisis({ ...now, at: noon + seconds(10) }))
  expect(said).toHaveLength(1)
})

it('what is said now is heard when the past of its session comes in the same commit', async () => {
  await at.receive(
    crisis({ session_id: 's', at: noon }),
    crisis({ session_id: 's', backfill: true, at: noon - minutes(20) }),
  )
  expect(at.count('alerts')).toBe(1)
  expect(said).toEqual(['Crisis alert'])
})

it('what is said again beside an alert that was heard stays without a sound, whatever past is told of it', async () => {
  await at.receive(crisis({ session_id: 's', at: noon }))
  await at.receive(crisis({ session_id: 's', backfill: true, at: noon - minutes(20) }))
  at.clock.advance(seconds(10))
  await at.receive(crisis({ session_id: 's', at: noon + seconds(10) }))
  expect(said).toEqual(['Crisis alert'])
})

it('what is said now is heard where somebody has already acknowledged the past beside it', async () => {
  const past = crisis({ session_id: 's', idempotency_key: 'past', backfill: true, at: noon - minutes(20) })
  await at.receive(past)
  await at.receive({
    ...past,
    ...{ event_type: 'ALERT_ACTION', action: 'acknowledged', timestamp: past.timestamp, at: past.timestamp },
    ...{ ack_id: 'a', idempotency_key: 'a', alert_key: 'k', covers: ['past'], console_id: 'c', by: 'osei' },
  })
  await at.receive(crisis({ session_id: 's', at: noon }))
  expect(at.rows('SELECT state FROM alerts')).toEqual([{ state: 'open' }])
  expect(said).toEqual(['Crisis alert'])
})

it('an alert that comes late is called late', async () => {
  await at.receive(crisis({ at: noon - minutes(14 * 60) }))
  expect(said).toEqual(['Late: crisis alert'])
})

it('a flood is one notification, but a crisis is heard behind lesser alerts', async () => {
  for (const index of [1, 2, 3])
    await at.receive(analyzed({ session_id: `s${index}`, tier: 'high', score: 0.8, at: noon }))
  await at.receive(crisis({ session_id: 's4', at: noon }))
  expect(said).toEqual(['Alert', 'Crisis alert'])
  expect(badges.at(-1)).toBe(4)
})

it.each([
  [0, 'Crisis alert'],
  [3, 'Late: crisis alert'],
])('a crisis that was quarantined and is read again after %i hours rings as what it is', (waited, title) => {
  at.db
    .prepare(
      `INSERT INTO quarantine (digest, received_at, reason, detail, bytes, receive_count, names_crisis, raw)
       VALUES ('d', ?, 'newer schema version', '', 1, 1, 1, ?)`,
    )
    .run(noon, JSON.stringify(at.key.seal(JSON.stringify(crisis()))))
  const { db, eventLog, changes } = at
  at.clock.advance(hours(waited))
  retryQuarantined(
    {
      ...{ db, eventLog, changes, evidenceKey: at.key, schoolId: school, now: at.clock.now(), consoleId: 'console-1' },
      by: { id: 'marlow', role: 'COUNSELOR' },
    },
    [1],
  )
  expect(said).toEqual([title])
  expect(badges).toEqual([1])
})

it('that no alert gets through is told once, also right after a crisis, and taken back when it is over', async () => {
  await at.receive(crisis())
  const outage = (now: Outage | null) => at.changes.tell({ outage: { now } })
  outage({ kind: 'silence', since: noon })
  outage({ kind: 'publishing', since: noon + 1 })
  expect(said).toEqual(['Crisis alert', 'Alerts are not getting through'])
  outage(null)
  outage(null)
  expect(said.slice(2)).toEqual(['taken back: Alerts are not getting through'])
  outage({ kind: 'silence', since: noon + 2 })
  expect(said).toHaveLength(4)
})

it('is heard when the clock was set back by an hour', async () => {
  await at.receive(crisis())
  at.clock.set(noon - minutes(60))
  await at.receive(crisis({ session_id: 'later', at: at.clock.now() }))
  expect(said).toEqual(['Crisis alert', 'Crisis alert'])
})

describe('a hand-off', () => {
  const toOsei = { action: 'handed_off', to: osei.id, to_name: osei.name } as const
  const handOff = async () => {
    await at.receive(crisis())
    const [alert] = at.rows('SELECT key FROM alerts')
    const key = String(alert?.['key'])
    at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    at.clock.advance(minutes(1))
    said = []
    at.lifecycle.act(key, marlow, toOsei)
    return key
  }

  it('is told where its receiver sits, and counts there until it is taken', async () => {
    here = new Set([osei.id])
    const key = await handOff()
    expect(said).toEqual(['An alert was handed to you'])
    expect(badges.at(-1)).toBe(1)
    at.lifecycle.act(key, osei, { action: 'hand_off_accepted' })
    expect(badges.at(-1)).toBe(0)
  })

  it('is told to nobody where the receiver does not sit', async () => {
    here = new Set([marlow.id])
    await handOff()
    expect(said).toEqual([])
    expect(badges.at(-1)).toBe(0)
  })

  it('that is declined is told to the giver, who still holds the alert', async () => {
    here = new Set([marlow.id])
    const key = await handOff()
    at.clock.advance(minutes(1))
    at.lifecycle.act(key, osei, { action: 'hand_off_declined' })
    expect(said).toEqual(['An alert was handed to you'])
    expect(at.rows('SELECT owner_id, hand_off_to FROM alerts')).toEqual([{ owner_id: marlow.id, hand_off_to: null }])
  })
})

it('what is told before the start stays untold', async () => {
  announcer.stop()
  await at.receive(crisis())
  announcer.start()
  expect(said).toEqual([])
  await at.receive(crisis({ session_id: 'another', at: noon + 1 }))
  expect(said).toEqual(['Crisis alert'])
})

it('names nobody and quotes nothing, whatever the event holds and the roster knows', async () => {
  const csv = 'student id,name,class,counselor\nS-1,MARK-name,MARK-class,MARK-counselor\n'
  importRoster(at.db, { csv, salt: 'salt' }, school, noon)
  const student_hash = String(at.rows('SELECT student_hash FROM roster')[0]?.['student_hash'])
  await at.receive(
    crisis({ session_id: 'MARK-session', reasoning: 'MARK-words', matched_patterns: ['MARK-pattern'] }),
    'CRISIS_DETECTED MARK-raw that nobody can read',
  )
  at.clock.advance(minutes(1))
  await at.receive('CRISIS_DETECTED MARK-again')
  expect(said.toSorted()).toEqual(['A crisis event could not be read', 'A crisis event could not be read'])
  at.clock.advance(minutes(1))
  await at.receive(crisis({ session_id: 'MARK-second', reasoning: 'MARK-words' }))
  at.clock.advance(minutes(1))
  await at.receive(crisis({ session_id: 'MARK-known', student_hash, at: at.clock.now() }))
  expect(said.slice(-2)).toEqual(['Crisis alert', 'Crisis alert'])
  expect(whole).not.toContain('MARK')
  for (const hash of at.rows('SELECT student_hash FROM alerts').map((row) => String(row['student_hash']))) {
    expect(whole).not.toContain(hash)
    // What people say aloud.
    expect(whole).not.toMatch(new RegExp(`\\b${hash.slice(0, 4)}\\b`, 'i'))
  }
})
