/** The station's outbox: order, claims of several stations, and what becomes of what was sent. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enqueue, stationOutbox } from '../../../../main/store/station/index.ts'
import { hours, seconds } from '../../../../shared/time.ts'
import { school } from '../../../support/intake-school.ts'
import { postgresMissing } from '../../../support/postgres.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

const now = Date.UTC(2026, 0, 20)
let at: TestStore
afterEach(() => at.close())

const put = (...ids: string[]) => putAs('MESSAGE_ANALYZED', ...ids)
const putAs = (event_type: string, ...ids: string[]) =>
  at.store.asSchool(school, (unit) =>
    enqueue(
      unit,
      ids.map((id) => ({
        ...{ id, school_id: school, group: `session-${id[0]}` },
        ...{ event_type, body: '{}', at: now },
      })),
    ),
  )
const outboxOf = (stationId: string, awaitsConfirmation = true) =>
  stationOutbox({ store: at.store, stationId, awaitsConfirmation })
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id)

onEachStore((kind) => {
  beforeEach(async () => void (at = await openTestStore(kind)))

  it('gives the oldest first, whatever session it is of, and each id once', async () => {
    await put('c1', 'a1')
    await put('a1', 'b1')
    expect(ids(await outboxOf('station-1').next(now, 10, false))).toEqual(['c1', 'a1', 'b1'])
    expect(ids(await outboxOf('station-1').next(now, 2, false))).toEqual(['c1', 'a1'])
  })

  it('lets nothing of a session overtake what waits for its next try, and other sessions pass', async () => {
    const outbox = outboxOf('station-1')
    await put('a1', 'a2', 'b1')
    const [first] = await outbox.next(now, 10, false)
    await outbox.markFailed(first!.position, now + seconds(5), 'Throttled')
    expect(ids(await outbox.next(now, 10, false))).toEqual(['b1'])
    expect(ids(await outbox.next(now + seconds(5), 10, false))).toEqual(['a1', 'a2', 'b1'])
    const kept = { attempts: 1, last_error: 'Throttled' }
    expect(await at.rows(`SELECT attempts, last_error FROM outbox WHERE id = 'a1'`)).toEqual([kept])
  })

  it('gives a crisis before all that waits, and the rest in its order', async () => {
    const outbox = outboxOf('station-1')
    await put('a1', 'a2', 'b1')
    await putAs('CRISIS_DETECTED', 'a3', 'c1')
    await put('a4')
    expect(ids(await outbox.next(now, 10, false))).toEqual(['a3', 'c1', 'a1', 'a2', 'b1', 'a4'])
    expect(ids(await outbox.next(now, 1, false))).toEqual(['a3'])
  })

  it('holds no crisis back for its session’s next try, and nothing that came before it for a crisis', async () => {
    const outbox = outboxOf('station-1')
    await put('a1')
    const [first] = await outbox.next(now, 10, false)
    await outbox.markFailed(first!.position, now + seconds(5), 'Throttled')
    await putAs('CRISIS_DETECTED', 'a2')
    await put('a3')
    const [crisis, ...others] = await outbox.next(now, 10, false)
    expect([crisis?.id, others]).toEqual(['a2', []])
    await outbox.markFailed(crisis!.position, now + seconds(7), 'Throttled')
    expect(ids(await outbox.next(now + seconds(5), 10, false))).toEqual(['a1'])
    expect(ids(await outbox.next(now + seconds(7), 10, false))).toEqual(['a2', 'a1', 'a3'])
  })

  it('makes everything due at a start, however long it was to wait', async () => {
    const outbox = outboxOf('station-1')
    await put('a1')
    const [message] = await outbox.next(now, 10, false)
    await outbox.markFailed(message!.position, now + seconds(30), 'Throttled')
    await outbox.tryAtOnce(now)
    expect(ids(await outbox.next(now, 10, false))).toEqual(['a1'])
  })

  it.each([
    ['stays until it is confirmed', true, 1],
    ['is gone where nobody confirms', false, 0],
  ])('what was sent is not sent again, and %s', async (_, awaitsConfirmation, left) => {
    const outbox = outboxOf('station-1', awaitsConfirmation)
    await put('a1')
    const sent = await outbox.next(now, 10, false)
    await outbox.markSent(
      sent.map(({ position }) => position),
      now,
    )
    expect(await outbox.next(now, 10, false)).toEqual([])
    expect(await at.rows('SELECT id FROM outbox')).toHaveLength(left)
  })
})

describe('on the file', () => {
  beforeEach(async () => void (at = await openTestStore('file')))

  it('says when the next one is due, those behind another of their session aside', async () => {
    const outbox = outboxOf('station-1')
    expect(await outbox.nextDue(now)).toBeNull()
    await put('a1', 'a2', 'b1')
    const [a1, , b1] = await outbox.next(now, 10, false)
    await outbox.markFailed(a1!.position, now + seconds(7), 'Throttled')
    await outbox.markFailed(b1!.position, now + seconds(9), 'Throttled')
    expect(await outbox.nextDue(now)).toBe(now + seconds(7))
    await putAs('CRISIS_DETECTED', 'a3')
    expect(await outbox.nextDue(now)).toBe(now)
  })
})

describe.skipIf(postgresMissing !== null)(`two stations${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  beforeEach(async () => void (at = await openTestStore('PostgreSQL')))

  it('that look at the same time have nothing in common', async () => {
    const all = Array.from({ length: 40 }, (_, index) => `${'abcdefgh'[index % 8]}${index}`)
    await put(...all)
    const stations = [outboxOf('station-1'), outboxOf('station-2'), outboxOf('station-3')]
    const taken = (await Promise.all(stations.map((outbox) => outbox.next(now, 40, false)))).flat()
    expect(new Set(ids(taken)).size).toBe(taken.length)
    expect(ids(taken).sort()).toEqual([...all].sort())
  })

  it('leave each other’s in peace until the claim has run out, and then take what was left', async () => {
    await put('a1', 'a2', 'b1')
    const [a1] = await outboxOf('station-1').next(now, 1, false)
    expect(a1?.id).toBe('a1')
    // Nothing of a session is published by another while its earlier event is on its way.
    expect(ids(await outboxOf('station-2').next(now, 10, false))).toEqual(['b1'])
    expect(await outboxOf('station-3').next(now + seconds(59), 10, false)).toEqual([])
    expect(ids(await outboxOf('station-3').next(now + seconds(60), 10, false))).toEqual(['a1', 'a2', 'b1'])
  })

  it('do not wait for a claim that a wrong clock has made for hours', async () => {
    await put('a1', 'a2')
    await outboxOf('station-1').next(now + hours(5), 1, false)
    expect(ids(await outboxOf('station-2').next(now, 10, false))).toEqual(['a1', 'a2'])
  })

  it('do not wait for the hour at which a wrong clock has queued something', async () => {
    const message = { school_id: school, group: 'session-a', event_type: 'CRISIS_DETECTED', body: '{}' }
    await at.store.asSchool(school, (unit) => enqueue(unit, [{ ...message, id: 'a1', at: now + hours(5) }]))
    await put('a2')
    expect(ids(await outboxOf('station-2').next(now, 10, false))).toEqual(['a1', 'a2'])
  })

  it('take their own up again at once, as after a restart', async () => {
    await put('a1', 'b1')
    await outboxOf('station-1').next(now, 10, false)
    expect(ids(await outboxOf('station-1').next(now, 10, false))).toEqual(['a1', 'b1'])
  })

  it('look again by themselves, also when nothing of their own waits', async () => {
    expect(await outboxOf('station-1').nextDue(now)).toBe(now + seconds(10))
  })
})
