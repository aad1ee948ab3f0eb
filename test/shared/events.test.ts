import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventSchema, knownEventTypes, newestSchemaVersion, type ConsoleEvent } from '../../shared/events.ts'

/** Letter for letter the event that existing back ends emit. */
const legacy = `{"event_type":"CRISIS_DETECTED","session_id":"uuid","student_hash":"${'ab'.repeat(32)}","consensus_score":0.93,
 "risk_level":"CRISIS","matched_patterns":["suicidal_intent"],"reasoning":"…","timestamp":"2026-01-20T10:15:00.123456",
 "idempotency_key":"<session_id>-1768904100"}`

const read = (changes: Record<string, unknown> = {}): ConsoleEvent =>
  eventSchema.parse({ ...(JSON.parse(legacy) as Record<string, unknown>), ...changes })
const refused = (changes: Record<string, unknown>): boolean =>
  !eventSchema.safeParse({ ...(JSON.parse(legacy) as Record<string, unknown>), ...changes }).success

describe('the minimal event of existing back ends', () => {
  it('is read exactly as it stands', () => {
    expect(read()).toEqual({
      event_type: 'CRISIS_DETECTED',
      session_id: 'uuid',
      student_hash: 'ab'.repeat(32),
      consensus_score: 0.93,
      risk_level: 'CRISIS',
      matched_patterns: ['suicidal_intent'],
      reasoning: '…',
      timestamp: Date.UTC(2026, 0, 20, 10, 15, 0, 123),
      idempotency_key: '<session_id>-1768904100',
    })
  })

  it('may match nothing, or hold a model’s free text', () => {
    expect(read({ matched_patterns: [] })).toMatchObject({ matched_patterns: [] })
    expect(read({ matched_patterns: ['they said: I cannot go on'] })).toMatchObject({ event_type: 'CRISIS_DETECTED' })
  })

  it('drops fields nobody knows', () => {
    expect(read({ surprise: { deep: true } })).toEqual(read())
  })

  it('takes a school’s id in upper case, or in braces, as the same school', () => {
    expect(read({ school_id: '{3F0C8A52-6B1E-4D57-9C2A-8A1D5E6F7A90}' })).toEqual(
      read({ school_id: '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90' }),
    )
  })

  it('takes upper-case hashes as the same student', () => {
    expect(read({ student_hash: 'AB'.repeat(32) })).toEqual(read())
  })
})

describe('a directory that changed', () => {
  const changed = {
    schema_version: 2,
    event_type: 'POLICY_CHANGED',
    idempotency_key: 'policy-school-a-3',
    timestamp: '2026-01-20T10:15:00.000Z',
    school_id: 'School-A',
    version: 3,
    changed_by: 'admin-1',
    sealed: { ciphertext: 'AAAA', encrypted_key: 'AAAA' },
  }

  it('is of a school, a version, and a person', () => {
    expect(eventSchema.parse(changed)).toMatchObject({ school_id: 'school-a', version: 3, changed_by: 'admin-1' })
  })

  it.each([
    { schema_version: 1 },
    { school_id: undefined },
    { version: 0 },
    { version: 1.5 },
    { changed_by: '' },
    { sealed: '{}' },
  ])('is refused with %o', (changes) => {
    expect(eventSchema.safeParse({ ...changed, ...changes }).success).toBe(false)
  })
})

it.each([
  ['a score over 1', { consensus_score: 1.2 }],
  ['a score under 0', { consensus_score: -0.01 }],
  ['a score in words', { consensus_score: '0.9' }],
  ['a score that is no number', { consensus_score: null }],
  ['a hash of 63 digits', { student_hash: 'a'.repeat(63) }],
  ['a hash with other letters', { student_hash: 'g'.repeat(64) }],
  ['no session', { session_id: '' }],
  ['an unknown level', { risk_level: 'FINE' }],
  ['patterns that are no list', { matched_patterns: 'suicidal_intent' }],
  ['a time in another form', { timestamp: '20 January 2026' }],
  ['a time that does not exist', { timestamp: '2026-02-30T10:00:00' }],
  ['no key', { idempotency_key: '' }],
  ['a newer schema', { schema_version: newestSchemaVersion + 1 }],
  ['a fractional schema version', { schema_version: 0.5 }],
  ['an unknown type', { event_type: 'SOMETHING_NEW' }],
])('refuses %s', (_, changes) => {
  expect(refused(changes)).toBe(true)
})

it('knows the names of all types it reads', () => {
  expect([...knownEventTypes].sort()).toEqual([
    'ALERT_ACTION',
    'ALERT_ESCALATED',
    'ALERT_NOTIFIED',
    'ALERT_VIEWED',
    'CLINICAL_RISK_SET',
    'CLINICAL_SCORE_UPDATED',
    'CRISIS_DETECTED',
    'DRILL',
    'FOLLOW_UP_DONE',
    'FOLLOW_UP_SET',
    'HEARTBEAT',
    'MARKER_REVIEWED',
    'MESSAGE_ANALYZED',
    'POLICY_CHANGED',
    'SAFETY_PLAN_SAVED',
    'SCHOOL_KEY_SEALED',
    'SESSION_ENDED',
    'SESSION_STARTED',
  ])
})

it('answers anything at all without throwing', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      eventSchema.safeParse(value)
      eventSchema.safeParse({ ...(JSON.parse(legacy) as object), matched_patterns: value, reasoning: value })
    }),
  )
})
