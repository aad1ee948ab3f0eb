import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../../main/station/channels/index.ts'
import { answerOf, mailOf, sayingOf, textOf, type Answered } from '../../../../main/station/channels/words.ts'
import { patternCategories, type PatternCategory } from '../../../../shared/risk.ts'
import { minutes, seconds } from '../../../../shared/time.ts'

const alert: Message = {
  kind: 'alert',
  tier: 'crisis',
  categories: ['suicidal_intent'],
  count: 1,
  late_ms: 0,
  link: null,
  reply: 1,
}

const names = Object.keys(patternCategories) as PatternCategory[]
const anyCategories = fc.subarray(names)
const anyMessage: fc.Arbitrary<Message> = fc.record({
  kind: fc.constantFrom('alert', 'several', 'hand off', 'alarm failing', 'test'),
  tier: fc.constantFrom('high', 'crisis', null),
  categories: anyCategories,
  count: fc.integer({ min: 1, max: 500 }),
  late_ms: fc.integer({ min: 0, max: 100 * 3_600_000 }),
  link: fc.constant(null),
  reply: fc.option(fc.integer({ min: 1, max: 999 })),
})
const anyAnswer: fc.Arbitrary<Answered> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('yours', 'worse since', 'held by another', 'closed'),
    alert: fc.record({
      tier: fc.constantFrom('high', 'crisis'),
      categories: anyCategories,
      age_ms: fc.integer({ min: 0, max: 1e9 }),
    }),
    waiting: fc.integer({ min: 0, max: 200 }),
  }),
  fc.constantFrom<Answered>({ kind: 'nothing to take' }, { kind: 'told since' }, { kind: 'not understood' }),
  fc.record({ kind: fc.constant('no such number'), number: fc.integer({ min: 0, max: 9999 }) }),
)

/** The letters of GSM 03.38 that take one place of 160, as far as they are ASCII. */
const gsm = /^[A-Za-z0-9 @$!"#%&'()*+,\-./:;<=>?_\n]*$/

test('a text says how bad it is, what it is about, what to do and how to take it', () => {
  expect(textOf(alert)).toBe('PsyFlo: CRISIS alert (suicidal intent). Open the console now. Reply ACK 1 to take it.')
  expect(textOf({ ...alert, tier: 'high', categories: ['hopelessness', 'self_harm'], reply: null })).toBe(
    'PsyFlo: High-risk alert (self-harm, hopelessness). Open the console now.',
  )
  expect(textOf({ ...alert, late_ms: minutes(12) + seconds(40) })).toBe(
    'PsyFlo: CRISIS alert (suicidal intent). 12 minutes LATE. Open the console now. Reply ACK 1 to take it.',
  )
})

test('a text about several alerts, a hand-off, a failing alarm and a test say so first', () => {
  expect(textOf({ ...alert, kind: 'several', count: 12, categories: [], reply: null })).toBe(
    'PsyFlo: 12 more alerts, the worst a CRISIS. Open the console now.',
  )
  expect(textOf({ ...alert, kind: 'hand off', reply: 4 })).toMatch(/^PsyFlo: URGENT: a CRISIS alert was handed to you/)
  expect(textOf({ ...alert, kind: 'alarm failing', tier: null, categories: [] })).toBe(
    'PsyFlo: The ALARM ITSELF may not be working. Open the console, and watch the chat itself until it is repaired.',
  )
  expect(textOf({ ...alert, kind: 'test', tier: null, categories: [], reply: null })).toBe(
    'PsyFlo: Test alert. No student is at risk. You do not need to do anything.',
  )
})

test('a link of a school fits beside all that must be said', () => {
  const link = `https://alerts.school.example/#/alerts/${'a'.repeat(32)}`
  expect(textOf({ ...alert, link }).length).toBeLessThanOrEqual(160)
  expect(textOf({ ...alert, link })).toContain(link)
})

test('whatever it is about, a text without a link is one part in the alphabet of telephones', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      const text = textOf(message)
      expect(text.length).toBeLessThanOrEqual(160)
      expect(text).toMatch(gsm)
    }),
  )
})

test('the most severe category is named even where there is no room for it', () => {
  const text = textOf({ ...alert, categories: names, link: `https://${'x'.repeat(120)}.example/` })
  expect(text).toContain('suicidal intent, 8 more')
})

test('an answer names the alert that it is about, and is one part', () => {
  const taken = { tier: 'crisis', categories: ['suicidal_ideation', 'suicidal_intent'], age_ms: minutes(6) } as const
  expect(answerOf({ kind: 'yours', alert: taken, waiting: 0 })).toBe(
    'PsyFlo: YOU HAVE IT: CRISIS, suicidal intent, 6 minutes ago. Contact the student within 15 minutes, then record it at the console.',
  )
  expect(answerOf({ kind: 'held by another', alert: taken })).toContain('Somebody else already has it: CRISIS')
  fc.assert(
    fc.property(anyAnswer, (answered) => {
      expect(answerOf(answered)).toMatch(gsm)
      expect(answerOf(answered).length).toBeLessThanOrEqual(165)
    }),
  )
})

test('what was not taken is said in capitals', () => {
  expect(answerOf({ kind: 'not understood' })).toContain('NOT TAKEN')
  expect(answerOf({ kind: 'no such number', number: 7 })).toContain('NOT TAKEN. No alert 7')
})

test('a call says it twice; a mail says it in lines', () => {
  expect(sayingOf(alert).match(/CRISIS alert \(suicidal intent\)/g)).toHaveLength(2)
  const { subject, text } = mailOf({ ...alert, link: 'https://alerts.school.example/' })
  expect(subject).toBe('PsyFlo: CRISIS alert')
  expect(text).toContain('https://alerts.school.example/')
  expect(text).toContain('send ACK 1')
})
