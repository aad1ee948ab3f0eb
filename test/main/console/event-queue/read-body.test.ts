import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody, type Reading } from '../../../../main/console/event-queue/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import type { SealedWords } from '../../../../shared/events.ts'
import { hours } from '../../../../shared/time.ts'
import { analyzed, crisis, ended, noon } from '../../../support/wire.ts'

const key = evidenceKey(systemRandomness.bytes(32))
const read = (body: unknown): Reading => readBody(typeof body === 'string' ? body : JSON.stringify(body), noon, key)
const identityOf = (body: unknown): string => {
  const reading = read(body)
  return reading.kind === 'event' ? reading.identity : `unreadable: ${reading.detail}`
}
const wrapped = (body: unknown) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: 'arn:aws:sns:us-east-1:123456789012:psyflo-events',
  Subject: 'CRISIS_ALERT',
  Message: JSON.stringify(body),
})

const legacy = {
  event_type: 'CRISIS_DETECTED',
  session_id: 'uuid',
  student_hash: 'ab'.repeat(32),
  consensus_score: 0.93,
  risk_level: 'CRISIS',
  matched_patterns: ['suicidal_intent', 'MARKED words of the student'],
  reasoning: 'MARKED reasoning',
  timestamp: '2026-01-20T10:15:00.123456',
  idempotency_key: 'uuid-1768904100',
}

const summaryOf = (flagged_keywords: string[]) => ({
  session_id: 's',
  user_id: 'u',
  duration_seconds: 1,
  message_count: 1,
  sentiment: { average: 0, trend: 'stable', bands: { positive: 0, neutral: 1, negative: 0 } },
  risk: { highest_tier: 'high', tier_counts: { ok: 0, caution: 0, high: 1, crisis: 0 }, flagged_keywords },
  suggested_resources: [],
  notes: [],
})

describe('an event', () => {
  it('is read raw and in an SNS notification, as the same event', () => {
    expect(read(legacy)).toMatchObject({ kind: 'event', event: { timestamp: Date.UTC(2026, 0, 20, 10, 15, 0, 123) } })
    expect(identityOf(wrapped(legacy))).toBe(identityOf(legacy))
  })

  it('is the same however its fields are ordered', () => {
    const nested = crisis({ signals: { regex: 0.9, history: 0.1 } })
    const turned = Object.fromEntries(
      Object.entries(nested)
        .reverse()
        .map(([name, value]) => [name, name === 'signals' ? { history: 0.1, regex: 0.9 } : value]),
    )
    expect(identityOf(turned)).toBe(identityOf(nested))
  })

  it('is another one with the same key and another body: two crises in one second are two', () => {
    expect(identityOf({ ...legacy, consensus_score: 0.94 })).not.toBe(identityOf(legacy))
    expect(identityOf({ ...legacy, idempotency_key: 'uuid-1768904101' })).not.toBe(identityOf(legacy))
  })

  it('may say null for what it does not know', () => {
    expect(read({ ...legacy, school_id: null, tier: null, evidence: null })).toMatchObject({ kind: 'event' })
  })

  it('keeps what may quote the student only under seal', () => {
    const reading = read(legacy)
    if (reading.kind !== 'event') throw new Error(reading.reason)
    expect(JSON.stringify(reading.event)).not.toContain('MARKED')
    expect(reading.event).toMatchObject({ matched_patterns: ['suicidal_intent'], hidden_patterns: 1, reasoning: '' })
    expect(JSON.parse(key.open(reading.event.sealed_words!))).toEqual({
      reasoning: 'MARKED reasoning',
      patterns: ['MARKED words of the student'],
    } satisfies SealedWords)
  })

  it.each([
    ['an analysed message', analyzed({ matched_patterns: ['self_harm', 'MARKED words'] })],
    ['a marked place', analyzed({ flagged: [{ start: 0, end: 4, category: 'MARKED words' }] })],
    ['a meaning', analyzed({ flagged: [{ start: 0, end: 4, category: 'self_harm', meaning: 'MARKED words' }] })],
    ['a summary', ended({ summary: summaryOf(['self harm', 'PHQ9_ITEM_9', 'MARKED words']) })],
  ])('keeps nobody’s free words in the open: %s', (_, event) => {
    const reading = read(event)
    if (reading.kind !== 'event') throw new Error(reading.detail)
    expect(JSON.stringify(reading.event)).not.toContain('MARKED')
  })

  it('keeps the names that are known, and seals the words beside them', () => {
    expect(read(analyzed({ matched_patterns: ['self_harm', 'MARKED words'] }))).toMatchObject({
      event: { matched_patterns: ['self_harm'], hidden_patterns: 1 },
    })
    const flagged = [{ start: 0, end: 4, category: 'self_harm', meaning: 'negated' }]
    expect(read(analyzed({ flagged }))).toMatchObject({ event: { flagged } })
    expect(read(ended({ summary: summaryOf(['self harm', 'PHQ9_ITEM_9', 'MARKED words']) }))).toMatchObject({
      event: { summary: { risk: { flagged_keywords: ['self harm', 'PHQ9_ITEM_9'] } }, hidden_patterns: 1 },
    })
  })

  it('with no words of anybody needs no seal', () => {
    expect(read(crisis())).not.toHaveProperty('event.sealed_words')
  })
})

describe('what cannot be read', () => {
  const long = 'MARKED '.repeat(45_000)
  const action = {
    ...crisis(),
    event_type: 'ALERT_ACTION',
    action: 'acknowledged',
    ack_id: 'a',
    alert_key: 'k',
    covers: ['x'],
    console_id: 'c',
    by: 'b',
    at: new Date(noon).toISOString(),
  }

  it.each([
    ['plain words', 'MARKED words', 'not JSON'],
    ['nothing', '', 'not JSON'],
    ['a cut body', JSON.stringify(legacy).slice(0, -5), 'not JSON'],
    ['a list', [legacy], 'not JSON'],
    ['a number', '5', 'not JSON'],
    ['null', 'null', 'not JSON'],
    ['a notification around words', { ...wrapped(''), Message: 'MARKED words' }, 'not JSON'],
    ['an object of no type', { text: 'MARKED' }, 'does not fit its schema'],
    ['a type that is no text', { ...legacy, event_type: { MARKED: 1 } }, 'does not fit its schema'],
    ['an unknown type', { ...legacy, event_type: 'MARKED_EVENT' }, 'unknown event type'],
    ['a newer schema', { ...legacy, schema_version: 3 }, 'newer schema version'],
    ['a newer schema of an unknown shape', { event_type: 'HEARTBEAT', schema_version: 9 }, 'newer schema version'],
    ['a score of 1.2', { ...legacy, consensus_score: 1.2 }, 'does not fit its schema'],
    ['a score in words', { ...legacy, consensus_score: 'MARKED' }, 'does not fit its schema'],
    ['a hash that is none', { ...legacy, student_hash: 'MARKED' }, 'does not fit its schema'],
    ['words instead of a time', { ...legacy, timestamp: 'MARKED' }, 'does not fit its schema'],
    [
      'words instead of an envelope',
      { ...legacy, evidence: { ciphertext: 'MARKED words' } },
      'does not fit its schema',
    ],
    [
      'words as the name of an item',
      { ...legacy, event_type: 'CLINICAL_SCORE_UPDATED', items: { 'MARKED words': 7 } },
      'does not fit its schema',
    ],
    [
      'words as a long name of an item',
      { ...legacy, event_type: 'CLINICAL_SCORE_UPDATED', items: { ['MARKED '.repeat(10)]: 1 } },
      'does not fit its schema',
    ],
    [
      'a time too far ahead',
      { ...legacy, timestamp: new Date(noon + hours(24) + 1).toISOString() },
      'time too far ahead',
    ],
    ['said too far ahead', crisis({ occurred_at: new Date(noon + hours(25)).toISOString() }), 'time too far ahead'],
    ['done too far ahead', { ...action, at: new Date(noon + hours(25)).toISOString() }, 'time too far ahead'],
    ['more than 256 KiB', { ...legacy, reasoning: long }, 'too large'],
  ])('%s: quarantined with the reason, without a word of it', (_, body, reason) => {
    const reading = read(body)
    expect(reading).toMatchObject({ kind: 'unreadable', reason })
    if (reading.kind === 'unreadable') expect(reading.detail).not.toContain('MARKED')
  })

  it('is measured in bytes, not letters', () => {
    expect(read({ ...legacy, surprise: 'é'.repeat(120_000) })).toMatchObject({ kind: 'event' })
    expect(read({ ...legacy, surprise: 'é'.repeat(140_000) })).toMatchObject({ reason: 'too large' })
  })

  it('up to 24 hours ahead is a clock that is wrong, not a wrong event; a plan may reach further', () => {
    expect(read({ ...legacy, timestamp: new Date(noon + hours(24)).toISOString() })).toMatchObject({ kind: 'event' })
    expect(read({ ...action, due_at: new Date(noon + hours(72)).toISOString() })).toMatchObject({ kind: 'event' })
  })

  it('is flagged where it names a crisis', () => {
    for (const body of [
      JSON.stringify(legacy).slice(0, -5),
      'CRISIS_DETECTED and then garbage',
      JSON.stringify({ ...legacy, consensus_score: 2 }),
      JSON.stringify(wrapped({ ...legacy, consensus_score: 2 })),
      JSON.stringify({ ...legacy, reasoning: long }),
    ])
      expect(read(body)).toMatchObject({ kind: 'unreadable', names_crisis: true })
    expect(read('{"event_type":"HEARTBEAT"}')).toMatchObject({ kind: 'unreadable', names_crisis: false })
  })

  it.each([
    ['an analyzed message of that tier, too far ahead', { tier: 'crisis', timestamp: '2030-01-01T00:00:00Z' }],
    ['an analyzed message of that level, in a newer schema', { level: 'CRISIS', schema_version: 3 }],
    ['an analyzed message with one value that is not known', { tier: 'crisis', role: 'guardian' }],
    ['an analyzed message of another form', { tier: undefined, analysis: { tier: 'crisis' } }],
  ])('is flagged where it is %s, also in a notification', (_, changes) => {
    const body = analyzed(changes)
    for (const one of [body, wrapped(body), JSON.stringify(body, null, 2)])
      expect(read(one)).toMatchObject({ kind: 'unreadable', names_crisis: true })
    expect(read(JSON.stringify(body).slice(0, -1))).toMatchObject({ reason: 'not JSON', names_crisis: true })
    const calm = { ...body, tier: 'ok', level: 'SAFE', analysis: undefined, role: 'guardian' }
    expect(read(calm)).toMatchObject({ kind: 'unreadable', names_crisis: false })
  })

  it('is flagged however the name is escaped', () => {
    const body = JSON.stringify({ ...legacy, consensus_score: 2 }).replace('CRISIS_', String.raw`CRISIS\u005f`)
    expect(read(body)).toMatchObject({ kind: 'unreadable', names_crisis: true })
    const notification = JSON.stringify({ ...wrapped(''), Message: body })
    expect(read(notification)).toMatchObject({ kind: 'unreadable', names_crisis: true })
  })

  it('is told apart from other bodies by its digest', () => {
    const digest = (body: string) => (read(body) as { digest: string }).digest
    expect(digest('one')).toBe(digest('one'))
    expect(digest('one')).not.toBe(digest('other'))
  })

  it.each([
    ['lists', '['.repeat(60_000) + ']'.repeat(60_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ])('an event with %s nested without end ends nothing', (_, nested) => {
    const body = JSON.stringify(legacy).replace(/}$/, `,"surprise":${nested}}`)
    expect(read(body)).toMatchObject({ kind: 'unreadable', names_crisis: true })
  })
})

it('answers any body without throwing', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.object().map((value) => JSON.stringify({ ...legacy, ...value })),
  )
  fc.assert(
    fc.property(texts, (body) => {
      const reading = read(body)
      expect(['event', 'unreadable']).toContain(reading.kind)
    }),
    { numRuns: 500 },
  )
})

it('reads every event whose fields are within their ranges', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.string({ maxLength: 60 }), { maxLength: 5 }),
      fc.string({ maxLength: 300 }),
      (consensus_score, matched_patterns, reasoning) => {
        expect(read({ ...legacy, consensus_score, matched_patterns, reasoning })).toMatchObject({ kind: 'event' })
        expect(read(analyzed({ score: consensus_score, matched_patterns }))).toMatchObject({ kind: 'event' })
      },
    ),
  )
})
