import { expect, it } from 'vitest'
import { coverageText } from '../../../renderer/app/coverage.tsx'
import { showTimesIn } from '../../../renderer/controls/time-text.ts'
import { soundFor } from '../../../renderer/app/sound.ts'
import { checkedAt, isAlarming, isInDoubt, isUnproven, ladderNow } from '../../../renderer/app/strip-state.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { StripView } from '../../../shared/views.ts'

const since = 1_000_000
function view(state: StripView['connection']['state'], heartbeat_overdue = false): StripView {
  return {
    connection: { state, since, error: null },
    last_event_at: null,
    proven_at: null,
    heartbeat_overdue,
    drill: null,
    missing_heartbeats: null,
    unlikely_heartbeat: null,
    outage: null,
    unacknowledged: 0,
    open: 0,
    quarantined: 0,
    quarantined_crises: 0,
    newest_quarantined_crisis: null,
    sharing: null,
    dead_letters_stuck: 0,
    not_approved: false,
    queue_waiting: null,
    queue_age_ms: null,
    outbox_pending: 0,
    degraded: [],
    ladder: 'off',
    coverage: null,
    channels: null,
    demo: false,
    discards: false,
  }
}

it('turns red when the queue does not answer, and within 30 s of trying in vain', () => {
  expect(isAlarming(view('connected'), since)).toBe(false)
  expect(isAlarming(view('disconnected'), since)).toBe(true)
  expect(isAlarming(view('connecting'), since + seconds(29))).toBe(false)
  expect(isAlarming(view('connecting'), since + seconds(30))).toBe(true)
})

it('knows nothing of the ladder while the queue or the program does not answer', () => {
  const runs = (state: StripView['connection']['state']) => ({ ...view(state), ladder: 'station' as const })
  expect(ladderNow(runs('connected'), false, since)).toBe('station')
  expect(ladderNow(runs('connecting'), false, since + seconds(29))).toBe('station')
  expect(ladderNow(runs('connecting'), false, since + seconds(30))).toBe('unknown')
  expect(ladderNow(runs('disconnected'), false, since)).toBe('unknown')
  expect(ladderNow(runs('connected'), true, since)).toBe('unknown')
  expect(ladderNow(null, false, since)).toBe('unknown')
})

it('turns red when heartbeats that used to come have stopped, though the queue answers', () => {
  expect(isAlarming(view('connected', true), since)).toBe(true)
})

it('turns red while nothing can be published, though everything else is well', () => {
  expect(isAlarming({ ...view('connected'), outage: { kind: 'publishing', since } }, since)).toBe(true)
})

it('turns red while a crisis that could not be read waits for somebody', () => {
  expect(isAlarming({ ...view('connected'), quarantined: 1 }, since)).toBe(false)
  expect(isAlarming({ ...view('connected'), quarantined: 1, quarantined_crises: 1 }, since)).toBe(true)
})

it('is amber while nothing proves the alarm: never, or not lately', () => {
  expect(isUnproven(view('connected'), since)).toBe(true)
  expect(isUnproven({ ...view('connected'), proven_at: since }, since + minutes(3))).toBe(false)
  expect(isUnproven({ ...view('connected'), proven_at: since }, since + minutes(3) + 1)).toBe(true)
})

it('is amber when the clock was set back since the last proof, which is ahead of it now', () => {
  expect(isUnproven({ ...view('connected'), proven_at: since + minutes(10) }, since)).toBe(true)
})

it('is amber while the newest drill is too old, though heartbeats come, and says how old that is', () => {
  const drill = { number: 7, began_at: since, at: since, took_ms: 400 }
  const drilled = (at: number) => ({ ...view('connected'), drill, proven_at: at })
  expect(isUnproven(drilled(since + minutes(15)), since + minutes(15))).toBe(false)
  expect(isUnproven(drilled(since + minutes(15)), since + minutes(15) + 1)).toBe(true)
  expect(checkedAt(drilled(since + minutes(4)), since + minutes(4))).toBe(since)
  // Once heartbeats stop, the last thing that came says since when nothing does.
  expect(checkedAt(drilled(since + minutes(4)), since + minutes(8))).toBe(since + minutes(4))
  expect(checkedAt(view('connected'), since)).toBeNull()
})

it.each<[string, Partial<StripView>]>([
  ['its console is not approved', { not_approved: true }],
  [
    'a heartbeat bore a number that nothing can have counted to',
    { unlikely_heartbeat: { number: 9, noticed_at: since } },
  ],
  ['it is not known who would be told', { ladder: 'station', coverage: 'unknown' }],
  ['a station is there and nobody says that it escalates', { channels: ['sms'], ladder: 'unknown' }],
  ['a station that told people tells nobody any more', { channels: ['sms'], ladder: 'off' }],
  ['events arrive late', { queue_age_ms: minutes(1) + 1 }],
])('is amber while %s', (_, changes) => {
  expect(isInDoubt({ ...view('connected'), ...changes }, null, since)).toBe(true)
})

it('is amber once something has waited for a minute to be sent, and not where all is well', () => {
  const well: StripView = { ...view('connected'), ladder: 'station', channels: ['sms'], queue_age_ms: 400 }
  expect(isInDoubt(well, null, since)).toBe(false)
  expect(isInDoubt({ ...well, outbox_pending: 1 }, since, since + minutes(1))).toBe(false)
  expect(isInDoubt({ ...well, outbox_pending: 1 }, since, since + minutes(1) + 1)).toBe(true)
  // Where a school does without a ladder the strip says so in words.
  const drill = { number: 7, began_at: since, at: since, took_ms: 400 }
  expect(isInDoubt({ ...view('connected'), drill, ladder: 'off' }, null, since)).toBe(false)
})

it('is red while heartbeats went missing a moment ago, then amber', () => {
  const missing = { ranges: [{ from: 412, to: 415 }], noticed_at: since }
  const gap = { ...view('connected'), proven_at: since + minutes(15), missing_heartbeats: missing }
  expect(isAlarming(gap, since + minutes(15))).toBe(true)
  expect(isAlarming(gap, since + minutes(15) + 1)).toBe(false)
  expect(isUnproven(gap, since + minutes(15) + 1)).toBe(true)
})

it('is red where a crisis would be told to nobody', () => {
  const told = [{ kind: 'person' as const, name: 'A. Rivera' }]
  const covered = { rungs: [{ after_s: 0, told, only_at_console: false }], next_gap: null }
  expect(isAlarming({ ...view('connected'), coverage: covered }, since)).toBe(false)
  expect(isAlarming({ ...view('connected'), coverage: { rungs: [], next_gap: since } }, since)).toBe(true)
  expect(isAlarming({ ...view('connected'), coverage: 'pending' }, since)).toBe(false)
})

it('a crisis always sounds; a high alert may be silent', () => {
  expect(soundFor('crisis', 'off')).toBe('chime')
  expect(soundFor('high', 'off')).toBeNull()
  expect(soundFor('high', 'bell')).toBe('bell')
})

it('says whom a crisis would reach when, in full and in short, and the next gap', () => {
  showTimesIn('UTC', 'en-US')
  const now = Date.UTC(2026, 0, 20, 12)
  const person = (name: string) => [{ kind: 'person' as const, name }]
  const rungs = [
    { after_s: 0, told: person('A. Rivera'), only_at_console: false },
    { after_s: 300, told: [...person('K. Osei'), { kind: 'people' as const, count: 4 }], only_at_console: false },
    { after_s: 600, told: [{ kind: 'role' as const, role: 'ADMIN' as const }], only_at_console: false },
  ]
  const says = (coverage: StripView['coverage'], ladder: StripView['ladder'] = 'off') =>
    coverageText({ coverage, ladder }, now)
  expect(says({ rungs, next_gap: Date.UTC(2026, 0, 24, 2) })).toEqual({
    full: 'If a crisis arrived now: A. Rivera at 0 min, K. Osei and 4 people at 5, admins at 10 · next gap Sat 2:00 AM',
    short: 'Now: A. Rivera 0 min, K. Osei and 4 people 5, admins 10 · next gap Sat 2:00 AM',
    isGap: false,
    onlyHere: false,
  })
  expect(says({ rungs: rungs.slice(0, 1), next_gap: null }).short).toBe('Now: A. Rivera 0 min')
  expect(says({ rungs, next_gap: now })).toMatchObject({
    isGap: true,
    full: expect.stringMatching(/· a step reaches no one now$/) as string,
  })
  const reached = (...only: boolean[]) =>
    says({ rungs: rungs.map((each, at) => ({ ...each, only_at_console: only[at] ?? false })), next_gap: null })
  expect(reached(true, true, true)).toMatchObject({
    onlyHere: true,
    short: 'Now: A. Rivera 0 min, K. Osei and 4 people 5, admins 10 · only at a console',
  })
  expect(reached(true, false, true)).toMatchObject({
    onlyHere: true,
    full: expect.stringMatching(/admins at 10 · only at a console before 5 min$/) as string,
  })
  expect(reached(false, true, true)).toMatchObject({ onlyHere: false })
  expect(says({ rungs: [], next_gap: now }).full).toBe('If a crisis arrived now, no one would be told')
  expect(says('unknown', 'unknown').full).toBe(
    'Not known whether anyone is told: an alert waits here until someone takes it',
  )
  expect(says('unknown', 'station').full).toBe('Not known who would be told of a crisis now')
  expect(says(null).full).toBe('Nothing here tells anyone: an alert waits until someone takes it')
  expect(says(null, 'station').full).toBe('Escalation is handled by the station')
})
