import { describe, expect, it } from 'vitest'
import { floorOf } from '../../../../main/analysis/decision/index.ts'
import type { MatchMeaning } from '../../../../shared/assessment.ts'
import type { PatternCategory, RiskTier } from '../../../../shared/risk.ts'
import { said } from '../../../evaluation/engine.ts'

/** Full confidence from which a match is severe. */
const severe = 0.9

/** One phrase that was matched. */
const match = (category: PatternCategory, meaning: MatchMeaning, confidence: number, full?: number) => ({
  match: {
    group: {
      name: 'some phrases',
      category,
      experiencer: 'self' as const,
      explicit: true,
      past: false,
      phrases: ['x'],
      ...(full !== undefined && { confidence: full }),
    },
    meaning,
    resolved: false,
    from: 0,
    to: 0,
  },
  confidence,
})
type Match = ReturnType<typeof match>
const floor = (phrase: Match, previous: { tier: RiskTier; categories: PatternCategory[] }[] = []) =>
  floorOf(
    { phraseMatches: [phrase], intentMatches: [], answers: [] },
    said('', { previous: previous.map((message) => ({ ...message, sentiment: 0 })) }),
    0,
    severe,
  )

describe('what one match demands', () => {
  it.each([
    ['suicidal_ideation', 0.95, 'crisis'],
    ['suicidal_ideation', 0.9499, 'caution'],
    ['coded_language', 0.8, 'caution'],
    ['coded_language', 0.7999, 'ok'],
  ] as const)('affirmed, of %s with a confidence of %d, is %s', (category, confidence, tier) => {
    expect(floor(match(category, 'affirmed', confidence)).floor).toBe(tier)
  })

  it.each(['negated', 'quoted'] as const)('%s is caution where it is severe, and nothing else', (meaning) => {
    expect(floor(match('suicidal_ideation', meaning, 0.1)).floor).toBe('caution')
    expect(floor(match('self_harm', meaning, 0.1)).floor).toBe('ok')
  })
})

describe('a grave category again', () => {
  const before = (tier: RiskTier) => [{ tier, categories: ['self_harm'] satisfies PatternCategory[] }]

  it('is high after a message in which it was more than nothing', () => {
    const again = match('self_harm', 'affirmed', 0.5, 0.5)
    expect(floor(again, before('caution')).floor).toBe('high')
    expect(floor(again, before('ok')).floor).toBe('ok')
    expect(floor(again, [{ tier: 'high', categories: ['hopelessness'] }]).floor).toBe('ok')
  })

  it.each(['about someone else', 'negated', 'quoted'] as const)('is nothing where it is %s', (meaning) => {
    expect(floor(match('self_harm', meaning, 0.1, 0.5), before('caution')).floor).toBe('ok')
  })
})
