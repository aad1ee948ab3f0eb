/** The targets of the item markers. The texts are passed in; nothing is read here. */
import type { MarkerType } from '../../shared/estimates.ts'
import type { PatternCategory, RiskTier } from '../../shared/risk.ts'
import { itemsOfConstructs, type Constructs } from './fit/index.ts'
import { ratio, wilson } from './figures.ts'
import type { SuiteRow, TargetResult } from './suite.ts'
import type { Source } from './targets.ts'

/** What of an assessment the targets look at. */
export interface MarkerVerdict {
  tier: RiskTier
  categories: readonly PatternCategory[]
  markers: readonly { marker_type: MarkerType }[]
}

const suicidal: ReadonlySet<PatternCategory> = new Set(['suicidal_intent', 'suicidal_ideation', 'coded_language'])

/**
 * Measures the item markers: the right item on clinicians’ phrases of three words and more, any item on ordinary talk,
 * and item 9 on what is a crisis for a suicidal category. `constructs` says which items a construct speaks of.
 */
export function measureMarkers(
  publicSet: Source,
  golden: Source,
  constructs: Constructs,
  assess: (text: string) => MarkerVerdict,
): TargetResult[] {
  const row = (json: Record<string, unknown>): SuiteRow => ({ id: String(json['id']), text: String(json['text']) })
  const marked = (text: string): MarkerType[] => assess(text).markers.map(({ marker_type }) => marker_type)
  const phrases = publicSet('suicide_risk_phrases').flatMap(({ id, phrase, constructs: filed }) => {
    const { items } = itemsOfConstructs(constructs, filed as string[])
    return items.length > 0 && String(phrase).split(/\s+/).length >= 3
      ? [{ id: String(id), text: String(phrase), items }]
      : []
  })
  const ordinary = [
    ...publicSet('goemotions_ordinary').filter(({ subset }) => subset === 'ordinary'),
    ...publicSet('isarcasm_tweets'),
  ].map(row)
  const crises = ['explicit', 'hard-crisis', 'indirect', 'misleading-negation', 'stranger-first', 'stranger-second']
    .flatMap((file) => golden(file).map(row))
    .map((each) => ({ ...each, verdict: assess(each.text) }))
    .filter(({ verdict }) => verdict.tier === 'crisis' && verdict.categories.some((name) => suicidal.has(name)))
  return [
    resultOf(
      { name: 'item markers: clinicians’ phrases of 3+ words', source: 'suicide_risk_phrases (fitted on)', counts: 'the right item', limit: { at: 'least', share: 0.75 } },
      phrases.map(({ id, text, items }) => ({ id, hit: marked(text).some((item) => items.includes(item)) })),
    ),
    resultOf(
      { name: 'item markers: ordinary talk', source: 'goemotions, isarcasm (fitted on)', counts: 'any item', limit: { at: 'most', share: 0.03 } },
      ordinary.map(({ id, text }) => ({ id, hit: marked(text).length > 0 })),
    ),
    resultOf(
      { name: 'item markers: crisis for a suicidal category', source: 'golden', counts: 'item 9', limit: { at: 'least', share: 1 } },
      crises.map(({ id, verdict }) => ({ id, hit: verdict.markers.some(({ marker_type }) => marker_type === 'PHQ9_ITEM_9') })),
    ),
  ].filter(({ n }) => n > 0)
} // prettier-ignore

function resultOf(
  target: Pick<TargetResult, 'name' | 'source' | 'counts'> & { limit: NonNullable<TargetResult['limit']> },
  judged: readonly { id: string; hit: boolean }[],
): TargetResult {
  const { at, share } = target.limit
  const [n, hits] = [judged.length, judged.filter(({ hit }) => hit).length]
  const met = n === 0 ? null : at === 'least' ? hits >= share * n : hits <= share * n
  const wrong = judged.filter(({ hit }) => hit !== (at === 'least')).map(({ id }) => id)
  return { ...target, n, hits, share: ratio(hits, n), ci95: wilson(hits, n), met, wrong }
}
