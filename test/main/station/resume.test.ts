/** Messages that were accepted and never decided: a station died while a service was asked. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Assessment } from '../../../shared/assessment.ts'
import { giveUpClaims, startResuming } from '../../../main/station/resume.ts'
import { createPipeline } from '../../../main/station/sessions/index.ts'
import { claimUnfinished } from '../../../main/store/station/index.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { crisisWords, intakeSchool, protocolReply, school, type IntakeSchool } from '../../support/intake-school.ts'
import { onEachStore } from '../../support/test-stores.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

onEachStore((kind) => {
  let at: IntakeSchool
  let session_id: string
  /** What the service is asked and has not answered. */
  let answers: (() => void)[]
  const stops: (() => Promise<void>)[] = []
  /** How often a station has looked for what was left, to the end. */
  let looks = 0
  beforeEach(async () => {
    answers = []
    at = await intakeSchool({ services: { timer: virtualClock() } }, kind)
    const { engine } = at
    engine.assessWith = (input) =>
      new Promise<Assessment>((resolve) => answers.push(() => resolve(engine.assess(input))))
    session_id = (await at.intake.startSession({ user_id: 'student-1' })).session_id
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    await at.close()
  })

  const say = (content: string, client_message_id: string) => ({
    ...{ school_id: school, session_id, role: 'student' as const, content, client_message_id },
  })
  /** A station that asks and never hears: its process is gone. */
  const diesWhileAsking = async (content: string, client_message_id = 'm-1') => {
    const asked = answers.length
    void at.pipeline.receive(say(content, client_message_id)).catch(() => undefined)
    await vi.waitFor(() => expect(answers.length).toBe(asked + 1))
    answers.pop()
  }
  /** Another station, whose services answer. */
  const anotherStation = (stationId = 'station-2', { storeContent = true } = {}) => {
    const engine = {
      ...at.engine,
      assessWith: async (input: Parameters<typeof at.engine.assess>[0]) => at.engine.assess(input),
    }
    const pipeline = createPipeline({ ...at.options, engine, stationId, storeContent })
    const { store, logger } = at
    const clock = { ...at.clock, after: (ms: number, work: () => void) => (looks++, at.clock.after(ms, work)) }
    return { pipeline, resume: () => stops.push(startResuming({ store, stationId, pipeline, clock, logger })) }
  }
  const typesOf = async () => (await at.events()).map(({ event_type }) => event_type)
  const whole = ['SESSION_STARTED', 'CRISIS_DETECTED', 'MESSAGE_ANALYZED']

  it('are kept sealed and numbered before the answer is awaited, and shown to nobody as harmless', async () => {
    await diesWhileAsking(crisisWords)
    expect(await at.rows('SELECT state, sequence, claimed_by FROM messages')).toEqual([
      { state: 'accepted', sequence: 1, claimed_by: 'station-1' },
    ])
    expect(JSON.stringify(await at.rows('SELECT * FROM messages'))).not.toContain(crisisWords)
    expect(await typesOf()).toEqual(['SESSION_STARTED'])
    expect(await at.intake.session(session_id)).toMatchObject({ message_count: 0, buffer: [] })
    expect(await at.intake.summary(session_id)).toMatchObject({ message_count: 0 })
  })

  it('are analysed by another station when the claim has run out, and not before', async () => {
    await diesWhileAsking(crisisWords)
    looks = 0
    anotherStation().resume()
    for (let times = 1; times <= 3; times++) {
      await vi.waitFor(() => expect(looks).toBe(times))
      at.clock.advance(seconds(15))
    }
    await vi.waitFor(() => expect(looks).toBe(4))
    expect(await typesOf()).toEqual(['SESSION_STARTED'])
    await vi.waitFor(async () => {
      at.clock.advance(seconds(15))
      expect(await typesOf()).toEqual(whole)
    })
    expect(await at.intake.session(session_id)).toMatchObject({ status: 'escalated', message_count: 1 })
    expect(at.entries.filter(({ message }) => message === 'crisis detected')).toHaveLength(1)
  })

  it('are analysed at once when their own station starts again', async () => {
    await diesWhileAsking(crisisWords)
    await giveUpClaims({ store: at.store, stationId: 'station-1', logger: at.logger })
    anotherStation('station-1').resume()
    await vi.waitFor(async () => expect(await typesOf()).toEqual(whole))
    expect(await at.rows('SELECT state, claimed_by FROM messages')).toEqual([{ state: 'analyzed', claimed_by: null }])
  })

  it('are not left for hours to a station whose clock was wrong', async () => {
    at.clock.advance(hours(5))
    await diesWhileAsking(crisisWords)
    at.clock.set(at.clock.now() - hours(5))
    anotherStation().resume()
    await vi.waitFor(async () => expect(await typesOf()).toEqual(whole))
  })

  it('are answered to whoever sends them again, with the same receipt as ever, and evented once', async () => {
    await diesWhileAsking(crisisWords)
    const { pipeline, resume } = anotherStation()
    const receipt = await pipeline.receive(say(crisisWords, 'm-1'))
    expect(receipt).toMatchObject({ tier: 'crisis', reply: protocolReply, sequence: 1 })
    at.clock.advance(minutes(2))
    resume()
    expect(await pipeline.receive(say(crisisWords, 'm-1'))).toEqual(receipt)
    expect(await typesOf()).toEqual(whole)
  })

  it('are not asked about again where they were decided while they waited their turn', async () => {
    await diesWhileAsking(crisisWords)
    const now = at.clock.now() + minutes(2)
    const claim = { now, limit: 1, by: 'station-2', until: now + minutes(1) }
    const [claimed] = await at.store.asStation((unit) => claimUnfinished(unit, claim))
    const { pipeline } = anotherStation()
    await pipeline.receive(say(crisisWords, 'm-1'))
    const asked = at.engine.asked.length
    await pipeline.resume(claimed!)
    expect(at.engine.asked).toHaveLength(asked)
    expect(await typesOf()).toEqual(whole)
  })

  it('stand once where both stations hear in the end', async () => {
    const first = at.pipeline.receive(say(crisisWords, 'm-1'))
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    const second = await anotherStation().pipeline.receive(say(crisisWords, 'm-1'))
    answers[0]!()
    expect((await first).message_id).toBe(second.message_id)
    expect(await typesOf()).toEqual(whole)
    expect(await at.intake.session(session_id)).toMatchObject({ message_count: 1, student_turns: 1 })
  })

  it('keep their place before what was said later', async () => {
    await diesWhileAsking(crisisWords)
    const { pipeline, resume } = anotherStation()
    expect(await pipeline.receive(say('later', 'm-2'))).toMatchObject({ sequence: 2 })
    at.clock.advance(minutes(2))
    resume()
    await vi.waitFor(async () => expect(await typesOf()).toContain('CRISIS_DETECTED'))
    const { buffer } = await at.intake.session(session_id)
    expect(buffer.map(({ sequence, tier }) => [sequence, tier])).toEqual([[1, 'crisis'], [2, 'ok']]) // prettier-ignore
  })

  it('keep their words until they are analysed, also where the session has ended and no content is kept', async () => {
    await diesWhileAsking(crisisWords)
    const { pipeline, resume } = anotherStation('station-2', { storeContent: false })
    await pipeline.end({ school_id: school, session_id })
    at.clock.advance(minutes(2))
    resume()
    await vi.waitFor(async () => expect(await typesOf()).toContain('CRISIS_DETECTED'))
    expect(await at.intake.session(session_id)).toMatchObject({ status: 'ended', highest_tier: 'crisis' })
    expect(await at.rows('SELECT content FROM messages')).toEqual([{ content: null }])
  })

  it('with local signals alone nothing is ever left so', async () => {
    const { pipeline } = anotherStation()
    const local = createPipeline({ ...at.options, services: null })
    expect(await local.receive(say('hello', 'm-1'))).toMatchObject({ sequence: 1 })
    expect(await at.rows('SELECT state FROM messages')).toEqual([{ state: 'analyzed' }])
    expect(await pipeline.receive(say('hello', 'm-1'))).toMatchObject({ sequence: 1 })
  })
})
