/** The table of targets: public labelled text where it is at hand, and the committed golden set. */
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

export interface Verdict {
  tier: RiskTier
  about_other: boolean
}

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

/** The table as text; the ids of rows on the wrong side are listed below it, at most twelve a target. */
export function printSuite(results: readonly TargetResult[]): string {
  const lines = results.map(({ name, source, counts, n, share, ci95, limit, met }) => {
    const wanted = limit ? `${limit.at === 'least' ? '≥' : '≤'} ${percent(limit.share)}` : ''
    const verdict = met === null ? '' : met ? 'met' : 'NOT MET'
    const interval = ci95 ? `${percent(ci95[0])} to ${percent(ci95[1])}` : ''
    return `${name.padEnd(44)} ${counts.padEnd(16)} ${percent(share).padStart(8)}  ${interval.padEnd(20)} ${wanted.padEnd(9)} ${verdict.padEnd(8)} n=${n}  ${source}`
  })
  const wrong = results
    .filter(({ wrong: ids, limit }) => limit && ids.length > 0)
    .map(
      ({ name, source, wrong: ids }) =>
        `  ${name} (${source}): ${ids.slice(0, 12).join(' ')}${ids.length > 12 ? ` and ${ids.length - 12} more` : ''}`,
    )
  return [...lines, '', 'On the wrong side, by id:', ...wrong].join('\n')
}
