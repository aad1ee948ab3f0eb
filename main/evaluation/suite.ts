/** The table of targets: public labelled text where it is at hand, and the committed golden set. */
import type { Assessment } from '../../shared/assessment.ts'
import { tierRank, type RiskTier } from '../../shared/risk.ts'
import type { ConversationMessage } from '../analysis/index.ts'
import { ratio, wilson } from './figures.ts'

/** A text with what must be found in it, as a target counts it. */
export interface SuiteRow {
  id: string
  text: string
  /** Messages of the same conversation before it, oldest first; none where it stands alone. */
  history?: ConversationMessage[]
}

export type Verdict = Pick<Assessment, 'tier' | 'about_other' | 'signals' | 'categories' | 'markers'>

export interface Target {
  name: string
  source: string
  /** What is counted: a share of the rows that do something. */
  counts: string
  /** Met when the share is at least (or at most) this; null = shown for information. */
  limit: { at: 'least' | 'most'; share: number } | null
  rows: SuiteRow[]
  hit(verdict: Verdict): boolean
}

export interface TargetResult {
  name: string
  source: string
  counts: string
  n: number
  hits: number
  share: number | null
  ci95: [number, number] | null
  limit: Target['limit']
  met: boolean | null
  /** Rows on the wrong side of the target, by id. */
  wrong: string[]
}

/** What a run is compared with: an earlier run's shares by target. */
export type Baseline = ReadonlyMap<string, number | null>

/** The name of a target among all. */
const keyOf = ({ name, source, counts }: Pick<Target, 'name' | 'source' | 'counts'>): string =>
  [name, source, counts].join(' | ')

export const atLeast =
  (tier: RiskTier) =>
  (verdict: Verdict): boolean =>
    tierRank(verdict.tier) >= tierRank(tier)

/** Measures one target. A target without rows is neither met nor missed. */
export function measure(target: Target, assess: (row: SuiteRow) => Verdict): TargetResult {
  const judged = target.rows.map((row) => ({ id: row.id, hit: target.hit(assess(row)) }))
  const hits = judged.filter(({ hit }) => hit).length
  const n = judged.length
  const { name, source, counts, limit } = target
  const share = ratio(hits, n)
  const wantHit = limit?.at !== 'most'
  const met = share === null || !limit ? null : limit.at === 'least' ? hits >= limit.share * n : hits <= limit.share * n
  return { name, source, counts, n, hits, share, ci95: wilson(hits, n), limit, met, wrong: judged.filter(({ hit }) => hit !== wantHit).map(({ id }) => id) } // prettier-ignore
}

const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(1)} %`)

/** The table as text, with an earlier run beside it; the ids of rows on the wrong side are listed below it, at most twelve a target. */
export function printSuite(results: readonly TargetResult[], before: Baseline): string {
  const lines = results.map((result) => {
    const { name, source, counts, n, share, ci95, limit, met } = result
    const wanted = limit ? `${limit.at === 'least' ? '≥' : '≤'} ${percent(limit.share)}` : ''
    const verdict = met === null ? '' : met ? 'met' : 'NOT MET'
    const interval = ci95 ? `${percent(ci95[0])} to ${percent(ci95[1])}` : ''
    const earlier = percent(before.get(keyOf(result)) ?? null)
    return `${name.padEnd(52)} ${counts.padEnd(16)} ${earlier.padStart(8)} ${percent(share).padStart(8)}  ${interval.padEnd(20)} ${wanted.padEnd(9)} ${verdict.padEnd(8)} n=${n}  ${source}`
  })
  const head = `${''.padEnd(52)} ${'counted as found'.padEnd(16)} ${'before'.padStart(8)} ${'now'.padStart(8)}  ${'95 % interval'.padEnd(20)} asked`
  const wrong = results
    .filter(({ wrong: ids, limit }) => limit && ids.length > 0)
    .map(
      ({ name, source, wrong: ids }) =>
        `  ${name} (${source}): ${ids.slice(0, 12).join(' ')}${ids.length > 12 ? ` and ${ids.length - 12} more` : ''}`,
    )
  return [head, ...lines, '', 'On the wrong side, by id:', ...wrong].join('\n')
}
