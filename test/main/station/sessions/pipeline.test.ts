import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHmac } from 'node:crypto'
import { schoolIntake } from '../../../../main/station/intake/index.ts'
import { createPipeline, Refusal } from '../../../../main/station/sessions/index.ts'
import type { CrisisDetected, MessageAnalyzed } from '../../../../shared/events.ts'
import { days, minutes, seconds } from '../../../../shared/time.ts'
import {
  brokenWords,
  cautionWords,
  crisisWords,
  intakeSchool,
  protocolReply,
  salt,
  school,
  type IntakeSchool,
} from '../../../support/intake-school.ts'
import { engine as realEngine } from '../../../evaluation/engine.ts'
import { onEachStore } from '../../../support/test-stores.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

onEachStore((kind) => {
  let at: IntakeSchool
  let session_id: string
  beforeEach(async () => {
    at = await intakeSchool({}, kind)
    session_id = (await at.intake.startSession({ user_id: 'student-7', metadata: { channel: 'web' } })).session_id
  })
  afterEach(() => at.close())
  const again = async (options: Parameters<typeof intakeSchool>[0]) => {
    await at.close()
    at = await intakeSchool(options, kind)
    session_id = (await at.intake.startSession({ user_id: 'student-9' })).session_id
  }

  const say = (content: string, more: object = {}) =>
    at.intake.receive({ session_id, sender: 'user', content, ...more })
  const analyzed = async () =>
    (await at.events()).filter((event): event is MessageAnalyzed => event.event_type === 'MESSAGE_ANALYZED')
  const crises = async () =>
    (await at.events()).filter((event): event is CrisisDetected => event.event_type === 'CRISIS_DETECTED')
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (error instanceof Refusal ? error : Promise.reject(error as Error)),
    )

  describe('starting a session', () => {
    it('is told to the console under the student’s hash, never under the id', async () => {
      const [started] = await at.events()
      const student_hash = createHmac('sha256', salt).update('student-7').digest('hex')
      expect(started).toMatchObject({
        event_type: 'SESSION_STARTED',
        session_id,
        student_hash,
        school_id: school,
        metadata: { channel: 'web' },
        occurred_at: at.clock.now(),
        idempotency_key: `${session_id}:SESSION_STARTED`,
      })
      expect(JSON.stringify(await at.rows('SELECT * FROM sessions'))).not.toContain('student-7')
    })

    it.each(['', '   ', '\t\n'])('refuses the empty student id %j, which would be everybody', async (user_id) => {
      await expect(at.intake.startSession({ user_id })).rejects.toThrow(Refusal)
      expect(await at.events()).toHaveLength(1)
    })
  })

  describe('a student message', () => {
    it('becomes one event with decision, offsets and sealed words', async () => {
      const text = `well ${cautionWords} today`
      const answer = await say(text)
      expect(answer).toMatchObject({
        tier: 'caution',
        score: 0.7,
        role: 'student',
        reply: null,
        question: null,
        sequence: 1,
      })
      const [event] = await analyzed()
      expect(event).toMatchObject({
        message_id: answer.message_id,
        sequence: 1,
        role: 'student',
        tier: 'caution',
        matched_patterns: ['hopelessness'],
        flagged: [{ start: 5, end: 17, category: 'hopelessness', meaning: 'affirmed' }],
        markers: [{ marker_type: 'PHQ9_ITEM_9', confidence: 0.9 }],
        signals: { semantic: null },
        degraded: ['semantic'],
      })
      expect(at.key.open(event!.content!)).toBe(text)
      expect(at.key.open(event!.evidence!)).toBe(text)
      expect((await at.bodies()).join()).not.toContain(cautionWords)
    })

    it('without anything flagged carries no evidence', async () => {
      await say('I had a good day today')
      expect((await analyzed())[0]).toMatchObject({ tier: 'ok', score: 0 })
      expect((await analyzed())[0]?.evidence).toBeUndefined()
    })

    it('is counted into the session’s metrics', async () => {
      await say('good')
      await at.intake.receive({ session_id, sender: 'assistant', content: 'Glad to hear it.' })
      await say(cautionWords)
      await say(cautionWords)
      const session = await at.intake.session(session_id)
      expect(session).toMatchObject({
        status: 'active',
        message_count: 4,
        student_turns: 3,
        assistant_turns: 1,
        highest_tier: 'caution',
        notes: ['several negative messages in a row'],
      })
      expect(session.sentiment_average).toBeCloseTo((0.4 - 0.8 - 0.8) / 3)
    })

    it('is read beside the conversation, the window and the student’s markers of 30 days', async () => {
      const now = at.clock.now()
      const old = await at.intake.startSession({ user_id: 'student-7', at: now - days(40) })
      await at.intake.receive({ ...old, sender: 'user', content: cautionWords, at: now - days(40) })
      await at.intake.receive({ ...old, sender: 'user', content: cautionWords, at: now - days(20) })
      await say('one')
      await at.intake.receive({ session_id, sender: 'assistant', content: 'two' })
      await say(`three ${cautionWords}`)
      await at.intake.receive({ session_id, sender: 'system', content: 'unseen' })
      await say('four')
      expect(at.engine).toBe(at.options.engine)
      const asked = (at.options.engine as IntakeSchool['engine']).asked.at(-1)
      expect(asked).toMatchObject({
        text: 'four',
        at: now,
        recent: [
          { role: 'assistant', text: 'two' },
          { role: 'student', text: `three ${cautionWords}` },
        ],
        previous: [
          { tier: 'ok', categories: [] },
          { tier: 'caution', categories: ['hopelessness'] },
        ],
      })
      expect(asked?.history.map((marker) => marker.at)).toEqual([now - days(20), now])
    })
  })

  describe('a crisis', () => {
    it('is answered with the protocol text, escalates the session and goes out before anything else', async () => {
      const answer = await say(`I ${crisisWords}`)
      expect(answer).toMatchObject({ tier: 'crisis', level: 'CRISIS', reply: protocolReply, decided_by: 'floor' })
      expect(await at.intake.session(session_id)).toMatchObject({
        status: 'escalated',
        suggested_resources: [{ label: '988' }],
      })
      expect((await at.events()).map(({ event_type }) => event_type)).toEqual([
        'SESSION_STARTED',
        'CRISIS_DETECTED',
        'MESSAGE_ANALYZED',
      ])
      const [crisis] = await crises()
      expect(crisis).toMatchObject({
        message_id: answer.message_id,
        tier: 'crisis',
        consensus_score: 0.95,
        risk_level: 'CRISIS',
        matched_patterns: ['suicidal_ideation'],
        reasoning: 'Scripted.',
        idempotency_key: `${answer.message_id}:CRISIS_DETECTED`,
      })
      expect(at.key.open(crisis!.evidence!)).toBe(`I ${crisisWords}`)
    })

    it('is answered in the language of the words, in both where they are of both', async () => {
      await again({ engine: realEngine })
      const { protocolReply: english, protocolReplyInSpanish: spanish } = realEngine
      const replyTo = async (content: string, more: object = {}) => (await say(content, more)).reply
      const inSpanish = { client_message_id: 'one' }
      expect(await replyTo('me quiero matar hoy', inSpanish)).toBe(spanish)
      expect(await replyTo('me quiero matar hoy', inSpanish)).toBe(spanish)
      expect(await replyTo('i want to kill myself tonight')).toBe(english)
      expect(await replyTo('honestly bro ya me quiero matar, school and the house, everything')).toBe(
        `${spanish}\n\n${english}`,
      )
      expect(await refusalOf(say('voy a suicidarme', inSpanish))).toMatchObject({ kind: 'reused', reply: spanish })
      await at.intake.endSession({ session_id })
      expect(await refusalOf(say('ya no quiero vivir'))).toMatchObject({ kind: 'ended', reply: spanish })
    })
    it('is logged as a warning with categories and nothing that names anybody', async () => {
      await say(crisisWords)
      expect(at.entries.filter(({ level }) => level === 'warn')).toEqual([
        {
          level: 'warn',
          fields: {
            chat: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
            categories: ['suicidal_ideation'],
            decided_by: 'floor',
          },
          message: 'crisis detected',
        },
      ])
    })

    it('after the end of the session is alerted before the sender is refused', async () => {
      await at.intake.endSession({ session_id })
      const refusal = await refusalOf(say(crisisWords, { client_message_id: 'late' }))
      expect(refusal).toMatchObject({ kind: 'ended', reply: protocolReply })
      expect(await crises()).toHaveLength(1)
      expect(await at.intake.session(session_id)).toMatchObject({ status: 'ended', highest_tier: 'crisis' })

      expect(await refusalOf(say(crisisWords, { client_message_id: 'late' }))).toMatchObject({
        kind: 'ended',
        reply: protocolReply,
      })
      expect(await crises()).toHaveLength(1)
    })

    it('at the end of a text too long to keep is still found', async () => {
      const refusal = await refusalOf(say(`${'la '.repeat(20_000)}${crisisWords}`))
      expect(refusal).toMatchObject({ kind: 'too large', reply: protocolReply })
      const kept = at.key.open((await crises())[0]!.evidence!)
      expect(kept).toContain(crisisWords)
      expect(kept.length).toBeLessThanOrEqual(16_000)
      for (const body of await at.bodies()) expect(Buffer.byteLength(body)).toBeLessThan(256 * 1024)
    })

    it('across the cut between two windows is still found', async () => {
      for (const before of [15_995, 15_500, 31_497])
        expect(await refusalOf(say(`${'x'.repeat(before)}${crisisWords}${'y'.repeat(20_000)}`))).toMatchObject({
          reply: protocolReply,
        })
    })

    it('under a message id used for other words is alerted before the sender is refused', async () => {
      await say('hello', { client_message_id: 'one' })
      expect(await refusalOf(say(crisisWords, { client_message_id: 'one' }))).toMatchObject({
        kind: 'reused',
        reply: protocolReply,
      })
      expect(await crises()).toHaveLength(1)
    })

    it('under such an id is alerted once, however often it is sent, and other words under it once more', async () => {
      await say('hello', { client_message_id: 'one' })
      const others = `again ${crisisWords}`
      for (const words of [crisisWords, others, crisisWords, others]) {
        const refused = { kind: 'reused', reply: protocolReply }
        expect(await refusalOf(say(words, { client_message_id: 'one' }))).toMatchObject(refused)
        const message = { session_id, sender: 'user' as const, content: words, client_message_id: 'one' }
        expect(await at.intake.assessRefused(message, 'too many')).toEqual({ tier: 'crisis', reply: protocolReply })
      }
      expect(await crises()).toHaveLength(2)
      // The same words under another id that is taken are another message.
      await say('hello', { client_message_id: 'two' })
      await refusalOf(say(crisisWords, { client_message_id: 'two' }))
      expect(await crises()).toHaveLength(3)
    })

    it('that cannot be stored still gives the chat the protocol text', async () => {
      await at.run('DROP TABLE outbox')
      expect(await refusalOf(say(crisisWords))).toMatchObject({ kind: 'not stored', reply: protocolReply })
      expect(await at.intake.session(session_id)).toMatchObject({ message_count: 0, status: 'active', buffer: [] })
    })
  })

  describe('refused text without danger', () => {
    it('is kept nowhere', async () => {
      await at.intake.endSession({ session_id })
      const before = (await at.events()).length
      expect(await refusalOf(say('bye'))).toMatchObject({ kind: 'ended', reply: null })
      expect(await refusalOf(say('bye '.repeat(10_000)))).toMatchObject({ kind: 'ended', reply: null })
      expect(await at.events()).toHaveLength(before)
      expect((await at.intake.session(session_id)).buffer).toEqual([])
    })

    it('sent again after “too many” is accepted, and one that was kept meanwhile is not doubled', async () => {
      const calm = { session_id, sender: 'user' as const, content: 'hello', client_message_id: 'calm' }
      const crisis = { session_id, sender: 'user' as const, content: crisisWords, client_message_id: 'crisis' }
      expect(await at.intake.assessRefused(calm, 'too many')).toBeNull()
      expect(await at.intake.assessRefused(crisis, 'too many')).toEqual({ tier: 'crisis', reply: protocolReply })
      expect(await at.intake.assessRefused(crisis, 'too many')).toEqual({ tier: 'crisis', reply: protocolReply })
      expect(await at.intake.receive(crisis)).toMatchObject({ tier: 'crisis', sequence: 1 })
      expect(await at.intake.receive(calm)).toMatchObject({ tier: 'ok', sequence: 2 })
      expect(await crises()).toHaveLength(1)
      expect(await analyzed()).toHaveLength(2)
    })
  })

  describe('an answer for which a crisis would be too much', () => {
    const answerTo = (sequence: number, intake = at.intake) =>
      intake.receive({ session_id, sender: 'assistant', content: 'How nice!', unless_crisis_after: sequence })

    it('is stored after anything else, and refused after a crisis', async () => {
      const first = await say('hello')
      await say(cautionWords)
      expect(await answerTo(first.sequence)).toMatchObject({ role: 'assistant' })
      await say(crisisWords)
      const [before] = [await at.rows('SELECT role FROM messages')]
      await expect(answerTo(first.sequence)).rejects.toMatchObject({ kind: 'overtaken', reply: null })
      expect(await at.rows('SELECT role FROM messages')).toEqual(before)
      const after = await say('still here')
      expect(await answerTo(after.sequence)).toMatchObject({ role: 'assistant' })
    })

    it('is refused, too, while another station has not decided yet', async () => {
      await again({ services: { timer: virtualClock() } })
      const decided = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      at.engine.assessWith = async (input) => {
        asked.resolve()
        await decided.promise
        return at.engine.assess(input)
      }
      const saying = say('hello')
      await asked.promise
      const pipeline = createPipeline({ ...at.options, stationId: 'station-2', services: null })
      const elsewhere = schoolIntake({ ...at.options, pipeline }, school)
      await expect(answerTo(0, elsewhere)).rejects.toMatchObject({ kind: 'overtaken' })
      decided.resolve()
      await saying
      expect(await answerTo(0, elsewhere)).toMatchObject({ role: 'assistant' })
    })
  })

  describe('a refused crisis that is sent to another station, too, while the first still assesses it', () => {
    const crisis = { sender: 'user' as const, content: crisisWords, client_message_id: 'crisis' }
    /** Sends it to a station whose service thinks until it is told to answer. */
    const underWay = async () => {
      await again({ services: { timer: virtualClock() } })
      const asked = Promise.withResolvers<void>()
      const heard = Promise.withResolvers<void>()
      at.engine.assessWith = async (input) => {
        asked.resolve()
        await heard.promise
        return at.engine.assess(input)
      }
      const first = at.intake.assessRefused({ ...crisis, session_id }, 'too many')
      await asked.promise
      return { first, answer: () => heard.resolve() }
    }
    const another = (options: Partial<typeof at.options> = {}) => {
      const pipeline = createPipeline({ ...at.options, stationId: 'station-2', services: null, ...options })
      return schoolIntake({ ...at.options, pipeline }, school)
    }

    it('is stored and alerted once, whether the other one refuses it or takes it', async () => {
      for (const send of [
        () => another().assessRefused({ ...crisis, session_id }, 'too many'),
        () => another().receive({ ...crisis, session_id }),
      ]) {
        const { first, answer } = await underWay()
        expect(await send()).toMatchObject({ tier: 'crisis', reply: protocolReply })
        answer()
        expect(await first).toEqual({ tier: 'crisis', reply: protocolReply })
        expect(await at.rows('SELECT client_message_id FROM messages')).toEqual([{ client_message_id: 'crisis' }])
        expect([(await crises()).length, (await analyzed()).length]).toEqual([1, 1])
      }
    })

    it('is decided by the first where the other one has accepted it and hears nothing', async () => {
      const { first, answer } = await underWay()
      const asked = Promise.withResolvers<void>()
      const heard = Promise.withResolvers<void>()
      const engine: typeof at.engine = {
        ...at.engine,
        assessWith: async (input) => {
          asked.resolve()
          await heard.promise
          return at.engine.assess(input)
        },
      }
      const second = another({ engine, services: { timer: virtualClock() } }).receive({ ...crisis, session_id })
      await asked.promise
      answer()
      expect(await first).toEqual({ tier: 'crisis', reply: protocolReply })
      expect([(await crises()).length, (await analyzed()).length]).toEqual([1, 1])
      heard.resolve()
      expect(await second).toMatchObject({ tier: 'crisis', reply: protocolReply, sequence: 1 })
      expect(await at.rows('SELECT state, refused FROM messages')).toEqual([{ state: 'analyzed', refused: null }])
      expect([(await crises()).length, (await analyzed()).length]).toEqual([1, 1])
    })
  })

  describe('a database that hangs', () => {
    it('keeps nobody from the protocol reply, and takes the message when it comes again', async () => {
      const answers = Promise.withResolvers<void>()
      let hangs = true
      const store: typeof at.store = {
        ...at.store,
        asSchool: async (schoolId, work) => {
          if (hangs) await answers.promise
          return at.store.asSchool(schoolId, work)
        },
      }
      const pipeline = createPipeline({ ...at.options, store })
      const hanging = schoolIntake({ ...at.options, pipeline }, school)
      const message = { session_id, sender: 'user' as const, content: crisisWords, client_message_id: 'crisis' }
      const told = refusalOf(hanging.receive(message))
      const toldOfRefused = refusalOf(hanging.assessRefused({ ...message, client_message_id: 'other' }, 'too many'))
      const harmless = refusalOf(hanging.receive({ ...message, content: 'fine', client_message_id: 'fine' }))
      at.clock.advance(seconds(6))
      expect(await told).toMatchObject({ kind: 'unavailable', reply: protocolReply })
      expect(await toldOfRefused).toMatchObject({ kind: 'unavailable', reply: protocolReply })
      expect(await harmless).toMatchObject({ kind: 'unavailable', reply: null })
      hangs = false
      answers.resolve()
      expect(await hanging.receive(message)).toMatchObject({ tier: 'crisis', reply: protocolReply })
      expect(await crises()).toHaveLength(2)
      expect(JSON.stringify(at.entries)).not.toContain(crisisWords)
    })
  })

  describe('a message sent again', () => {
    it('gets the same answer and no second event', async () => {
      const first = await say(cautionWords, { client_message_id: 'c1' })
      await say('something else')
      const events = (await at.events()).length
      expect(await say(cautionWords, { client_message_id: 'c1' })).toEqual(first)
      expect(await at.events()).toHaveLength(events)
    })

    it('at the same time is one message', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => say(crisisWords, { client_message_id: 'c2' })))
      expect(new Set(answers.map(({ message_id }) => message_id)).size).toBe(1)
      expect(await crises()).toHaveLength(1)
    })

    it('with the same id in another session is another message', async () => {
      const other = await at.intake.startSession({ user_id: 'student-8' })
      await say('hello', { client_message_id: 'c3' })
      await at.intake.receive({ ...other, sender: 'user', content: 'hello', client_message_id: 'c3' })
      expect(await analyzed()).toHaveLength(2)
    })
  })

  describe('an engine that throws', () => {
    it('loses no message: it is CAUTION, visibly degraded, and evented', async () => {
      const answer = await say(brokenWords)
      expect(answer).toMatchObject({
        tier: 'caution',
        level: 'CAUTION',
        degraded: ['regex', 'semantic', 'clinical', 'history'],
      })
      const [event] = await analyzed()
      expect(event).toMatchObject({ level: 'CAUTION', signals: { regex: null } })
      expect(at.key.open(event!.evidence!)).toBe(brokenWords)
      expect(at.entries.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toEqual([
        { error: 'Error' },
      ])
    })

    it('does not stop an assistant’s message either', async () => {
      const answer = await at.intake.receive({ session_id, sender: 'assistant', content: brokenWords })
      expect(answer).toMatchObject({ tier: 'ok', score: 0 })
      expect(await analyzed()).toHaveLength(1)
    })

    it('in the summary of a message loses no message', async () => {
      const { engine } = at
      engine.summarize = () => {
        throw new Error('no')
      }
      expect(await say(crisisWords)).toMatchObject({ tier: 'crisis' })
      expect(await crises()).toHaveLength(1)
    })
  })

  describe('assistant and system messages', () => {
    it('of the assistant are evented with sentiment and without risk, whatever they say', async () => {
      await at.intake.receive({ session_id, sender: 'assistant', content: `Do you ${crisisWords}?` })
      expect(await crises()).toEqual([])
      const [event] = await analyzed()
      expect(event).toMatchObject({
        role: 'assistant',
        score: 0,
        level: 'SAFE',
        tier: 'ok',
        sentiment: -0.8,
        markers: [],
        flagged: [],
      })
      expect(event?.evidence).toBeUndefined()
    })

    it('of the system are kept and not analysed', async () => {
      const events = (await at.events()).length
      await at.intake.receive({ session_id, sender: 'system', content: crisisWords })
      expect(await at.events()).toHaveLength(events)
      expect((await at.intake.session(session_id)).buffer).toMatchObject([
        { role: 'system', content: crisisWords, tier: 'ok' },
      ])
    })
  })

  describe('the rolling buffer', () => {
    it('holds the last 20 messages, oldest first', async () => {
      for (let turn = 1; turn <= 25; turn++) await say(`turn ${turn}`)
      const { buffer } = await say('last')
      expect(buffer.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 7))
      expect(buffer.at(-1)?.content).toBe('last')
    })
  })

  describe('the end of a session', () => {
    it('gives the summary, once, under the student’s hash', async () => {
      await say(crisisWords)
      at.clock.advance(minutes(3))
      const summary = await at.intake.endSession({ session_id })
      expect(summary).toMatchObject({
        session_id,
        duration_seconds: 180,
        message_count: 1,
        risk: { highest_tier: 'crisis' },
      })
      expect(summary.user_id).toMatch(/^[0-9a-f]{64}$/)
      at.clock.advance(minutes(3))
      expect(await at.intake.endSession({ session_id })).toEqual(summary)
      const ended = (await at.events()).filter(({ event_type }) => event_type === 'SESSION_ENDED')
      expect(ended).toMatchObject([{ summary, occurred_at: at.clock.now() - minutes(3) }])
      expect(await at.intake.summary(session_id)).toEqual(summary)
    })

    it('of a running session can be read as it stands, without ending it', async () => {
      await say('hello')
      expect(await at.intake.summary(session_id)).toMatchObject({ message_count: 1 })
      expect((await at.intake.session(session_id)).status).toBe('active')
    })
  })

  describe('a school that keeps no content', () => {
    it('sends no words but the evidence, and forgets them with the buffer and at the end', async () => {
      await again({ storeContent: false, bufferSize: 3 })
      for (const content of ['one', 'two', cautionWords, 'four']) await say(content)
      expect((await analyzed()).map(({ content }) => content)).toEqual([undefined, undefined, undefined, undefined])
      expect(at.key.open((await analyzed())[2]!.evidence!)).toBe(cautionWords)
      const kept = async () =>
        (await at.rows('SELECT content FROM messages ORDER BY sequence')).map(({ content }) => Number(content !== null))
      expect(await kept()).toEqual([0, 1, 1, 1])
      await at.intake.endSession({ session_id })
      expect(await kept()).toEqual([0, 0, 0, 0])
    })
  })

  describe('replayed history', () => {
    it('stands at the time it names', async () => {
      const past = Date.UTC(2026, 0, 2, 9)
      const old = await at.intake.startSession({ user_id: 'student-7', at: past })
      await at.intake.receive({ ...old, sender: 'user', content: crisisWords, at: past + minutes(1) })
      await at.intake.endSession({ ...old, at: past + minutes(2) })
      const own = (await at.events()).filter((event) => 'session_id' in event && event.session_id === old.session_id)
      expect(own.map(({ timestamp }) => timestamp - past)).toEqual([0, minutes(1), minutes(1), minutes(2)])
    })
  })

  describe('a clinical service', () => {
    it('is asked through assessWith when one is configured, and messages keep their order', async () => {
      await again({ services: { timer: virtualClock() } })
      const release: (() => void)[] = []
      const { engine } = at
      engine.assessWith = async (input) => {
        await new Promise<void>((resolve) => release.push(resolve))
        return engine.assess(input)
      }
      const first = say('first')
      const second = say(crisisWords)
      await expect.poll(() => release.length).toBe(1)
      release[0]!()
      await first
      await expect.poll(() => release.length).toBe(2)
      release[1]!()
      expect(await second).toMatchObject({ sequence: 2, tier: 'crisis' })
      expect(engine.asked.map(({ recent }) => recent.length)).toEqual([0, 1])
    })
  })

  it('a model’s reasoning, which may quote the student, does not travel with the crisis', async () => {
    const reasons = [
      { signal: 'clinical' as const, text: 'They said xx-quoted-xx.' },
      { signal: 'decision' as const, text: 'Decided by the floor.' },
    ]
    for (const clinical of [undefined, { ask: async () => null }]) {
      await again({ services: { timer: virtualClock(), clinical } })
      const { engine } = at
      engine.assessWith = async (input) => ({ ...engine.assess(input), reasons })
      await say(crisisWords)
      expect((await crises())[0]?.reasoning).toBe(
        clinical ? 'Decided by the floor.' : 'They said xx-quoted-xx. Decided by the floor.',
      )
    }
  })

  it('what a risk adapter flagged travels with the message, and with the words it points at', async () => {
    const flagging = { name: 'added', assess: () => ({ tier: 'ok' as const, flagged: [{ start: 4, end: 400 }] }) }
    await again({ engine: realEngine, services: { timer: virtualClock(), adapters: [flagging] } })
    await say('the sparrows again')
    const [event] = await analyzed()
    expect(event?.flagged).toEqual([{ start: 4, end: 18, category: 'other', meaning: 'affirmed' }])
    expect(event?.evidence).toBeDefined()
  })

  it('names an unknown session as such', async () => {
    expect(await refusalOf(at.intake.receive({ session_id: 'none', sender: 'user', content: 'hi' }))).toMatchObject({
      kind: 'unknown session',
    })
    await expect(at.intake.endSession({ session_id: 'none' })).rejects.toThrow(Refusal)
  })
})
