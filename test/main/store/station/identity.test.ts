/** Ids are a school's own: two schools whose chats number everything alike never meet. */
import { afterEach, beforeEach, expect, it } from 'vitest'
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
} from '../../../../main/store/station/index.ts'
import { withoutEngine } from '../../../../main/station/sessions/assess.ts'
import { intakeSchool, otherSchool, school, type IntakeSchool } from '../../../support/intake-school.ts'

const session_id = 'session-1'
const student_hash = 'a'.repeat(64)
const own = { school_id: school, session_id }
const other = { school_id: otherSchool, session_id }

let at: IntakeSchool
beforeEach(() => {
  at = intakeSchool()
  for (const key of [own, other]) {
    insertSession(at.db, { ...key, student_hash, started_at: 1, metadata: {} })
    insertMessage(at.db, message(key, 1))
  }
})
afterEach(() => at.close())

/** A message whose words say which school they belong to. */
const message = (key: typeof own, sequence: number, message_id = 'message-1'): StoredMessage => ({
  ...key,
  message_id,
  sequence,
  role: 'student',
  client_message_id: `client-${sequence}`,
  content_digest: '',
  said_at: sequence,
  content: { ciphertext: `words of ${key.school_id}`, encrypted_key: '' },
  refused: null,
  tier: 'ok',
  score: 0,
  sentiment: 0,
  assessment: null,
})
const words = (messages: readonly (StoredMessage | null)[]) => messages.map((each) => each?.content?.ciphertext)

it('finds for each school its own words, by every way of asking', () => {
  for (const key of [own, other]) {
    const expected = [`words of ${key.school_id}`]
    expect(words(messagesOf(at.db, key))).toEqual(expected)
    expect(words(latestMessages(at.db, key, 10))).toEqual(expected)
    expect(words([findByClientId(at.db, key, 'client-1')])).toEqual(expected)
    expect(listSessions(at.db, key, { limit: 10, offset: 0 })).toMatchObject([key])
    expect(countSessions(at.db, { ...key, student_hash })).toBe(1)
  }
})

it('changes one school’s rows and leaves the other’s as they are', () => {
  const before = [findSession(at.db, other), ...messagesOf(at.db, other)]
  countMessage(at.db, own, {
    status: 'escalated', student_turns: 1, assistant_turns: 0, sentiment: -1, highest_tier: 'crisis',
    notes: ['n'], suggested_resources: [], said_at: 5,
  }) // prettier-ignore
  markEnded(at.db, own, 9, at.engine.summarize({ ...own, user_id: '', started_at: 1, ended_at: 9, messages: [] }))
  forgetContent(at.db, own)
  insertMessage(at.db, message(own, 2, 'message-2'))
  expect([findSession(at.db, other), ...messagesOf(at.db, other)]).toEqual(before)
  expect(findSummary(at.db, other)).toBeNull()
  expect(nextSequence(at.db, other)).toBe(2)
  expect(findSession(at.db, own)).toMatchObject({ status: 'ended', message_count: 1, ended_at: 9 })
  expect(nextSequence(at.db, own)).toBe(3)
})

it('keeps the markers of a student apart from those of the same pseudonym elsewhere', () => {
  const marker = { marker_type: 'PHQ9_ITEM_9', confidence: 0.9, start: 0, end: 1 } as const
  const marked = { ...message(own, 1), assessment: { ...withoutEngine(), markers: [marker, marker] } }
  insertMarkers(at.db, marked, student_hash)
  const heard = (school_id: string) => markersOf(at.db, { school_id, student_hash }, 0, 10)
  expect(heard(school)).toEqual([{ marker_type: 'PHQ9_ITEM_9', confidence: 0.9, at: 1 }])
  expect(heard(otherSchool)).toEqual([])
})

it('refuses the same session, message or place twice in one school', () => {
  expect(() => insertSession(at.db, { ...own, student_hash, started_at: 1, metadata: {} })).toThrow(/UNIQUE/)
  expect(() => insertMessage(at.db, message(own, 2))).toThrow(/UNIQUE/)
  expect(() => insertMessage(at.db, message(own, 1, 'message-2'))).toThrow(/UNIQUE/)
})

it('takes no session of a school without a salt, and never another salt', () => {
  const stranger = { school_id: 'nobody', session_id, student_hash, started_at: 1, metadata: {} }
  expect(() => insertSession(at.db, stranger)).toThrow(/FOREIGN KEY/)
  expect(() => at.db.exec(`UPDATE schools SET student_salt = 'x'`)).toThrow(/never changes/)
})

it('answers every question of a session or student by an index, never by reading all rows', () => {
  const plan = (sql: string) =>
    (at.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail).join('; ')
  const session = `school_id = 's' AND session_id = 'x'`
  for (const sql of [
    `SELECT status FROM sessions WHERE ${session}`,
    `SELECT MAX(sequence) FROM messages WHERE ${session}`,
    `SELECT tier FROM messages WHERE ${session} ORDER BY sequence DESC LIMIT 20`,
    `SELECT tier FROM messages WHERE ${session} AND client_message_id = 'c'`,
    `SELECT confidence FROM markers WHERE school_id = 's' AND student_hash = 'h' AND said_at > 1 ORDER BY said_at`,
    `SELECT status FROM sessions WHERE school_id = 's' AND student_hash = 'h' ORDER BY started_at DESC`,
    `SELECT 1 FROM outbox WHERE group_id = 'x' LIMIT 1`,
  ]) {
    expect(plan(sql), sql).toMatch(/SEARCH/)
    expect(plan(sql), sql).not.toMatch(/SCAN|TEMP B-TREE/)
  }
})
