/** Figures of item markers: of those expected how many were found, and of those found how many were expected. */
import { markerTypes, type MarkerType } from '../../shared/estimates.ts'
import { ratio, type Outcome } from './figures.ts'

/** Rates are null where nothing was expected, or nothing found; `n` is the number of expected markers. */
export interface MarkerFigures {
  recall: number | null
  precision: number | null
  n: number
}

export interface MarkerReport {
  /** All items together. */
  micro: MarkerFigures
  items: Record<MarkerType, MarkerFigures>
}

/** The figures of the rows that say which markers are expected; null where none does. */
export function markerReportOf(outcomes: readonly Outcome[]): MarkerReport | null {
  const judged = outcomes.flatMap(({ expected_markers: expected, markers }) =>
    expected ? [{ expected, markers }] : [],
  )
  if (judged.length === 0) return null
  const figuresOf = (items: readonly MarkerType[]): MarkerFigures => {
    let [expected, found, both] = [0, 0, 0]
    for (const row of judged)
      for (const item of items) {
        const [isExpected, isFound] = [row.expected.includes(item), row.markers.includes(item)]
        if (isExpected) expected += 1
        if (isFound) found += 1
        if (isExpected && isFound) both += 1
      }
    return { recall: ratio(both, expected), precision: ratio(both, found), n: expected }
  }
  const items = markerTypes.map((item) => [item, figuresOf([item])] as const)
  return { micro: figuresOf(markerTypes), items: Object.fromEntries(items) as MarkerReport['items'] }
}
