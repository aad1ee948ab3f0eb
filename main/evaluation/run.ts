/** Runs the engine over rows and measures it. */
import { quantile } from '../../shared/quantile.ts'
import { tierRank } from '../../shared/risk.ts'
import { recentMessages, rollingWindow, type AssessmentInput, type Engine } from '../analysis/index.ts'
import { figuresOf, round, type ByThreshold, type Outcome } from './figures.ts'
import type { Row } from './rows.ts'

/** The JSON of `npm run evaluate`; rates are null where a set has no such rows. */
export interface EvaluationReport {
  n: number
  thresholds: ByThreshold
  slices: Record<string, ByThreshold>
  latency_ms: { p50: number; p95: number; p99: number }
}

/** Assesses every row; `now` is a millisecond stopwatch, `progress` hears the number done. */
export function assessRows(
  engine: Engine,
  rows: readonly Row[],
  now: () => number,
  progress: (done: number) => void = () => {},
): Outcome[] {
  return rows.map((row, index) => {
    const input = inputOf(engine, row)
    const started = now()
    const { tier, score } = engine.assess(input)
    const latency_ms = now() - started
    progress(index + 1)
    return { id: row.id, slice: row.slice, truth: row.truth, tier, score, latency_ms }
  })
}

/** What the engine would know at this message: the session is played up to it. */
export function inputOf(
  engine: Engine,
  { text, at, history, earlier }: Pick<Row, 'text' | 'at' | 'history' | 'earlier'>,
): AssessmentInput {
  // prettier-ignore
  const session: Pick<AssessmentInput, 'recent' | 'previous'> = { recent: [], previous: [] }
  const markers = [...history]
  for (const message of earlier) {
    if (message.role === 'student') {
      const { tier, sentiment, categories, markers: found } = engine.assess({ text: message.text, at, history: markers, ...session }) // prettier-ignore
      session.previous = [...session.previous, { tier, sentiment, categories }].slice(-rollingWindow)
      markers.push(...found.map(({ marker_type, confidence }) => ({ marker_type, confidence, at })))
    }
    session.recent = [...session.recent, message].slice(-recentMessages)
  }
  return { text, at, history: markers, ...session }
}

export function reportOf(outcomes: readonly Outcome[]): EvaluationReport {
  const bySlice = Map.groupBy(outcomes, ({ slice }) => slice)
  const latencies = outcomes.map(({ latency_ms }) => latency_ms)
  const latency = (share: number): number => round(quantile(latencies, share) ?? 0)
  return {
    n: outcomes.length,
    thresholds: figuresOf(outcomes),
    slices: Object.fromEntries([...bySlice].map(([slice, of]) => [slice, figuresOf(of)])),
    latency_ms: { p50: latency(0.5), p95: latency(0.95), p99: latency(0.99) },
  }
}

/** The worst errors by id: positives that were rated lowest, then negatives that were rated highest. */
export function worstOf(outcomes: readonly Outcome[], most = 20): { missed: Outcome[]; false_alarms: Outcome[] } {
  const wanted = ({ truth }: Outcome): number =>
    'tier' in truth ? tierRank(truth.tier) : truth.label === 1 ? tierRank('caution') : tierRank('ok')
  const gap = (outcome: Outcome): number => wanted(outcome) - tierRank(outcome.tier)
  const isNegative = (outcome: Outcome): boolean => wanted(outcome) === 0
  const missed = outcomes.filter((outcome) => gap(outcome) > 0).sort((a, b) => gap(b) - gap(a) || a.score - b.score)
  const false_alarms = outcomes
    .filter((outcome) => isNegative(outcome) && outcome.tier !== 'ok')
    .sort((a, b) => b.score - a.score)
  return { missed: missed.slice(0, most), false_alarms: false_alarms.slice(0, most) }
}
