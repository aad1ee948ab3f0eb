import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assess, engine, said } from '../engine.ts'

const pieces = fc.constantFrom(
  'i want to die', 'kill', 'myself', 'k i l l', 'su1c1de', 'not', 'never', 'my friend', 'lol', '…', '...', '!!!', '"', '“', '’', "don't", '\u200b', '\u0301',
  '😀', '\ud800', '😂', '@', '$', '*', 'k*ll', '.', '\n', '?', 'if', 'because', '𝐢', 'ｉ', 'а', '今日', 'a', 'suicid*', '!', '|', '#', 'kms', '“i want to die”',
) // prettier-ignore
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(' ')),
  fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
)

describe('for any text', () => {
  it('answers within range, with offsets that slice the text', () => {
    fc.assert(
      fc.property(text, (message) => {
        const assessment = assess(message)
        expect(assessment.score).toBeGreaterThanOrEqual(0)
        expect(assessment.score).toBeLessThanOrEqual(1)
        expect(Math.abs(assessment.sentiment)).toBeLessThanOrEqual(1)
        for (const { start, end, confidence } of [...assessment.matches, ...assessment.markers]) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(message.length)
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 1500, seed: 7 },
    )
  })
  it('gives the same answer twice', () => {
    fc.assert(
      fc.property(text, (message) => {
        expect(assess(message)).toEqual(assess(message))
      }),
      { numRuns: 300, seed: 8 },
    )
  })
  it('keeps the reported score above the threshold of its level', () => {
    fc.assert(
      fc.property(text, (message) => {
        const { score, level } = assess(message)
        expect(score).toBeGreaterThanOrEqual(level === 'CRISIS' ? 0.9 : level === 'CAUTION' ? 0.65 : 0)
      }),
      { numRuns: 500, seed: 9 },
    )
  })
  it('finds explicit words after anything that ends a sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdefgh '), maxLength: 80 }), (before) => {
        expect(assess(`${before}. I want to kill myself.`).tier).toBe('crisis')
      }),
      { numRuns: 200, seed: 10 },
    )
  })
})

describe('however long', () => {
  /** Processor time, milliseconds: unlike the clock on the wall it does not depend on who else is working. */
  const cost = (work: () => void): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const hostile = {
    'ordinary talk': 'I had a long day at school and my friends were nice to me today. ',
    'no end of a sentence': 'i want to be with my friends and i do not want to ',
    'letters one by one': 'k i l l m y s e l f n o w ',
    'fillers without end': 'i want to really really really just so fucking ',
    'unknown words': 'killmyselfendmylifewanttodiezz suicdal kiill hrut ',
    masks: 'k*ll m*self s*icide ',
    'open quotes': '" “ ” " i said ',
    negations: 'not never not no i do not never ',
    'explicit, without end': 'i want to kill myself and ',
    'a statement a sentence': 'i want to kill myself. ',
    'another’s, a sentence each': 'my friend wants to die. ',
    'a word a sentence': 'die. ',
  }
  it.each(Object.entries(hostile))('time grows with length, not faster: %s', (_, unit) => {
    const make = (size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
    const [small, large] = [make(20_000), make(160_000)]
    assess(small)
    const eightSmall = cost(() => {
      for (let i = 0; i < 8; i += 1) assess(small)
    })
    // The same number of characters; four times the work would already be growth faster than length.
    expect(cost(() => assess(large))).toBeLessThan(4 * eightSmall + 100)
  })
  it('megabytes are answered', () => {
    expect(assess('a'.repeat(2_000_000)).tier).toBe('ok')
    expect(assess('i want to die '.repeat(40_000)).tier).toBe('crisis')
    expect(engine.assess(said('\ud83d'.repeat(1_000_000))).tier).toBeDefined()
  })
})
