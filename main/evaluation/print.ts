/** The figures as text for a terminal. */
import { markerNames, markerTypes } from '../../shared/estimates.ts'
import { thresholds, type ByThreshold, type Figures, type Outcome } from './figures.ts'
import type { MarkerFigures, MarkerReport } from './marker-figures.ts'
import type { EvaluationReport } from './run.ts'

const percent = (value: number | null): string =>
  value === null ? '     –' : `${(value * 100).toFixed(1).padStart(5)}%`

function line(name: string, { tp, fn, fp, tn, recall, recall_ci95, precision, fpr, ppv_at }: Figures): string {
  const interval = recall_ci95
    ? `[${percent(recall_ci95[0]).trim()}–${percent(recall_ci95[1]).trim()}]`.padEnd(16)
    : ''.padEnd(16)
  return `  ${name.padEnd(9)} ${percent(recall)} ${interval} precision ${percent(precision)}  false alarms ${percent(fpr)}  ppv@1% ${percent(ppv_at['0.01'])} @5% ${percent(ppv_at['0.05'])}  (tp ${tp} fn ${fn} fp ${fp} tn ${tn})`
}

function block(name: string, figures: ByThreshold): string {
  const name_ = (threshold: string): string => (threshold === 'crisis' ? 'crisis' : `≥ ${threshold}`)
  return [name, ...thresholds.map((threshold) => line(name_(threshold), figures[threshold]))].join('\n')
}

/** A line for each item of which a marker was expected or found. */
function markerBlock({ micro, items }: MarkerReport): string {
  const figures = ({ recall, precision, n }: MarkerFigures): string =>
    `recall ${percent(recall)}  precision ${percent(precision)}  (${n} expected)`
  const known = markerTypes.filter((item) => items[item].n > 0 || items[item].precision !== null)
  return [
    `Item markers  ${figures(micro)}`,
    ...known.map((item) => `  ${item.padEnd(12)} ${figures(items[item])}  ${markerNames[item]}`),
  ].join('\n')
}

export function printReport({ n, thresholds: all, slices, latency_ms, markers }: EvaluationReport): string {
  const names = Object.keys(slices).sort()
  const parts = [block(`All ${n} rows (precision is at the set's own prevalence)`, all)]
  if (names.length > 1 || names[0] !== 'all') parts.push(...names.map((name) => block(name, slices[name]!)))
  if (markers) parts.push(markerBlock(markers))
  parts.push(`Latency per message: p50 ${latency_ms.p50} ms, p95 ${latency_ms.p95} ms, p99 ${latency_ms.p99} ms`)
  return parts.join('\n\n')
}

export function printWorst(title: string, outcomes: readonly Outcome[], textOf: (id: string) => string | null): string {
  const rows = outcomes.map((outcome) => {
    const text = textOf(outcome.id)
    return `  ${outcome.id}  ${outcome.tier} ${outcome.score}${text === null ? '' : `  ${text.replace(/\s+/g, ' ').slice(0, 300)}`}`
  })
  return rows.length === 0 ? `${title}: none` : `${title}:\n${rows.join('\n')}`
}
