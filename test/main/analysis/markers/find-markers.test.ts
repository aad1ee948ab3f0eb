import { describe, expect, it } from 'vitest'
import type { MarkerType } from '../../../../shared/estimates.ts'
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
