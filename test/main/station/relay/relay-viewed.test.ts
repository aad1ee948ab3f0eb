import { beforeEach, expect, it } from 'vitest'
import { relayViewed } from '../../../../main/station/relay/index.ts'
import { eventSchema } from '../../../../shared/events.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { hashOf, school } from '../../../support/wire.ts'

const clock = virtualClock()
let said: { subject: string; event_type: string; body: string }[]
let isApproved = true
beforeEach(() => {
  said = []
  isApproved = true
})
const relay = relayViewed({
  clock,
  passing: { say: (subject, message) => void said.push({ subject, ...message }) },
  isApproved: () => Promise.resolve(isApproved),
})

const looking = (changes: { at?: number; lasts?: number } & Record<string, unknown> = {}) => {
  const { at = clock.now(), lasts = seconds(45), ...more } = changes
  return {
    ...{ schema_version: 2, event_type: 'ALERT_VIEWED', idempotency_key: 'i', school_id: school },
    ...{ timestamp: new Date(at).toISOString(), until: new Date(at + lasts).toISOString(), session_id: 's' },
    ...{ student_hash: hashOf('s'), alert_key: 'k', console_id: 'c', by: 'osei', by_name: 'K. Osei' },
    ...{ key_id: 'f', signature: 's', ...more },
  }
}

it('goes to every console as an event, without what is no part of it, the latest of each person and alert', async () => {
  expect(await relay(looking({ words: 'anything' }))).toBe(true)
  expect(await relay(looking({ lasts: 0 }))).toBe(true)
  const bodies = said.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  expect(eventSchema.parse(bodies[0])).toMatchObject({
    event_type: 'ALERT_VIEWED',
    by_name: 'K. Osei',
    school_id: school,
  })
  expect(JSON.stringify(bodies)).not.toMatch(/words|signature/)
  expect(new Set(said.map(({ subject }) => subject)).size).toBe(1)
})

it.each([
  ['of a console that was not approved', () => ((isApproved = false), looking())],
  ['of no school', () => looking({ school_id: undefined })],
  ['that is none', () => looking({ until: 'soon' })],
])('one %s is refused', async (_, message) => {
  expect(await relay(message())).toBe(false)
  expect(said).toEqual([])
})

it.each([
  ['older than a minute', () => looking({ at: clock.now() - minutes(1) - 1 })],
  ['from a clock far ahead', () => looking({ at: clock.now() + hours(1) })],
  ['that would last for hours', () => looking({ lasts: hours(2) })],
])('one %s is dropped without a word', async (_, message) => {
  expect(await relay(message())).toBe(true)
  expect(said).toEqual([])
})
