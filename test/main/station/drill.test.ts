import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { giveUpDrills, startDrills, type DrillOptions, type Drills } from '../../../main/station/drill.ts'
import { createAlertBook, setDrillTimer, startRunner, type Runner } from '../../../main/station/escalation/index.ts'
import { createPipeline, type PipelineOptions } from '../../../main/station/sessions/index.ts'
import { createStationClock } from '../../../main/station/station-clock.ts'
import { countSessions, drillsFailingSince, listSessions } from '../../../main/store/station/index.ts'
import type { Policy } from '../../../shared/policy.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { rulesOnly } from '../analysis/rules-only.ts'
import { crisisWords, intakeSchool, otherSchool, school, type IntakeSchool } from '../../support/intake-school.ts'
import { ladderPolicy } from '../../support/ladder.ts'
import { listed } from '../../support/policies.ts'
import { onEachStore } from '../../support/test-stores.ts'

const detectionEngine = rulesOnly()

let at: IntakeSchool
const running: Drills[] = []
const runners: Runner[] = []
const forged = new Set<unknown>()
/** Rounds of drills, and of looks at them. */
const work = { begun: 0, ended: 0 }
/** What people were told of, in order. */
const told: unknown[] = []

const start = (
  changes: Partial<
    DrillOptions &
      Pick<PipelineOptions, 'onDrill'> & { engine: typeof detectionEngine; services: object; served: string[] }
  > = {},
) => {
  const { engine = detectionEngine, services = null, served: _served, onDrill, ...rest } = changes
  const { store, clock, logger, options } = at
  const pipeline = createPipeline({ ...options, engine, services: services && { timer: clock }, onDrill })
  const drills = startDrills({
    ...{
      store,
      clock,
      logger,
      pipeline,
      randomness: systemRandomness,
      stationId: 'station-1',
      onQueued: () => void work.ended++,
    },
    schools: () => ((work.begun += 1), Promise.resolve(changes.served ?? [school])),
    secretsOf: options.secretsOf,
    isForged: async (message) => forged.has(message['console_id']),
    ladder: null,
    alarmFails: async (school_id, why) => void told.push([school_id, why]),
    ...rest,
  })
  running.push(drills)
  return drills
}
const nowhere = { sms: null, voice: null, email: null }
/** A real ladder beside the drills, whose people are told nothing by any way that leads anywhere. */
const ladder = (changes: Partial<Policy> = {}, policyOf = () => Promise.resolve(ladderPolicy(changes))) => {
  const { store, clock, logger } = at
  const sent: unknown[] = []
  const book = createAlertBook({ clock, keyOf: () => Promise.resolve(null), ladder: true })
  const runner = startRunner({
    ...{ store, logger, book, policyOf, link: null, stationId: 'station-1', randomness: systemRandomness },
    clock: createStationClock({ store: { now: () => Promise.resolve(null) }, clock, logger }),
    channels: {
      available: () => ['sms', 'voice'],
      send: (...message) => (sent.push(message), Promise.resolve({ outcome: 'delivered', reference: null })),
    },
    relay: () => Promise.reject(new Error('nothing is relayed')),
    onQueued: () => undefined,
  })
  runners.push(runner)
  const onDrill: PipelineOptions['onDrill'] = (unit, drill) => setDrillTimer(unit, drill, clock.now())
  return { runner, sent, onDrill }
}
/** Waits until so many drills have ended, each of which waits for the ladder. */
const throughLadder = async (count: number) => {
  at.clock.advance(seconds(10))
  await vi.waitFor(
    async () => {
      at.clock.advance(250)
      expect((await rows('drills')).filter(({ outcome }) => outcome !== null)).toHaveLength(count)
    },
    { timeout: 10_000, interval: 5 },
  )
}
const rows = (of: string) => at.rows(`SELECT * FROM ${of} ORDER BY school_id, number`)
/** Waits until so many drills have ended. */
const ended = (count: number) =>
  vi.waitFor(async () => expect((await rows('drills')).filter(({ outcome }) => outcome !== null)).toHaveLength(count))
const events = async () => (await at.events()).filter(({ event_type }) => event_type === 'DRILL')
const errors = () => at.entries.filter(({ level }) => level === 'error').map(({ message }) => message)
const says = (changes: Record<string, unknown> = {}) => ({
  ...{ schema_version: 2, event_type: 'DRILL_SEEN', ack_id: systemRandomness.uuid(), school_id: school },
  ...{ console_id: 'console-1', number: 1, painted_at: null },
  cached_at: new Date(at.clock.now()).toISOString(),
  ...changes,
})
const turn = () => new Promise((resolve) => setImmediate(resolve))
/** So many minutes pass, and what is due in each of them is done before the next. */
const pass = async (count: number) => {
  for (let minute = 0; minute < count; minute++) {
    at.clock.advance(minutes(1))
    for (let same = 0; same < 3; same = work.begun === work.ended ? same + 1 : 0) await turn()
  }
}

onEachStore((kind) => {
  beforeEach(async () => {
    at = await intakeSchool({}, kind)
    forged.clear()
    told.length = 0
  })
  afterEach(async () => {
    for (const drills of running.splice(0)) await drills.stop()
    for (const runner of runners.splice(0)) await runner.stop()
    await at.close()
  })

  it('goes through a timer of the ladder, which says whom it would tell and tells nobody', async () => {
    const { runner, sent, onDrill } = ladder()
    start({ ladder: runner, onDrill })
    await throughLadder(1)
    // Nobody is assigned to the student that there is not: the last rung is the first that tells anybody.
    expect(await rows('drills')).toMatchObject([{ outcome: 'passed', would_tell: 3 }])
    expect(await events()).toEqual([expect.objectContaining({ number: 1, would_tell: 3 })])
    expect((await events())[0]).toMatchObject({ fired_at: (await rows('drills'))[0]?.['fired_at'] })
    at.clock.advance(minutes(2))
    await runner.idle()
    expect(sent).toEqual([])
    for (const table of ['timers', 'tellings', 'deliveries', 'alerts', 'alert_sessions', 'alert_steps', 'sessions'])
      expect(await at.rows(`SELECT * FROM ${table}`), table).toEqual([])
    expect(runner.failingSince(school)).toBeNull()
    expect(errors()).toEqual([])
  })

  it('fails where the ladder would tell nobody, and passes where none runs', async () => {
    const { runner, onDrill } = ladder({ people: [listed('left', { role: 'CLINICIAN', channels: nowhere })] })
    const drills = start({ ladder: runner, onDrill })
    await throughLadder(1)
    expect(await rows('drills')).toMatchObject([{ outcome: 'nobody would be told', would_tell: 0 }])
    await drills.stop()
    start()
    await pass(1)
    await ended(2)
    expect((await rows('drills'))[1]).toMatchObject({ outcome: 'passed', would_tell: null })
  })

  it('fails, and people are told, where the ladder does not fire: it has stopped, or hangs', async () => {
    const stopped = ladder()
    await stopped.runner.stop()
    const first = start({ ladder: stopped.runner, onDrill: stopped.onDrill })
    await throughLadder(1)
    expect(await rows('drills')).toMatchObject([{ outcome: 'the ladder did not fire', would_tell: null }])
    expect([await events(), await at.rows('SELECT * FROM timers')]).toEqual([[], []])
    expect(await at.store.asStation((unit) => drillsFailingSince(unit, school))).not.toBeNull()
    await pass(1)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'drill failed']))
    expect(first.failing()).toEqual(['drill failed'])
    await first.stop()

    const letGo = Promise.withResolvers<Policy>()
    const hung = ladder({}, () => letGo.promise)
    start({ ladder: hung.runner, onDrill: hung.onDrill })
    at.clock.advance(minutes(1))
    await throughLadder(2)
    expect((await rows('drills'))[1]).toMatchObject({ outcome: 'the ladder did not fire' })
    // What fires after all is of a drill that is over: it proves nothing any more.
    letGo.resolve(ladderPolicy())
    await hung.runner.idle()
    expect(await events()).toEqual([])
    expect((await rows('drills'))[1]).toMatchObject({ would_tell: null })
  })

  it('takes the way of a student’s message and leaves nothing behind but an event that names nobody', async () => {
    start()
    const began = at.clock.now() + seconds(10)
    at.clock.advance(seconds(10))
    await ended(1)
    expect(await at.events()).toEqual([
      expect.objectContaining({
        ...{ event_type: 'DRILL', number: 1, school_id: school, station_id: 'station-1' },
        began_at: began,
      }),
    ])
    expect((await at.bodies()).join()).not.toMatch(/student|session|kill|CRISIS/)
    expect(await rows('drills')).toMatchObject([{ number: 1, outcome: 'passed', would_tell: null }])
    for (const table of ['sessions', 'messages', 'markers', 'session_counts'])
      expect(await at.rows(`SELECT * FROM ${table}`), table).toEqual([])
    expect(errors()).toEqual([])
    expect(at.entries.filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('is in no list and no count of sessions while it runs', async () => {
    const seen: unknown[] = []
    const engine = {
      ...detectionEngine,
      assessWith: async (...asked: Parameters<typeof detectionEngine.assessWith>) => {
        const page = { limit: 10, offset: 0 }
        const count = { school_id: school }
        seen.push(
          await at.rows('SELECT drill FROM sessions'),
          await at.store.asSchool(school, (unit) => listSessions(unit, count, page)),
          await at.store.asSchool(school, (unit) => countSessions(unit, count)),
        )
        return detectionEngine.assess(asked[0])
      },
    }
    // Asked of a service it is accepted first, and decided in a second unit of work.
    start({ engine, services: {} })
    at.clock.advance(seconds(10))
    await ended(1)
    expect(seen).toEqual([[{ drill: 1 }], [], 0])
    expect(await events()).toHaveLength(1)
    expect(await at.rows('SELECT * FROM messages')).toEqual([])
  })

  it('that its station did not live to end is removed at the next start, or with the next drill of another', async () => {
    const rest = { student_hash: 'a'.repeat(64), school_id: school, metadata: {} }
    const leave = async (station: string, number: number) => {
      const session = `left-by-${station}`
      await at.run(
        `INSERT INTO drills VALUES ('${school}', ${number}, '${station}', '${session}', 1, NULL, NULL, NULL)`,
      )
      await at.pipeline.start({ ...rest, drill: session })
      await at.pipeline.receive({ school_id: school, session_id: session, role: 'student', content: crisisWords })
    }
    await leave('station-1', 1)
    await leave('station-2', 2)
    const { session_id } = await at.pipeline.start(rest)
    await giveUpDrills({ ...at, stationId: 'station-1' })
    const left = () => at.rows('SELECT session_id FROM sessions ORDER BY drill, session_id')
    expect(await left()).toEqual([{ session_id }, { session_id: 'left-by-station-2' }])
    expect(await at.rows('SELECT session_id FROM messages')).toEqual([{ session_id: 'left-by-station-2' }])
    start()
    at.clock.advance(seconds(10))
    await ended(1)
    expect(await left()).toEqual([{ session_id }])
    expect(await at.rows('SELECT * FROM markers')).toEqual([])
  })

  it('in which no crisis is found fails loudly, and tells the consoles nothing and people of it while it lasts', async () => {
    const engine = {
      ...detectionEngine,
      assess: (input: Parameters<typeof detectionEngine.assess>[0]) =>
        detectionEngine.assess({ ...input, text: 'We have maths after lunch.' }),
    }
    const drills = start({ engine })
    const began = at.clock.now() + seconds(10)
    at.clock.advance(seconds(10))
    await ended(1)
    expect(errors()).toEqual(['a drill failed: a crisis may not be found, or not get through'])
    expect(await at.events()).toEqual([])
    expect(await at.store.asStation((unit) => drillsFailingSince(unit, school))).toBe(began)
    await pass(2)
    await vi.waitFor(() => expect(drills.failing()).toEqual(['drill failed']))
    expect(told).toEqual([[school, 'drill failed']])
    await drills.stop()
    start()
    at.clock.advance(seconds(10) + minutes(1))
    await ended(2)
    expect(await at.store.asStation((unit) => drillsFailingSince(unit, school))).toBeNull()
    await pass(2)
    expect(told).toHaveLength(1)
  })

  it('that the database does not take once is no failure yet, the second time it is', async () => {
    let broken = true
    const { secretsOf } = at.options
    start({ secretsOf: (id) => (broken ? Promise.reject(new Error('away')) : secretsOf(id)) })
    at.clock.advance(seconds(10))
    await ended(1)
    const failing = () => at.store.asStation((unit) => drillsFailingSince(unit, school))
    expect(await failing()).toBeNull()
    at.clock.advance(minutes(5))
    await ended(2)
    expect(await failing()).toBe(at.clock.now() - minutes(5))
    broken = false
    at.clock.advance(minutes(5))
    await ended(3)
    expect(await failing()).toBeNull()
  })

  it('of two stations is one in five minutes, for every school by itself', async () => {
    const served = [school, otherSchool]
    start({ served })
    at.clock.advance(seconds(20))
    await ended(2)
    start({ served, stationId: 'station-2' })
    at.clock.advance(seconds(10))
    for (let drill = 1; drill <= 3; drill++) {
      at.clock.advance(minutes(5))
      await ended(2 * drill + 2)
    }
    const numbers = (await rows('drills')).map(({ school_id, number }) => `${String(school_id)} ${String(number)}`)
    const four = [1, 2, 3, 4]
    expect(numbers).toEqual([school, otherSchool].flatMap((id) => four.map((number) => `${id} ${number}`)))
  })

  it('is kept as seen by whoever says so, signed, of a drill of now', async () => {
    const drills = start()
    at.clock.advance(seconds(10))
    await ended(1)
    expect(await drills.seen(says())).toBe(true)
    const painted_at = new Date(at.clock.now() + 300).toISOString()
    expect(await drills.seen(says({ painted_at, by: 'marlow' }))).toBe(true)
    forged.add('console-2')
    expect(await drills.seen(says({ console_id: 'console-2' }))).toBe(false)
    // Late, or of a drill that never was: believed, and nothing to keep.
    expect(await drills.seen(says({ number: 2 }))).toBe(true)
    expect(await drills.seen(says({ school_id: otherSchool }))).toBe(true)
    expect(await drills.seen(says({ number: 'one' }))).toBe(false)
    expect(await drills.seen(says({ console_id: 'a\0b' }))).toBe(false)
    at.clock.advance(minutes(15))
    expect(await drills.seen(says({ console_id: 'console-3' }))).toBe(true)
    expect(await rows('drills_seen')).toMatchObject([
      { number: 1, console_id: 'console-1', painted_at: Date.parse(painted_at), seen_by: 'marlow' },
    ])
  })

  it('that no console confirms for three intervals is told to people until one does', async () => {
    const first = start()
    start({ stationId: 'station-2' })
    const confirm = async () => {
      const number = (await events()).length
      expect(await first.seen(says({ number }))).toBe(true)
    }
    at.clock.advance(seconds(10))
    await ended(1)
    await confirm()
    await pass(15)
    expect(told).toEqual([])
    await pass(3)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
    await vi.waitFor(() => expect(first.failing()).toEqual(['not confirmed']))
    const before = told.length
    await pass(60)
    // By each of the two after 15 minutes, and after half an hour more: nobody gets a hundred texts of a console that is shut at night.
    await vi.waitFor(() => expect(told.length - before).toBe(4))
    await confirm()
    await pass(1)
    await vi.waitFor(() => expect(first.failing()).toEqual([]))
    told.length = 0
    await pass(13)
    expect(told).toEqual([])
    await pass(3)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
  })

  it('is confirmed by nobody where every console closed in good order, and no text says so', async () => {
    const drills = start()
    at.clock.advance(seconds(10))
    await ended(1)
    const close = (changes: object = {}) =>
      drills.closed({
        ...{ schema_version: 1, event_type: 'CONSOLE_CLOSED', ack_id: systemRandomness.uuid(), school_id: school },
        ...{ console_id: 'console-1', number: 1, at: new Date(at.clock.now()).toISOString(), ...changes },
      })
    for (const console_id of ['console-1', 'console-2']) expect(await drills.seen(says({ console_id }))).toBe(true)
    expect(await close()).toBe(true)
    forged.add('console-2')
    expect(await close({ console_id: 'console-2' })).toBe(false)
    forged.clear()
    expect(await close({ console_id: 'console-2' })).toBe(true)
    await pass(17)
    await vi.waitFor(() => expect(drills.unconfirmed()).toEqual(['no console is open']))
    expect([told, drills.failing()]).toEqual([[], []])
    // One is opened again, and vanishes.
    const number = (await events()).length
    expect(await drills.seen(says({ number }))).toBe(true)
    expect(await close({ number: number - 1 })).toBe(true)
    await pass(1)
    await vi.waitFor(() => expect(drills.unconfirmed()).toEqual([]))
    await pass(17)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
    expect(drills.unconfirmed()).toEqual([])
  })

  it('is confirmed by a console, though an earlier word of it came while the clock ran ahead', async () => {
    let ahead = hours(1)
    const clock = { now: () => at.clock.now() + ahead, after: at.clock.after }
    const drills = start({ clock })
    at.clock.advance(seconds(10))
    await ended(1)
    expect(await drills.seen(says({ cached_at: new Date(clock.now()).toISOString() }))).toBe(true)
    ahead = 0
    for (let quarter = 0; quarter < 3; quarter++) {
      await pass(10)
      expect(await drills.seen(says({ number: (await events()).length }))).toBe(true)
    }
    await pass(2)
    expect([told, drills.failing()]).toEqual([[], []])
    await pass(16)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
  })

  it('is missed where a console vanishes that had closed under a number of an older database', async () => {
    const drills = start()
    at.clock.advance(seconds(10))
    await ended(1)
    const closed = { event_type: 'CONSOLE_CLOSED', console_id: 'console-1', number: 5000 }
    const now = () => new Date(at.clock.now()).toISOString()
    expect(await drills.closed({ schema_version: 1, ack_id: 'a', school_id: school, ...closed, at: now() })).toBe(true)
    await pass(1)
    expect(await drills.seen(says())).toBe(true)
    await pass(17)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
  })

  it('that no console has ever confirmed is told to nobody by text', async () => {
    const drills = start()
    await pass(20)
    await vi.waitFor(() => expect(drills.unconfirmed()).toEqual(['no console has confirmed a drill']))
    expect([told, drills.failing()]).toEqual([[], []])
  })

  it('is not missed where the machine slept, or was set up a moment ago', async () => {
    let slept = 0
    const clock = { now: () => at.clock.now() + slept, after: at.clock.after }
    const drills = start({ clock })
    at.clock.advance(seconds(10))
    await ended(1)
    expect(await drills.seen(says())).toBe(true)
    await pass(14)
    slept = hours(10)
    await pass(14)
    expect(told).toEqual([])
    expect(drills.failing()).toEqual([])
    await pass(3)
    await vi.waitFor(() => expect(told).toContainEqual([school, 'not confirmed']))
  })
})
