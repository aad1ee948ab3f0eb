/** Answers for students, asked of a real service on loopback while the message goes its way through a whole station. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../../../main/platform/logger.ts'
import { replyService } from '../../../../main/platform/reply/index.ts'
import { createReplies } from '../../../../main/station/replies/index.ts'
import { readReplyWords, type Station } from '../../../../main/station/index.ts'
import { seconds } from '../../../../shared/time.ts'
import {
  completion,
  flood,
  httpServer,
  json,
  silence,
  type Answering,
  type HttpServer,
} from '../../../support/http-server.ts'
import { crisisWords, intakeSchool, protocolReply, scriptedEngine } from '../../../support/intake-school.ts'
import { engine as realEngine } from '../../../evaluation/engine.ts'
import { stationHouse, type StationHouse } from '../../../support/station.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const { late, lateInSpanish, prompt } = readReplyWords()
const secret = 'sk-not-to-be-told'

let house: StationHouse
let service: HttpServer
let station: Station
let lines: string[]
let session: string
beforeEach(async () => {
  house = await stationHouse()
  service = await httpServer(completion('I am here.'))
  lines = []
  await open()
})
afterEach(async () => {
  await house.close()
  await service.stop()
})

async function open(): Promise<void> {
  const ask = replyService({ url: `${service.url}/v1`, model: 'small', key: secret }, prompt)
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) })
  const ports = { ...house.ports, logger }
  station = await house.start({ replies: { ask, late }, ports })
  session = String((await call('POST', '/sessions', { user_id: 'student-1' })).session_id)
}
async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(path, station.url), {
    method,
    headers: { 'x-api-key': station.apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Record<string, unknown>
}
const say = (content: string, more: object = {}) =>
  call('POST', `/sessions/${session}/messages`, { sender: 'user', content, ...more })
const transcript = async () => {
  const { buffer } = (await call('GET', `/sessions/${session}`)) as { buffer: { role: string; content: string }[] }
  return buffer.map(({ role, content }) => `${role}: ${content}`)
}
/** Waits until the service was asked this often, then lets the deadline pass. */
async function passDeadline(asked: number): Promise<void> {
  await vi.waitFor(() => expect(service.asked).toHaveLength(asked))
  house.clock.advance(seconds(2))
}
/** A service whose answers are given by hand. */
function byHand(): { answer: Answering; give(words: string): void } {
  const waiting: Parameters<Answering>[] = []
  return {
    answer: (...asked) => void waiting.push(asked),
    give: (words) => completion(words)(...waiting.shift()!),
  }
}

describe('an answer in time', () => {
  it('is what the chat shows, and stands in the session as the assistant’s message', async () => {
    expect(await say('hello')).toMatchObject({ reply: null, assistant: { text: 'I am here.', late: false } })
    expect(await transcript()).toEqual(['student: hello', 'assistant: I am here.'])
    service.answers(completion('  Tell me more.\n'))
    expect(await say('again')).toMatchObject({ assistant: { text: 'Tell me more.' } })
  })

  it('is asked for with the conversation so far, its key, and the prompt in force', async () => {
    await call('POST', `/sessions/${session}/messages`, { sender: 'system', content: 'It is Monday.' })
    await say('hello')
    await say('again')
    const { headers, path, body } = service.asked[1]!
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', `Bearer ${secret}`])
    const { messages, ...rest } = JSON.parse(body) as { messages: unknown[] }
    expect(rest).toEqual({
      model: 'small',
      temperature: prompt.temperature,
      max_tokens: prompt.max_tokens,
      stream: false,
    })
    expect(messages).toEqual([
      { role: 'system', content: prompt.system },
      { role: 'system', content: 'It is Monday.' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'I am here.' },
      { role: 'user', content: 'again' },
    ])
  })

  it('is given again, and not asked for again, where a message is sent again', async () => {
    const first = await say('hello', { client_message_id: 'one' })
    service.answers(completion('Something else.'))
    const again = await say('hello', { client_message_id: 'one' })
    expect(again.assistant).toEqual(first.assistant)
    expect(await transcript()).toHaveLength(2)
  })

  it('is the one that stands, also after a restart', async () => {
    await say('hello', { client_message_id: 'one' })
    const id = session
    await station.stop()
    service.answers(completion('Something else.'))
    await open()
    session = id
    expect(await say('hello', { client_message_id: 'one' })).toMatchObject({
      assistant: { text: 'I am here.', late: false },
    })
    expect(await transcript()).toHaveLength(2)
  })

  it('is for students: nobody answers the assistant or the system', async () => {
    for (const sender of ['assistant', 'system'])
      expect(await say('hello', { sender })).toMatchObject({ assistant: null })
    expect(service.asked).toEqual([])
  })
})

describe('a crisis', () => {
  it('is answered with the protocol alone, whatever the model said and however fast', async () => {
    service.answers(completion('Do it.'))
    expect(await say(crisisWords)).toMatchObject({ tier: 'crisis', reply: protocolReply, assistant: null })
    expect(await transcript()).toEqual([`student: ${crisisWords}`])
  })

  it('does not wait for a model', async () => {
    service.answers(silence)
    expect(await say(crisisWords)).toMatchObject({ reply: protocolReply, assistant: null })
  })

  it('does not make a service look broken whose answer nobody needed', async () => {
    const hand = byHand()
    service.answers(hand.answer)
    for (let times = 1; times <= 4; times++) {
      await say(crisisWords)
      await vi.waitFor(() => expect(service.asked).toHaveLength(times))
      hand.give('I am here.')
    }
    service.answers(completion('I am here.'))
    expect(await say('hello')).toMatchObject({ assistant: { text: 'I am here.', late: false } })
  })

  it('lets no late answer to an earlier message stand after it', async () => {
    const hand = byHand()
    service.answers(hand.answer)
    const first = say('hello')
    await passDeadline(1)
    expect(await first).toMatchObject({ assistant: { text: late, late: true } })
    await say(crisisWords)
    hand.give('How nice!')
    await say('still here', { sender: 'system' })
    await vi.waitFor(async () => expect(await transcript()).toHaveLength(3))
    await station.stop()
    expect((await house.rows('SELECT role FROM messages')).map(({ role }) => role)).toEqual([
      'student',
      'student',
      'system',
    ])
  })

  it('that is still being assessed lets no late answer stand after it either', async () => {
    const at = await intakeSchool({ services: { timer: virtualClock() } })
    const decided = Promise.withResolvers<void>()
    at.engine.assessWith = async (input) => {
      if (input.text === crisisWords) await decided.promise
      return at.engine.assess(input)
    }
    const answered = vi.fn()
    const intake: typeof at.intake = {
      ...at.intake,
      receive: (message) =>
        at.intake.receive(message).finally(() => message.sender === 'assistant' && answered(message)),
    }
    const { promise: answer, resolve: give } = Promise.withResolvers<string>()
    const ask = vi.fn(() => answer)
    const replies = createReplies({ ask, late, clock: at.clock, logger: at.logger })
    const { session_id } = await intake.startSession({ user_id: 'student-1' })
    const first = replies.receive(intake, { session_id, sender: 'user', content: 'hello' })
    await vi.waitFor(() => expect(ask).toHaveBeenCalled())
    at.clock.advance(seconds(2))
    expect(await first).toMatchObject({ assistant: { text: late, late: true } })

    const second = replies.receive(intake, { session_id, sender: 'user', content: crisisWords })
    await vi.waitFor(async () => expect(await at.rows('SELECT state FROM messages')).toHaveLength(2))
    give('How nice!')
    decided.resolve()
    expect(await second).toMatchObject({ receipt: { reply: protocolReply }, assistant: null })
    await vi.waitFor(() => expect(answered).toHaveBeenCalled())
    await replies.stop()
    expect((await at.rows('SELECT role FROM messages')).map(({ role }) => role)).toEqual(['student', 'student'])
    await at.close()
  })
})

it('says in the language of the message that the answer is late', async () => {
  const at = await intakeSchool()
  const ask = (_: unknown, signal: AbortSignal) =>
    new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')))
    })
  const { answerLanguage } = realEngine
  const replies = createReplies({ ask, late, lateInSpanish, answerLanguage, clock: at.clock, logger: at.logger })
  const { session_id } = await at.intake.startSession({ user_id: 'student-1' })
  const answerTo = async (content: string) => {
    const answer = replies.receive(at.intake, { session_id, sender: 'user', content })
    await vi.waitFor(async () =>
      expect(JSON.stringify(await at.rows('SELECT state FROM messages'))).toContain('analyzed'),
    )
    const advancing = vi.waitFor(async () => {
      at.clock.advance(seconds(2))
      return await Promise.race([answer, Promise.reject(new Error('not yet'))])
    })
    return (await advancing).assistant?.text
  }
  expect(await answerTo('hoy estoy cansada')).toBe(lateInSpanish)
  expect(await answerTo('hello there')).toBe(late)
  expect(await answerTo('i am so cansada of the whole escuela')).toBe(`${lateInSpanish}\n${late}`)
  await replies.stop()
  await at.close()
})

describe('an answer that comes late', () => {
  it('leaves the fixed sentence, and is found with the session once it is there', async () => {
    const hand = byHand()
    service.answers(hand.answer)
    const first = say('hello')
    await passDeadline(1)
    expect(await first).toMatchObject({ assistant: { text: late, late: true } })
    expect(await transcript()).toEqual(['student: hello'])
    hand.give('I had to think.')
    await vi.waitFor(async () => expect(await transcript()).toEqual(['student: hello', 'assistant: I had to think.']))
  })

  it('is waited for half a minute, and not longer', async () => {
    service.answers(silence)
    const first = say('hello')
    await passDeadline(1)
    await first
    const hungUp = vi.fn()
    service.answers((response) => void response.on('close', hungUp))
    const second = say('again')
    await passDeadline(2)
    await second
    house.clock.advance(seconds(30))
    await vi.waitFor(() => expect(hungUp).toHaveBeenCalled())
    expect(await transcript()).toEqual(['student: hello', 'student: again'])
  })

  it('does not hold a stop', async () => {
    service.answers(silence)
    const first = say('hello')
    await passDeadline(1)
    await first
    await station.stop()
  })
})

describe('no answer', () => {
  it.each<[string, () => Answering]>([
    ['a refusal', () => json({ error: secret }, 500)],
    ['a redirect', () => (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9' }).end()],
    ['no completion', () => json({ text: 'pasta' })],
    ['two choices', () => json({ choices: [1, 2].map(() => ({ message: { content: 'pasta' } })) })],
    ['no words', () => completion('  \n')],
    ['more than a student would read', () => completion('pasta '.repeat(2000))],
    ['no end', () => flood().answer],
  ])('leaves the fixed sentence: %s', async (_, answer) => {
    service.answers(answer())
    expect(await say('hello')).toMatchObject({ tier: 'ok', assistant: { text: late, late: true } })
    expect(await transcript()).toEqual(['student: hello'])
    expect(lines.join()).not.toMatch(/pasta|sk-not|hello/)
    expect(lines.some((line) => line.includes('the reply service failed'))).toBe(true)
  })

  it('three times in a row: nobody is asked for half a minute, and /ready says so', async () => {
    service.answers(json({}, 503))
    for (let times = 0; times < 5; times++)
      expect(await say('hello')).toMatchObject({ assistant: { text: late, late: true } })
    expect(service.asked).toHaveLength(3)
    expect(await call('GET', '/ready')).toEqual({ status: 'ready', degraded: ['reply service'] })
    service.answers(completion('I am back.'))
    house.clock.advance(seconds(30))
    expect(await say('hello')).toMatchObject({ assistant: { text: 'I am back.', late: false } })
    expect(await call('GET', '/ready')).toEqual({ status: 'ready', degraded: [] })
  })
})

it('the decision does not wait for the answer, nor the answer for the decision', async () => {
  await station.stop()
  const order: string[] = []
  const engine = scriptedEngine()
  const decided = Promise.withResolvers<void>()
  engine.assessWith = async (input) => {
    await decided.promise
    order.push('decided')
    return engine.assess(input)
  }
  service.answers((...asked) => {
    order.push('asked')
    completion('I am here.')(...asked)
  })
  const ask = replyService({ url: service.url, model: 'small', key: null }, prompt)
  station = await house.start({ replies: { ask, late }, assessment: { engine, services: { timer: house.clock } } })
  session = String((await call('POST', '/sessions', { user_id: 'student-1' })).session_id)
  const answer = say('hello')
  await vi.waitFor(() => expect(order).toEqual(['asked']))
  decided.resolve()
  expect(await answer).toMatchObject({ assistant: { text: 'I am here.', late: false } })
  expect(order).toEqual(['asked', 'decided'])
})

it('a station that asks nobody answers null', async () => {
  await station.stop()
  station = await house.start()
  session = String((await call('POST', '/sessions', { user_id: 'student-1' })).session_id)
  expect(await say('hello')).toMatchObject({ assistant: null })
  expect(service.asked).toEqual([])
})
