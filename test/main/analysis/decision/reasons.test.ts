import { describe, expect, it } from 'vitest'
import type { AssessmentInput } from '../../../../main/analysis/index.ts'
import type { DecidedOn } from '../../../../shared/risk.ts'
import { decidedOnSentences } from '../../../../shared/risk-words.ts'
import { assess, detectionData, said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const rules = rulesOnly()
const session = (tier: 'ok' | 'caution', sentiment: number, category?: 'self_harm'): AssessmentInput['previous'] => [
  { tier, sentiment, categories: category ? [category] : [] },
]

describe('what an assessment says decided', () => {
  it.each<[DecidedOn, string, Partial<AssessmentInput>?]>([
    ['phrase', 'I want to kill myself'],
    ['another', 'my friend wants to kill herself'],
    ['jest', 'I am gonna kill myself if this class does not end'],
    ['past', 'last year I wanted to kill myself'],
    ['quoted', 'the song says I want to kill myself'],
    ['denied', 'I do not want to kill myself'],
    ['concern', 'I feel worthless'],
    ['nothing', 'I had a good day today'],
    ['uncovered', 'le chien court dans le parc tous les jours avec mes amis'],
  ])('%s', (kind, text, more) => {
    const { decided_on, reasons } = rules.assess(said(text, more))
    expect(decided_on, text).toBe(kind)
    expect(reasons.find(({ signal }) => signal === 'decision')?.text).toBe(decidedOnSentences[kind])
  })

  it('the wording as a whole, where no known phrase did', () => {
    expect(assess('u can send whoever u want by the time they get here ill be dead').decided_on).toBe('reading')
  })

  it('a category said again in the session', () => {
    const text = 'I used to hurt myself but that is over now'
    const again = rules.assess(said(text, { previous: session('caution', 0, 'self_harm') }))
    expect(again).toMatchObject({ tier: 'high', decided_on: 'repetition' })
  })

  it('a mood that fell quickly', () => {
    const previous = [0.9, -0.3, -0.5].flatMap((sentiment) => session('ok', sentiment))
    const text = 'this is terrible and horrible and awful'
    expect(rules.assess(said(text, { previous })).decided_on).toBe('mood')
  })

  it('all signals together, where they alone ask for it', () => {
    const only = { regex: 0, semantic: 0, clinical: 1, history: 0 }
    const { consensus } = detectionData
    const engine = rulesOnly({
      consensus: {
        ...consensus,
        weights: 'published',
        weight_sets: { ...consensus.weight_sets, published: { weights: only } },
      },
    })
    const text = 'I have no energy, I have insomnia, I lost interest, I am on edge and my mind wanders'
    expect(engine.assess(said(text))).toMatchObject({ tier: 'caution', decided_on: 'signals' })
  })
})
