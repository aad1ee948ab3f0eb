import { expect, it } from 'vitest'
import { soundFor } from '../../../renderer/app/sound.ts'
import { isAlarming, isUnproven } from '../../../renderer/app/strip.tsx'
import { minutes, seconds } from '../../../shared/time.ts'
import type { StripView } from '../../../shared/views.ts'

const since = 1_000_000
function view(state: StripView['connection']['state'], heartbeat_overdue = false): StripView {
  return {
    connection: { state, since, error: null },
    last_event_at: null,
    proven_at: null,
    heartbeat_overdue,
    outage: null,
    unacknowledged: 0,
    open: 0,
    quarantined: 0,
    quarantined_crises: 0,
    newest_quarantined_crisis: null,
    sharing: null,
    dead_letters_stuck: 0,
    queue_waiting: null,
    queue_age_ms: null,
    outbox_pending: 0,
    degraded: [],
    ladder: 'off',
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

it('a crisis always sounds; a high alert may be silent', () => {
  expect(soundFor('crisis', 'off')).toBe('chime')
  expect(soundFor('high', 'off')).toBeNull()
  expect(soundFor('high', 'bell')).toBe('bell')
})
