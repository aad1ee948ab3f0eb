import { afterEach, beforeEach, expect, it } from 'vitest'
import { converse, intakeClient, jsonScreen, terminalScreen, type Said } from '../../../main/chat/index.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { serveIntake } from '../../../main/station/intake/index.ts'
import { httpServer, json, silence } from '../../support/http-server.ts'
import { crisisWords, intakeSchool, protocolReply, type IntakeSchool } from '../../support/intake-school.ts'

const key = 'key-of-the-chat-0001'
let at: IntakeSchool
let served: { url: string; close: () => Promise<void> }
let shown: string[]
let stop: AbortController
beforeEach(async () => {
  at = await intakeSchool()
  served = await serveIntake(at.serverOptions(key), { host: '127.0.0.1', port: 0 })
  shown = []
  stop = new AbortController()
})
afterEach(async () => {
  await served.close()
  await at.close()
})

const write = (text: string) => void shown.push(...text.split('\n'))
const terminal = (more: { plain?: boolean; colors?: boolean; width?: number } = {}) =>
  terminalScreen({ write, colors: false, plain: false, width: 80, ...more })
const script = jsonScreen(write)
const lines = () => shown.map((line) => JSON.parse(line) as Record<string, unknown>)

async function* saying(...said: (Said | string | (() => unknown))[]): AsyncGenerator<Said> {
  for (const each of said)
    if (typeof each === 'function') await each()
    else yield typeof each === 'string' ? { content: each } : each
}
function chat(said: AsyncIterable<Said>, screen = terminal(), url = served.url) {
  const client = intakeClient({ target: () => ({ url, key }), clock: at.clock, signal: stop.signal, tries: 1 })
  const { clock } = at
  return converse(said, {
    client,
    user_id: 'student-1',
    screen,
    clock,
    randomness: systemRandomness,
    signal: stop.signal,
  })
}
const analyzed = async () =>
  (await at.events()).flatMap((event) => (event.event_type === 'MESSAGE_ANALYZED' ? [event] : []))

it('shows under each message what was made of it, on a crisis the protocol reply, and the summary at the end', async () => {
  expect(await chat(saying('hello', crisisWords))).toBe(true)
  expect(shown).toEqual([
    '  none seen · 0.00 · decided by all signals together',
    'No assistant is set up here, so no one answers; every message is still checked for danger.',
    '  crisis · 0.95 · decided by this message alone',
    '',
    '┃ A crisis was detected. The chat shows this instead of an answer:',
    '┃',
    `┃ ${protocolReply}`,
    '',
    'The session has ended: 3 messages in 0 seconds.',
    'Highest tier: crisis (1 none seen, 1 crisis).',
    'Suggested:',
    '  988',
  ])
  expect((await at.intake.sessions({ limit: 9, offset: 0 })).sessions).toMatchObject([
    { status: 'ended', metadata: { channel: 'terminal' } },
  ])
})

it('sets the protocol reply apart on every line of a narrow terminal', async () => {
  await chat(saying(crisisWords), terminal({ width: 26 }))
  expect(shown.slice(-9, -4)).toEqual(['┃', '┃ Call or text 988. Your', '┃ school is being alerted', '┃ now.', ''])
})

it('plain, shows neither tier nor score', async () => {
  await chat(saying('hello', crisisWords), terminal({ plain: true }))
  expect(shown.join('\n')).not.toMatch(/0\.95|none seen ·/)
  expect(shown).toContain(`┃ ${protocolReply}`)
})

it('keeps the protocol reply it has shown in the session, as the assistant’s words', async () => {
  await chat(saying(crisisWords))
  expect((await analyzed()).map(({ role }) => role)).toEqual(['student', 'assistant'])
})

it('tells a script the same, one object a line, and goes on after a line that is none', async () => {
  expect(await chat(saying(crisisWords, { problem: 'Line 2 is no message.' }, 'hello'), script)).toBe(false)
  expect(lines()).toMatchObject([
    { type: 'session_started', session_id: expect.any(String) as string },
    { type: 'answer', tier: 'crisis', score: 0.95, decided_by: 'floor', reply: protocolReply, assistant: null },
    { type: 'misread', problem: 'Line 2 is no message.' },
    { type: 'answer', tier: 'ok', reply: null },
    { type: 'session_ended', summary: { message_count: 3, risk: { highest_tier: 'crisis' } } },
  ])
})

it('says of a message that was refused what happened and what to do, shows the protocol reply, and goes on', async () => {
  expect(await chat(saying(`${crisisWords} ${'long '.repeat(10_000)}`, 'hello'))).toBe(false)
  expect(shown.slice(0, 6)).toEqual([
    '',
    '┃ A crisis was detected. The chat shows this instead of an answer:',
    '┃',
    `┃ ${protocolReply}`,
    '',
    'Your message was not delivered. The message is too long. Your words were still checked: danger in them raises an alert.',
  ])
  expect(shown[6]).toBe('Send it in parts.')
  expect(shown[7]).toContain('none seen')
})

it('says so when nothing answers any more: for the message and for the end', async () => {
  expect(await chat(saying('hello', () => served.close(), 'still there?'))).toBe(false)
  expect(shown.join('\n')).toContain('Your message was not delivered. The station does not answer.')
  expect(shown.join('\n')).toContain('The session could not be ended. The station does not answer.')
})

it('given up while an answer is outstanding, says that the message was not delivered and ends the session', async () => {
  const slow = await httpServer(json({ session_id: 's1' }))
  try {
    const done = chat(
      saying(() => slow.answers(silence), 'hello'),
      terminal(),
      slow.url,
    )
    await expect.poll(() => slow.asked.length).toBe(2)
    slow.answers(json({}, 404))
    stop.abort()
    expect(await done).toBe(false)
    expect(shown.join('\n')).toContain('Your message was not delivered. The station does not answer.')
    expect(slow.asked.map(({ path }) => path)).toEqual(['/sessions', '/sessions/s1/messages', '/sessions/s1/end'])
  } finally {
    await slow.stop()
  }
})

it('shows nothing that steers the terminal, whatever a station answers', async () => {
  const text = 'one\u001b[2Jtwo\u009b31m\u202ethree\rfour'
  const hostile = await httpServer(
    json({ session_id: text, sequence: 1, tier: 'crisis', score: 1, reply: text, assistant: { text } }),
  )
  try {
    for (const screen of [terminal({ colors: true }), terminal(), script]) {
      shown = []
      await chat(saying('hello'), screen, hostile.url)
      // Our own colors, and nothing else that begins with an escape.
      // eslint-disable-next-line no-control-regex -- Those are what is looked for.
      const foreign = shown.join('\n').replaceAll(/\u001b\[(1|2|22|31|33|39)m/g, '')
      expect(foreign).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u)
      expect(foreign).toContain('two')
    }
    shown = []
    await chat(saying('hello'), terminal(), hostile.url)
    // eslint-disable-next-line no-control-regex
    expect(shown.join('\n')).not.toMatch(/\u001b/)
  } finally {
    await hostile.stop()
  }
})

it('shows the assistant’s answer, where the station has one', async () => {
  const answering = await httpServer(
    json({ session_id: 's1', sequence: 1, tier: 'ok', score: 0, assistant: { text: 'Tell me more.' } }),
  )
  try {
    await chat(saying('hello'), terminal({ plain: true }), answering.url)
    expect(shown[0]).toBe('Assistant: Tell me more.')
  } finally {
    await answering.stop()
  }
})

it('shows an answer that came too late for its message when it comes, once, and nothing else that was shown', async () => {
  const { sender, clock } = { sender: 'assistant', clock: at.clock } as const
  // The intake itself; what stands in its place answers late to the first message, in time to the second.
  const assistants = [
    { text: 'One moment.', late: true },
    { text: 'In time.', late: false },
  ]
  const network = await httpServer((response, request) => {
    const { path, body } = network.asked.at(-1)!
    const { authorization = '' } = request.headers
    const headers = { authorization, 'content-type': 'application/json' }
    void fetch(new URL(path, served.url), { method: request.method ?? '', headers, ...(body && { body }) })
      .then((answer) => answer.json() as Promise<object>)
      .then((answer) => {
        const assistant = path.endsWith('/messages') ? (assistants.shift() ?? null) : null
        json({ ...answer, assistant })(response, request)
      })
  })
  const keep = async (content: string) => {
    const [session] = (await at.intake.sessions({ limit: 1, offset: 0 })).sessions
    await at.intake.receive({ session_id: session?.session_id ?? '', sender, content })
  }
  const heard = () => expect.poll(() => (clock.advance(1000), shown.join('\n')))
  try {
    const said = saying(
      'one',
      'two',
      () => keep('In time.'),
      () => keep('It took me a while.'),
      () => heard().toContain('Assistant: It took me a while.'),
    )
    expect(await chat(said, terminal({ plain: true }), network.url)).toBe(true)
    expect(shown.filter((line) => line.startsWith('Assistant'))).toEqual([
      'Assistant: One moment.',
      'Assistant: In time.',
      'Assistant: It took me a while.',
    ])
  } finally {
    await network.stop()
  }
})
