import { levelThresholds } from '../../shared/risk.ts'
import { words } from '../words/index.ts'
import { sparkRuns } from './spark-runs.ts'

const width = 96
const height = 22
const rim = 4

/**
 * Daily highest scores (0–1, null = no message that day), oldest first. A gap stays a gap. It bears no tier's symbol:
 * the one beside it, of the highest tier, is the student's.
 */
export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return <span className="text-small text-ink-faint">{words.charts.spark.none}</span>
  const x = (index: number) => rim + (index * (width - 2 * rim)) / Math.max(values.length - 1, 1)
  const y = (value: number) => height - rim - value * (height - 2 * rim)
  const threshold = y(levelThresholds.CAUTION)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={words.charts.spark.label(known)}
    >
      <path d={`M0 ${threshold}H${width}`} stroke="var(--color-line-strong)" strokeWidth={0.75} strokeDasharray="2 2" />
      {sparkRuns(values).map((run) => (
        <path
          key={run[0]?.index}
          d={
            run.length === 1
              ? dot(x(run[0]!.index), y(run[0]!.value))
              : `M${run.map(({ index, value }) => `${x(index)} ${y(value)}`).join('L')}`
          }
          fill={run.length === 1 ? 'var(--color-series)' : 'none'}
          stroke="var(--color-series)"
          strokeWidth={run.length === 1 ? 0 : 1.25}
        />
      ))}
    </svg>
  )
}

function dot(x: number, y: number): string {
  return `M${x - 1.5} ${y}a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0`
}
