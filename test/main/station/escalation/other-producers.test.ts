/** Crises of other producers, from a real queue, on real databases. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { textOf } from '../../../../main/station/channels/words.ts'
import { followOtherProducers, type NotFollowed } from '../../../../main/station/escalation/index.ts'
import { minutes, seconds } from '../../../../shared/time.ts'
import { legacyCrisis } from '../../../support/events.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { ladderHouse, type LadderHouse } from '../../../support/ladder.ts'
import { openQueue, type OpenQueue } from '../../../support/queue.ts'
import { onEachStore } from '../../../support/test-stores.ts'

let queue: OpenQueue
beforeAll(async () => void (queue = await openQueue()))
afterAll(() => queue.stop())

onEachStore((kind) => {
  let at: LadderHouse
  let following: { stop(): Promise<void> }
  let notFollowed: NotFollowed[]
  let url: string
  let made = 0
  beforeEach(async () => {
    at = await ladderHouse(kind)
    // Its own: whoever waited at the last one when it was left takes what comes next into nowhere.
    url = await queue.create(`events-${kind}-${made++}`)
    notFollowed = []
    const { clock, store } = at
    const runner = at.start()
    const { logger } = at
    following = followOtherProducers({
      ...{ store, clock, logger, sqs: queue.sqs, queueUrl: url, schoolId: school, book: at.own().book },
      isServed: (schoolId) => Promise.resolve(schoolId !== unserved),
      alarmFails: (schoolId) => runner.alarmFails(schoolId),
      onNotFollowed: (why) => void notFollowed.push(why),
      onAlert: () => runner.wake(),
    })
  })
  afterEach(async () => {
    await following.stop()
    await at.close()
  })
  const unserved = '00000000-2222-4333-8444-555555555555'

  /** Another producer publishes; resolves when the station has taken it. */
  const publish = async (...bodies: unknown[]): Promise<void> => {
    for (const body of bodies) await queue.send(body, url)
    await vi.waitFor(async () => expect(await queue.left(url)).toBe(0), { timeout: seconds(10) })
    await at.idle()
  }
  const crisisNow = (changes: Record<string, unknown> = {}) =>
    legacyCrisis({ timestamp: new Date(at.clock.now()).toISOString(), ...changes })
  const states = () => at.rows('SELECT school_id, state FROM alerts')
  const alarms = () => at.sent.filter(({ message }) => message.kind === 'alarm failing').length

  it('run the ladder where a field that is not given is null', async () => {
    await publish(crisisNow({ school_id: null, event_id: null, message_id: null }))
    expect(await states()).toEqual([{ school_id: school, state: 'open' }])
    expect(at.sent.some(({ message }) => message.tier === 'crisis')).toBe(true)
    expect(notFollowed).toEqual([])
  })

  it('are told as old as they are, and that is no failure of the alarm', async () => {
    await publish(crisisNow({ timestamp: new Date(at.clock.now() - minutes(14 * 60)).toISOString() }))
    const texts = at.sent.map(({ message }) => textOf(message))
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(text).toMatch(/^PsyFlo: CRISIS alert \(suicidal intent\)\. 14 hours LATE\. /)
    expect(new Set(at.sent.map(({ message }) => message.late_ms))).toEqual(new Set([minutes(14 * 60)]))
    expect((await at.rungs()).at(-1)).toEqual([0, 2, 'attempted', 'late'])
    await at.pass(minutes(5))
    expect(at.sent.at(-1)?.message.late_ms).toBe(minutes(14 * 60))
    expect(alarms()).toBe(0)
  })

  it('that nobody can read are told to the last rung as an alarm that fails, once in a while, and counted', async () => {
    await publish(crisisNow({ consensus_score: 'very high' }), '{"event_type":"CRISIS_DETECTED","sess')
    expect(await states()).toEqual([])
    const told = alarms()
    expect(told).toBeGreaterThan(0)
    expect(notFollowed).toEqual(['unreadable crisis', 'unreadable crisis'])
    at.clock.advance(minutes(5))
    await publish(crisisNow({ session_id: '' }))
    expect(alarms()).toBe(2 * told)
    expect(at.entries.filter(({ level }) => level === 'error')).toHaveLength(3)
    expect(JSON.stringify(at.entries)).not.toContain('very high')
  })

  it('of a school that is not served here are counted, and nobody is told', async () => {
    await publish(
      ...[crisisNow({ school_id: unserved }), crisisNow({ school_id: unserved, consensus_score: 2 })],
      ...['rubbish', { event_type: 'ALERT_VIEWED' }],
    )
    expect(notFollowed.toSorted()).toEqual(['school not served', 'school not served', 'unreadable'])
    expect([await states(), at.sent]).toEqual([[], []])
    expect(JSON.stringify(at.entries)).not.toContain(unserved)
  })

  it.each([
    ['of the station itself', undefined, school],
    ['that the crisis names', otherSchool, otherSchool],
  ])('rest where what names no school came before them, at the school %s', async (_, named, school_id) => {
    const crisis = crisisNow({ school_id: named })
    const session_id = String(crisis['session_id'])
    const { student_hash, idempotency_key } = crisis
    await at.acknowledge(session_id, { school_id: undefined, student_hash, covers: [idempotency_key] })
    await publish(crisis)
    expect(await states()).toEqual([{ school_id, state: 'acknowledged' }])
    expect([await at.rungs(), at.sent]).toEqual([[], []])
    expect(await at.rows(`SELECT school_id, kind FROM timers`)).toEqual([{ school_id, kind: 'due' }])
    // And whatever else is said of it goes the same way, though it comes after a restart.
    at.forget()
    await at.act(session_id, 'returned', { school_id: undefined, student_hash, covers: [idempotency_key] })
    expect(await states()).toEqual([{ school_id, state: 'open' }])
  })

  it('rest however what names no school and they come together', async () => {
    const crises = Array.from({ length: 12 }, () => crisisNow({ school_id: otherSchool }))
    await Promise.all(
      crises.flatMap((crisis) => {
        const { session_id: id, student_hash, idempotency_key } = crisis
        const session_id = String(id)
        return [
          at.store.asStation((unit) =>
            at.own().book.saidElsewhere(unit, { school_id: otherSchool, session_id }, crisis),
          ),
          at.acknowledge(session_id, { school_id: undefined, student_hash, covers: [idempotency_key] }),
        ]
      }),
    )
    expect(await states()).toEqual(crises.map(() => ({ school_id: otherSchool, state: 'acknowledged' })))
  })
})
