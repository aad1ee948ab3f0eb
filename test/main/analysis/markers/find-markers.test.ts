import { describe, expect, it } from 'vitest'
import { markerTypes, type MarkerType } from '../../../../shared/estimates.ts'
import { detectionData, said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

/** One risk pattern is as many as none: an engine of few phrases is built in no time. */
const { patterns, context } = detectionData
const noPatterns = {
  patterns: { ...patterns, groups: patterns.groups.slice(-1), parts: {}, combinations: [] },
  context: { ...context, idioms: context.idioms.slice(0, 1) },
}

/** The markers of a message, where only these phrases stand for items. */
function marked(text: string, phrases: Partial<Record<MarkerType, string[]>>) {
  const none = Object.entries(detectionData.markers.items).map(([item, data]) => [
    item,
    { ...data, phrases: ['a phrase that nobody says'] },
  ])
  const items = Object.fromEntries(none) as typeof detectionData.markers.items
  for (const [item, given] of Object.entries(phrases)) items[item as MarkerType].phrases = given
  const { markers } = rulesOnly({ ...noPatterns, markers: { ...detectionData.markers, items } }).assess(said(text))
  return markers.map(({ marker_type, start, end }) => [marker_type, text.slice(start, end)])
}

describe('items of the instruments', () => {
  it('each have their marker, the first first, when one phrase stands for several', () => {
    const shared = { PHQ9_ITEM_8: ['pacing around'], PHQ9_ITEM_4: ['pacing around'], GAD7_ITEM_5: ['pacing around'] }
    expect(marked('i keep pacing around', shared)).toEqual([
      ['GAD7_ITEM_5', 'pacing around'],
      ['PHQ9_ITEM_4', 'pacing around'],
      ['PHQ9_ITEM_8', 'pacing around'],
    ])
    const turned = { PHQ9_ITEM_4: ['(pacing|walking) around'], PHQ9_ITEM_1: ['pacing (about|around)'] }
    expect(marked('i keep pacing around', turned).map(([item]) => item)).toEqual(['PHQ9_ITEM_1', 'PHQ9_ITEM_4'])
  })
  it('keep that order when their words begin in one contraction', () => {
    const phrases = { PHQ9_ITEM_7: ['not think straight'], PHQ9_ITEM_4: ['can not'] }
    expect(marked('i cant think straight', phrases)).toEqual([
      ['PHQ9_ITEM_4', 'cant'],
      ['PHQ9_ITEM_7', 'cant think straight'],
    ])
  })
  it('are not marked by a phrase inside a longer one of another item', () => {
    const { markers } = rulesOnly().assess(said('i am tired all the time'))
    expect(markers.map(({ marker_type }) => marker_type)).toEqual(['PHQ9_ITEM_4'])
  })
  it('are not marked by what is denied, or said of somebody else', () => {
    expect(marked('i am not tired', { PHQ9_ITEM_3: ['tired'] })).toEqual([])
    expect(marked('she is tired', { PHQ9_ITEM_3: ['tired'] })).toEqual([])
    expect(marked('what if i am tired', { PHQ9_ITEM_3: ['tired'] })).toHaveLength(1)
  })
})

describe('a reader that is sure of every item', () => {
  /** The items marked by a reader whose every logit is 10 (odds of 22,026), where a threshold asks for these odds. */
  const markedAt = (odds: number, text: string): string[] => {
    const threshold = odds / (1 + odds)
    const calibration = Object.fromEntries(markerTypes.map((item) => [item, { slope: 1, offset: 0, threshold, doubt: 0 }])) as typeof detectionData.markerModel.calibration // prettier-ignore
    const weights = new Int8Array(2 * markerTypes.length)
    const markerModel = { ...detectionData.markerModel, buckets: 2, bias: markerTypes.map(() => 10), weights, calibration } // prettier-ignore
    return rulesOnly({ ...noPatterns, markerModel })
      .assess(said(text))
      .markers.map(({ marker_type }) => marker_type)
  }

  it('does not overrule the context rules on an item whose phrase is denied', () => {
    const items = markedAt(100, 'i am not tired')
    expect(items).not.toContain('PHQ9_ITEM_3')
    expect(items).toContain('PHQ9_ITEM_5')
  })
  it('asks for more where the words are another item’s already', () => {
    expect(markedAt(100, 'i feel tired today').length).toBeGreaterThan(2)
    expect(markedAt(20_000, 'i feel tired today')).toEqual(['PHQ9_ITEM_3'])
    expect(markedAt(20_000, 'i walk home')).toHaveLength(1)
  })
  it('adds nothing to a phrase that is the whole message', () => {
    expect(markedAt(100, 'tired')).toEqual(['PHQ9_ITEM_3'])
  })
  it('marks nothing where somebody else is spoken of, or nothing is said', () => {
    expect(markedAt(100, 'she walks home')).toEqual([])
    expect(markedAt(100, '...')).toEqual([])
  })
})
