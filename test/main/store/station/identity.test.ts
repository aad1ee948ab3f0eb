/** Ids are a school's own: two schools whose chats number everything alike never meet. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  countMessage,
  countSessions,
  findByClientId,
  findSession,
  findSummary,
  forgetContent,
  insertMarkers,
  insertMessage,
  insertSession,
  latestMessages,
  listSessions,
  markEnded,
  markersOf,
  messagesOf,
  nextSequence,
  type StoredMessage,
  type Unit,
} from '../../../../main/store/station/index.ts'
import { withoutEngine } from '../../../../main/station/sessions/assess.ts'
import { intakeSchool, otherSchool, school, type IntakeSchool } from '../../../support/intake-school.ts'
import { onEachStore } from '../../../support/test-stores.ts'

const session_id = 'session-1'
const student_hash = 'a'.repeat(64)
const own = { school_id: school, session_id }
const other = { school_id: otherSchool, session_id }

/** A message whose words say which school they belong to. */
const message = (key: typeof own, sequence: number, message_id = 'message-1'): StoredMessage => ({
  ...key,
  message_id,
  sequence,
  state: 'analyzed',
  role: 'student',
  client_message_id: `client-${sequence}`,
  content_digest: '',
  said_at: sequence,
  told: false,
  content: { ciphertext: `words of ${key.school_id}`, encrypted_key: '' },
  refused: null,
  tier: 'ok',
  score: 0,
  sentiment: 0,
  assessment: null,
})
const words = (messages: readonly (StoredMessage | null)[]) => messages.map((each) => each?.content?.ciphertext)

onEachStore((kind) => {
  let at: IntakeSchool
  /** With the rights of every school, so that only the questions themselves keep them apart. */
  const ask = <T>(work: (unit: Unit) => Promise<T>) => at.store.asStation(work)
  beforeEach(async () => {
    at = await intakeSchool({}, kind)
    for (const key of [own, other])
      await ask(async (unit) => {
        await insertSession(unit, { ...key, student_hash, started_at: 1, metadata: {} })
        await insertMessage(unit, { ...message(key, await nextSequence(unit, key)) })
      })
  })
  afterEach(() => at.close())

  it('finds for each school its own words, by every way of asking', async () => {
    for (const key of [own, other]) {
      const expected = [`words of ${key.school_id}`]
      expect(words(await ask((unit) => messagesOf(unit, key)))).toEqual(expected)
      expect(words(await ask((unit) => latestMessages(unit, key, 10)))).toEqual(expected)
      expect(words([await ask((unit) => findByClientId(unit, key, 'client-1'))])).toEqual(expected)
      expect(await ask((unit) => listSessions(unit, key, { limit: 10, offset: 0 }))).toMatchObject([key])
      expect(await ask((unit) => countSessions(unit, { ...key, student_hash }))).toBe(1)
    }
  })

  it('changes one school’s rows and leaves the other’s as they are', async () => {
    const everything = async (key: typeof own) => [
      await ask((unit) => findSession(unit, key)),
      ...(await ask((unit) => messagesOf(unit, key))),
    ]
    const before = await everything(other)
    const summary = at.engine.summarize({ ...own, user_id: '', started_at: 1, ended_at: 9, messages: [] })
    await ask(async (unit) => {
      await countMessage(
        unit,
        { ...own, status: 'active' },
        {
          status: 'escalated',
          last_sequence: 1,
          student_turns: 1,
          assistant_turns: 0,
          sentiment: -1,
          highest_tier: 'crisis',
          notes: ['n'],
          suggested_resources: [],
          said_at: 5,
        },
      )
      await markEnded(unit, { ...own, status: 'escalated' }, 9, summary)
      await forgetContent(unit, own)
      await insertMessage(unit, message(own, await nextSequence(unit, own), 'message-2'))
    })
    expect(await everything(other)).toEqual(before)
    expect(await ask((unit) => findSummary(unit, other))).toBeNull()
    expect(await ask((unit) => nextSequence(unit, other))).toBe(2)
    const ended = { status: 'ended', message_count: 1, ended_at: 9, sentiment_average: -1 }
    expect(await ask((unit) => findSession(unit, own))).toMatchObject(ended)
    expect(await ask((unit) => nextSequence(unit, own))).toBe(3)
  })

  it('keeps the markers of a student apart from those of the same pseudonym elsewhere', async () => {
    const marker = { marker_type: 'PHQ9_ITEM_9', confidence: 0.9, start: 0, end: 1 } as const
    const marked = { ...message(own, 1), assessment: { ...withoutEngine(), markers: [marker, marker] } }
    await ask((unit) => insertMarkers(unit, marked, student_hash))
    const heard = (school_id: string) => ask((unit) => markersOf(unit, { school_id, student_hash }, 0, 10))
    expect(await heard(school)).toEqual([{ marker_type: 'PHQ9_ITEM_9', confidence: 0.9, at: 1 }])
    expect(await heard(otherSchool)).toEqual([])
  })

  it('refuses the same session, message or place twice in one school', async () => {
    const twice = /unique/i
    const session = { ...own, student_hash, started_at: 1, metadata: {} }
    await expect(ask((unit) => insertSession(unit, session))).rejects.toThrow(twice)
    await expect(ask((unit) => insertMessage(unit, message(own, 2)))).rejects.toThrow(twice)
    await expect(ask((unit) => insertMessage(unit, message(own, 1, 'message-2')))).rejects.toThrow(twice)
  })

  it('takes no session of a school without a salt, and never another salt', async () => {
    const stranger = { school_id: 'nobody', session_id, student_hash, started_at: 1, metadata: {} }
    await expect(ask((unit) => insertSession(unit, stranger))).rejects.toThrow(/foreign key/i)
    const changed = ask((unit) => unit.updateTable('schools').set({ salt: 'x' }).execute())
    await expect(changed).rejects.toThrow(/never changes/)
  })
})

describe('on the file', () => {
  let at: IntakeSchool
  beforeEach(async () => void (at = await intakeSchool()))
  afterEach(() => at.close())

  it('answers every question of a session or student by an index, never by reading all rows', async () => {
    const plan = async (sql: string) =>
      (await at.rows(`EXPLAIN QUERY PLAN ${sql}`)).map(({ detail }) => String(detail)).join('; ')
    const session = `school_id = 's' AND session_id = 'x'`
    for (const sql of [
      `SELECT status FROM sessions WHERE ${session}`,
      `SELECT tier FROM messages WHERE ${session} ORDER BY sequence DESC LIMIT 20`,
      `SELECT tier FROM messages WHERE ${session} AND client_message_id = 'c'`,
      `SELECT confidence FROM markers WHERE school_id = 's' AND student_hash = 'h' AND said_at > 1 ORDER BY said_at`,
      `SELECT status FROM sessions WHERE school_id = 's' AND student_hash = 'h' ORDER BY started_at DESC`,
      `SELECT 1 FROM outbox WHERE group_id = 'x' LIMIT 1`,
      `SELECT message_id FROM messages WHERE state = 'accepted' AND claimed_until <= 1 ORDER BY claimed_until`,
    ]) {
      expect(await plan(sql), sql).toMatch(/SEARCH/)
      expect(await plan(sql), sql).not.toMatch(/SCAN|TEMP B-TREE/)
    }
  })
})
