import { describe, expect, it } from 'vitest'
import type { PatternMatch } from '../../../../shared/assessment.ts'
import { engine, said } from '../../../evaluation/engine.ts'
import { withImpliedMarkers } from '../../../../main/analysis/markers/index.ts'

const match = (part: Partial<PatternMatch>): PatternMatch => ({ category: 'suicidal_ideation', confidence: 0.95, start: 0, end: 4, meaning: 'affirmed', signal: 'regex', ...part }) // prettier-ignore
const items = (markers: readonly { marker_type: string }[]) => markers.map(({ marker_type }) => marker_type)

describe('a crisis for a category of the student’s own death', () => {
  it.each(['suicidal_intent', 'suicidal_ideation', 'coded_language', 'self_harm'] as const)('carries item 9: %s', (category) => {
    expect(items(withImpliedMarkers([], { tier: 'crisis', matches: [match({ category })] }))).toEqual(['PHQ9_ITEM_9'])
  }) // prettier-ignore
  it('does not where it is no crisis, or one for another reason', () => {
    expect(withImpliedMarkers([], { tier: 'high', matches: [match({})] })).toEqual([])
    expect(withImpliedMarkers([], { tier: 'crisis', matches: [match({ category: 'harm_to_others' })] })).toEqual([])
  })
  it('stands where what is meant stands, before what is surer and not meant', () => {
    const matches = [match({ confidence: 1, meaning: 'negated' }), match({ start: 9, end: 12 }), match({ confidence: 0.8, start: 20 })] // prettier-ignore
    const [marker] = withImpliedMarkers([], { tier: 'crisis', matches })
    expect(marker).toEqual({ marker_type: 'PHQ9_ITEM_9', confidence: 0.95, start: 9, end: 12 })
  })
  it('keeps the marker that is there', () => {
    const there = { marker_type: 'PHQ9_ITEM_9', confidence: 0.7, start: 3, end: 7 } as const
    expect(withImpliedMarkers([there], { tier: 'crisis', matches: [match({})] })).toEqual([there])
  })
  it('whatever reader found it', () => {
    for (const text of ['I want to end my life', 'i wrote the letters and picked the bridge for tonight']) {
      const { tier, markers } = engine.assess(said(text))
      expect([tier, items(markers).includes('PHQ9_ITEM_9')]).toEqual(['crisis', true])
    }
  })
})

describe('hopelessness', () => {
  it('carries item 2, in the order of places', () => {
    const there = { marker_type: 'PHQ9_ITEM_3', confidence: 0.7, start: 8, end: 12 } as const
    const matches = [match({ category: 'hopelessness', confidence: 0.7 })]
    expect(items(withImpliedMarkers([there], { tier: 'caution', matches }))).toEqual(['PHQ9_ITEM_2', 'PHQ9_ITEM_3'])
  })
  it('does not where it is denied', () => {
    const matches = [match({ category: 'hopelessness', meaning: 'negated' })]
    expect(withImpliedMarkers([], { tier: 'ok', matches })).toEqual([])
  })
})
