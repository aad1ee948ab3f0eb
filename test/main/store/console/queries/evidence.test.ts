import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEvidence, sessionById, transcriptPage, trajectory } from '../../../../../main/store/console/index.ts'
import { openRecord, type OpenRecord } from '../../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../../support/wire.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
let at: OpenRecord
beforeEach(() => (at = openRecord({ school: '' })))
afterEach(() => at.close())

const sealed = (words: string) => at.key.seal(words)
const said = (words: string, of: Record<string, unknown>) =>
  analyzed({
    message_id: 'm1',
    content: sealed(words),
    flagged: [{ start: 0, end: 5, category: 'hopelessness' }],
    markers: [{ marker_type: 'PHQ9_ITEM_9', confidence: 0.9, start: 0, end: 5 }],
    ...of,
  })
/** What is revealed of the alerts of one school and session. */
const revealed = (school_id: string, session_id: string) =>
  openEvidence(
    at.db,
    at.key,
    at
      .rows('SELECT id FROM triggers WHERE school_id = ? AND session_id = ?', school_id, session_id)
      .map(({ id }) => String(id)),
    'other key',
  )

describe('messages that are numbered alike', () => {
  it.each([
    ['in two sessions of one school', [school, 's'], [school, 't']],
    ['in sessions of two schools', [school, 's'], [otherSchool, 't']],
    ['in sessions that two schools call the same', [school, 's'], [otherSchool, 's']],
  ] as const)('%s never show each other’s words', (_, one, other) => {
    for (const [school_id, session_id] of [one, other]) {
      const of = { school_id, session_id, student_hash: (school_id === school ? 'a' : 'b').repeat(64) }
      at.append(said(`words of ${school_id} ${session_id}`, of))
      at.append(crisis({ ...of, message_id: 'm1' }))
    }
    for (const [school_id, session_id] of [one, other]) {
      const words = `words of ${school_id} ${session_id}`
      expect(revealed(school_id, session_id).map(({ text }) => text)).toEqual([words])
      const page = transcriptPage(at.db, at.key, { school_id, session_id, offset: 0, limit: 10, unopened: 'other key' })
      expect([page.total, page.rows.map(({ text }) => text)]).toEqual([1, [words]])
      expect(sessionById(at.db, school_id, session_id)?.markers).toHaveLength(1)
    }
    expect(at.count('markers')).toBe(2)
    expect(at.count('risk_points')).toBe(2)
    if (one[0] === other[0]) return
    for (const [school_id, session_id] of [one, other]) {
      const student_hash = (school_id === school ? 'a' : 'b').repeat(64)
      const { points } = trajectory(at.db, { school_id, student_hash, from: 0, to: noon, points: 100 })
      expect(points.map((point) => point.session_id)).toEqual([session_id])
    }
  })

  it('a crisis whose own message never came shows nobody else’s', () => {
    at.append(said('words of another', { school_id: otherSchool, session_id: 's' }))
    at.append(said('words of a sibling session', { school_id: school, session_id: 't' }))
    at.append(crisis({ school_id: school, session_id: 's', message_id: 'm1' }))
    expect(revealed(school, 's')).toMatchObject([{ text: null, spans: [] }])
  })

  it('nor does another student’s under the same session', () => {
    at.append(said('words of another', { session_id: 's', student_hash: 'b'.repeat(64) }))
    at.append(crisis({ session_id: 's', message_id: 'm1', student_hash: 'a'.repeat(64) }))
    expect(revealed(school, 's')).toMatchObject([{ text: null }])
  })
})

describe('an event’s own evidence', () => {
  it('stands before its message’s, and is not marked where only the message was read', () => {
    at.append(said('the message as it was analysed', { session_id: 's' }))
    at.append(crisis({ session_id: 's', message_id: 'm1', evidence: sealed('what raised the alarm') }))
    expect(revealed(school, 's')).toMatchObject([{ text: 'what raised the alarm', spans: [] }])
  })

  it('is the message’s where they are the same, with what was marked in it, once', () => {
    at.append(said('the very words', { session_id: 's', tier: 'crisis', level: 'CRISIS', score: 0.97 }))
    at.append(crisis({ session_id: 's', message_id: 'm1', evidence: sealed('the very words') }))
    expect(revealed(school, 's')).toMatchObject([{ text: 'the very words', spans: [{ start: 0, end: 5 }] }])
  })

  it('that cannot be opened here leaves the message’s', () => {
    at.append(said('the very words', { session_id: 's' }))
    const foreign = { ciphertext: 'AAAA', encrypted_key: 'AAAA' }
    at.append(crisis({ session_id: 's', message_id: 'm1', evidence: foreign }))
    expect(revealed(school, 's')).toMatchObject([{ text: 'the very words' }])
  })
})
