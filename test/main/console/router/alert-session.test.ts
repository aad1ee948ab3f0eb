import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AlertSession, SaidAround } from '../../../../shared/views.ts'
import { openConsole, refusalOf, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { analyzed, crisis, hashOf } from '../../../support/wire.ts'

let at: OpenConsole
const now = Date.now()
beforeAll(async () => void (at = await openConsole()), 30_000)
afterAll(() => at.stop())

interface Said {
  sequence: number
  text?: string | null
  role?: 'student' | 'assistant'
  changes?: Record<string, unknown>
}

/** A message of a session: its text sealed, or (null) left with the chat. */
const message = (session_id: string, { sequence, text = null, role = 'student', changes }: Said) =>
  analyzed({
    ...{ session_id, student_hash: hashOf(session_id), school_id: testSchool, sequence, role },
    ...{ at: now - 60_000 + sequence * 1000, message_id: `${session_id}-${sequence}` },
    ...(text === null ? {} : { content: at.parts.evidenceKey.seal(text) }),
    ...changes,
  })
const raised = (session_id: string, sequence: number) =>
  crisis({
    ...{ session_id, student_hash: hashOf(session_id), school_id: testSchool },
    ...{ at: now - 60_000 + sequence * 1000, message_id: `${session_id}-${sequence}` },
  })
const keyOf = (session_id: string) =>
  String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(session_id))
const clinician = () => at.as('CLINICIAN')
const reveal = (key: string) => clinician().alerts.reveal({ key, reason: 'To help.' })

/** What a subscription pushes, until `done`. */
async function pushes<T>(started: Promise<AsyncIterable<T>>) {
  const iterator = (await started)[Symbol.asyncIterator]()
  return {
    next: async (): Promise<T> => (await iterator.next()).value as T,
    stop: () => void iterator.return?.(),
  }
}
const saidOnce = async (key: string): Promise<SaidAround> => {
  const heard = await pushes<SaidAround>(clinician().alertSession.said({ key }))
  const first = await heard.next()
  heard.stop()
  return first
}

describe('what a student writes around an alert', () => {
  it('is pushed as it comes, the message before it first, the assistant’s left out', async () => {
    at.keep(
      message('live', { sequence: 1, text: 'hello' }),
      message('live', { sequence: 2, text: 'i cant' }),
      message('live', { sequence: 3, text: 'tell me more', role: 'assistant' }),
      message('live', { sequence: 4, text: 'i want to die' }),
      raised('live', 4),
      message('live', { sequence: 5, text: 'help is near', role: 'assistant' }),
      message('live', { sequence: 6, text: 'im at home, my mum is out' }),
    )
    const key = keyOf('live')
    await reveal(key)
    const heard = await pushes<SaidAround>(clinician().alertSession.said({ key }))
    const first = await heard.next()
    expect(first).toMatchObject({
      before: { text: 'i cant', raised: false },
      since: [
        { text: 'i want to die', raised: true, whereabouts: [] },
        { text: 'im at home, my mum is out', raised: false, whereabouts: [{ kind: 'place' }, { kind: 'company' }] },
      ],
      more: false,
    })
    const later = message('live', { sequence: 7, text: 'ok' })
    const next = heard.next()
    await at.receive(later)
    expect((await next).since.map(({ text }) => text)).toEqual(['i want to die', 'im at home, my mum is out', 'ok'])
    heard.stop()
  })

  it('is told to nobody who has not just revealed the evidence of this very alert', async () => {
    at.keep(message('closed', { sequence: 1, text: 'MARKED' }), raised('closed', 1))
    const asked = (role: 'CLINICIAN' | 'COUNSELOR') =>
      refusalOf(at, async () => (await pushes(at.as(role).alertSession.said({ key: keyOf('closed') }))).next())
    expect(await asked('CLINICIAN')).toMatchObject({ code: 'FORBIDDEN', personal: { code: 'not_revealed' } })
    await reveal(keyOf('closed'))
    expect(await asked('COUNSELOR')).toMatchObject({ code: 'FORBIDDEN', personal: { code: 'not_revealed' } })
    expect(await asked('CLINICIAN')).toBeNull()
  })

  it('ends for a counselor whose right to it ends', async () => {
    at.keep(message('ends', { sequence: 1, text: 'i want to die' }), raised('ends', 1))
    const [key, counselor] = [keyOf('ends'), at.as('COUNSELOR')]
    await counselor.alerts.reveal({ key, reason: 'To help.' })
    const heard = await pushes(counselor.alertSession.said({ key }))
    await heard.next()
    const next = heard.next()
    await clinician().alerts.resolve({ key, disposition: 'referred', note: 'Referred.', reason: 'The clinic goes on.' })
    await expect(next).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('goes on for 20 messages, and says where there are more', async () => {
    const later = Array.from({ length: 22 }, (_, index) =>
      message('long', { sequence: index + 2, text: `said ${index}` }),
    )
    at.keep(message('long', { sequence: 1, text: 'i want to die' }), raised('long', 1), ...later)
    await reveal(keyOf('long'))
    const { before, since, more } = await saidOnce(keyOf('long'))
    expect([before, since.length, since.at(-1)?.text, more]).toEqual([null, 21, 'said 19', true])
  })

  it('is told without its words where transcripts do not travel', async () => {
    at.keep(message('silent', { sequence: 1 }), raised('silent', 1), message('silent', { sequence: 2 }))
    await reveal(keyOf('silent'))
    expect((await saidOnce(keyOf('silent'))).since).toMatchObject([
      { text: null, unopened: null },
      { text: null, unopened: null },
    ])
  })

  it('begins by its time where the crisis names no message', async () => {
    const unnamed = crisis({
      ...{ session_id: 'unnamed', student_hash: hashOf('unnamed'), school_id: testSchool, at: now - 57_500 },
    })
    at.keep(...[1, 2, 3].map((sequence) => message('unnamed', { sequence, text: `said ${sequence}` })), unnamed)
    await reveal(keyOf('unnamed'))
    expect(await saidOnce(keyOf('unnamed'))).toMatchObject({ before: { text: 'said 2' }, since: [{ text: 'said 3' }] })
    at.keep(crisis({ session_id: 'nothing', student_hash: hashOf('nothing'), school_id: testSchool, at: now }))
    await reveal(keyOf('nothing'))
    expect(await saidOnce(keyOf('nothing'))).toEqual({ before: null, since: [], more: false })
  })

  it('is not told of another student who has a session of this number', async () => {
    const other = { student_hash: hashOf('somebody else') }
    at.keep(
      message('shared', { sequence: 1, text: 'i want to die' }),
      raised('shared', 1),
      message('shared', { sequence: 2, text: 'MARKED', changes: other }),
    )
    await reveal(keyOf('shared'))
    expect(JSON.stringify(await saidOnce(keyOf('shared')))).not.toContain('MARKED')
  })
})

it('the session of an alert is told as it stands, and at each message of it', async () => {
  at.keep(message('watched', { sequence: 1 }), raised('watched', 1))
  const heard = await pushes<AlertSession>(at.as('ADMIN').alertSession.watch({ key: keyOf('watched') }))
  expect(await heard.next()).toMatchObject({ last_message_at: now - 59_000 })
  const next = heard.next()
  await at.receive(message('watched', { sequence: 5 }))
  expect(await next).toMatchObject({ last_message_at: now - 55_000 })
  heard.stop()
})
