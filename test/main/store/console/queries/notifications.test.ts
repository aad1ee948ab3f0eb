import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alertRow, deskCalls, inboxPage, notificationsOf } from '../../../../../main/store/console/index.ts'
import { minutes, seconds } from '../../../../../shared/time.ts'
import type { Alert } from '../../../../../shared/alerts.ts'
import { marlow, openRecord, type OpenRecord } from '../../../../support/record.ts'
import { crisis, noon, notified, school } from '../../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => {
  at = openRecord()
})
afterEach(() => at.close())

const iso = (time: number) => new Date(time).toISOString()
const keys = () => at.rows('SELECT key FROM alerts ORDER BY opened_at').map(({ key }) => String(key))
const alert = (key: string) => at.eventLog.alertBehind(key) as Alert
const rung = (alert_key: string, time: number, next: number | null, more = {}) =>
  notified({
    ...{ event_type: 'ALERT_ESCALATED', alert_key, at: time, rung: 0, outcome: 'delivered', channel: 'ladder' },
    ...{ next_at: next === null ? null : iso(next), ...more },
  })

describe('what the ladder did about an alert', () => {
  it('is one row for each delivery, whichever of its events comes first, and what was shown counts', async () => {
    await at.receive(crisis({ idempotency_key: 'c' }))
    const [alert_key = ''] = keys()
    const of = { alert_key, delivery_id: 'd', to: 'osei', channel: 'desktop' }
    await at.receive(notified({ ...of, at: noon + seconds(15), outcome: 'failed', reason: 'no answer' }))
    await at.receive(notified({ ...of, at: noon + seconds(14), outcome: 'delivered' }))
    await at.receive(notified({ ...of, at: noon + seconds(1) }))
    expect(notificationsOf(at.db, alert(alert_key))).toEqual([
      expect.objectContaining({
        ...{ id: 'd', escalated: 0, person: 'osei', channel: 'desktop', at: noon + seconds(1) },
        ...{ outcome: 'delivered', outcome_at: noon + seconds(14), reason: null },
      }),
    ])
  })

  it('follows an alert whose key changes, and is found by what it tells of where its key means nothing here', async () => {
    await at.receive(crisis({ idempotency_key: 'later', at: noon }))
    const [old = ''] = keys()
    await at.receive(rung(old, noon + seconds(1), noon + minutes(5)))
    await at.receive(crisis({ idempotency_key: 'earlier', at: noon - minutes(2) }))
    const [key = ''] = keys()
    expect(key).not.toBe(old)
    expect(alertRow(at.db, school, key)?.next_step_at).toBe(noon + minutes(5))
    await at.receive(rung('unknown here', noon + minutes(5), noon + minutes(10), { covers: ['earlier'] }))
    expect(alertRow(at.db, school, key)?.next_step_at).toBe(noon + minutes(10))
    expect(notificationsOf(at.db, alert(key))).toHaveLength(2)
    await at.receive(rung('unknown here', noon + minutes(9), noon + minutes(11), { covers: ['of nobody'] }))
    expect(alertRow(at.db, school, key)?.next_step_at).toBe(noon + minutes(10))
  })

  it('says when the ladder goes on while an urgent hand-off is not answered', async () => {
    await at.receive(crisis())
    const [key = ''] = keys()
    await at.receive(rung(key, noon + seconds(1), noon + minutes(5)))
    at.lifecycle.act(key, marlow, { action: 'taken_over' })
    at.clock.advance(minutes(20))
    at.lifecycle.act(key, marlow, { action: 'handed_off', to: 'osei', to_name: 'K. Osei', urgent: true })
    // What the ladder said before it rested is over; the station has not said yet when it goes on.
    expect(alertRow(at.db, school, key)?.next_step_at).toBeNull()
    await at.receive(rung(key, at.clock.now() + 1, at.clock.now() + minutes(2)))
    expect(alertRow(at.db, school, key)).toMatchObject({
      state: 'acknowledged',
      next_step_at: at.clock.now() + minutes(2),
    })
    at.lifecycle.act(key, { ...marlow, id: 'osei' }, { action: 'hand_off_accepted' })
    expect(alertRow(at.db, school, key)?.next_step_at).toBeNull()
  })

  it('says when the next ones are told while nobody holds the alert, and not what was said before it was opened again', async () => {
    await at.receive(crisis())
    const [key = ''] = keys()
    await at.receive(rung(key, noon + seconds(1), noon + minutes(5)))
    at.clock.advance(minutes(1))
    at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    expect(alertRow(at.db, school, key)?.next_step_at).toBeNull()
    at.clock.advance(minutes(20))
    at.lifecycle.act(key, marlow, { action: 'returned' })
    expect(alertRow(at.db, school, key)).toMatchObject({ state: 'open', next_step_at: null })
    await at.receive(rung(key, at.clock.now(), at.clock.now() + minutes(5)))
    const { rows } = inboxPage(at.db, { school, person: '', filter: 'open', offset: 0, limit: 9, now: at.clock.now() })
    expect(rows).toMatchObject([{ key, next_step_at: at.clock.now() + minutes(5) }])
    await at.receive(rung(key, at.clock.now() + 1, null))
    expect(alertRow(at.db, school, key)?.next_step_at).toBeNull()
  })

  it('stands in the order of the ladder where several rungs came at once, each before whom it told', async () => {
    await at.receive(crisis())
    const [key = ''] = keys()
    for (const place of [2, 0, 1]) await at.receive(rung(key, noon, noon, { rung: place }))
    await at.receive(notified({ alert_key: key, delivery_id: 'd', rung: 2, at: noon }))
    const rows = notificationsOf(at.db, alert(key))
    expect(rows.map((row) => [row.escalated, row.rung])).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [0, 2],
    ])
  })

  it('is told to those who watch with the keys that the alerts have here, and a call at a console with whom it calls', async () => {
    await at.receive(crisis({ idempotency_key: 'c' }))
    const [key = ''] = keys()
    const call = { alert_key: 'unknown here', covers: ['c'], channel: 'desktop', to: 'osei', delivery_id: 'd' }
    await at.receive(notified(call))
    expect(at.heard.at(-1)).toMatchObject({ alerts: [], notified: [key], called: ['osei'] })
    await at.receive(notified({ ...call, delivery_id: 'd2', backfill: true }))
    expect(at.heard.at(-1)).toMatchObject({ notified: [key], called: [] })
  })
})

it('those called at a console are known until it is known how that went', async () => {
  await at.receive(crisis({ idempotency_key: 'c' }))
  const [key = ''] = keys()
  const of = { alert_key: key, channel: 'desktop', to: 'osei' }
  await at.receive(
    notified({ ...of, delivery_id: 'd1' }),
    notified({ ...of, delivery_id: 'd2', alert_key: 'elsewhere' }),
  )
  expect(deskCalls(at.db, { school, since: noon - 1 })).toMatchObject([
    { delivery_id: 'd1', person: 'osei', key, tier: 'crisis' },
    { delivery_id: 'd2', person: 'osei', key: null, tier: null },
  ])
  await at.receive(notified({ ...of, delivery_id: 'd1', outcome: 'failed' }))
  expect(deskCalls(at.db, { school, since: noon - 1 }).map(({ delivery_id }) => delivery_id)).toEqual(['d2'])
  expect(deskCalls(at.db, { school, since: noon })).toEqual([])
  expect(deskCalls(at.db, { school: 'another', since: noon - 1 })).toEqual([])
})
