import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationMessage } from '../../../main/analysis/index.ts'
import { tierRank } from '../../../shared/risk.ts'
import { assess } from '../engine.ts'

const pieces = fc.constantFrom(
  'Are you', 'thinking of', 'suicide', 'ending your life', 'or', 'safe', 'tonight', '?', '.', '…', 'when', 'do you want me to', 'hurt yourself', 'no', 'yeah', 'sometimes', 'idk',
  'i meant', 'the game', 'the second one', 'both', 'i want to die', 'the bridge', '¿', 'suicidarte', 'sí', '👍', '\ud800', '\n', '12', '"', 'forever', 'lol',
) // prettier-ignore
const text = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const message: fc.Arbitrary<ConversationMessage> = fc.record({
  role: fc.constantFrom('student' as const, 'assistant' as const),
  text,
})
const tier = fc.constantFrom('ok' as const, 'caution' as const, 'high' as const, 'crisis' as const)

describe('for any turns before a message', () => {
  it('never throws, keeps within range, and never lowers a tier', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), text, tier, (recent, said, before) => {
        const previous = [{ tier: before, sentiment: 0, categories: [] }]
        const alone = assess(said, { previous })
        const assessment = assess(said, { recent, previous })
        expect(tierRank(assessment.tier)).toBeGreaterThanOrEqual(tierRank(alone.tier))
        expect(assessment.score).toBeGreaterThanOrEqual(alone.score)
        for (const { start, end } of assessment.matches) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(said.length)
        }
      }),
      { numRuns: 1000, seed: 21 },
    )
  })

  it('leaves what was said alone where there are none, or where they speak of nothing', () => {
    const harmless = fc.constantFrom('How was the concert?', 'it was fun', 'Which class is it?', 'my dog is cute')
    const turns = fc.array(fc.record({ role: message.map(({ role }) => role), text: harmless }), { maxLength: 3 })
    fc.assert(
      fc.property(turns, fc.constantFrom('yeah', 'no', 'both', 'tonight', 'idk', '…', 'sometimes'), (recent, said) => {
        expect(assess(said, { recent })).toEqual(assess(said))
      }),
      { numRuns: 300, seed: 22 },
    )
  })

  it('hears a plain yes to a plain question, whatever stands before it in the turn', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdefgh '), maxLength: 3000 }), (before) => {
        const recent = [{ role: 'assistant' as const, text: `${before}. Are you thinking about suicide?` }]
        expect(assess('yes', { recent }).tier).toBe('crisis')
      }),
      { numRuns: 100, seed: 23 },
    )
  })
})
