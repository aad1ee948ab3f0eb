import { XAxis, useChartWidth } from 'recharts'
import { clockText, dayText, shownZone } from '../controls/index.ts'
import { localDay, timeTicks } from './time-ticks.ts'

/** Axis labels: 11 px, faint ink. */
export const tickStyle = { fontSize: 11, fill: 'var(--color-ink-faint)' } as const

/** Time on x from `from` to `to` (UTC milliseconds), labelled at round local times with about 80 px each. */
export function TimeAxis({ from, to, hide = false }: { from: number; to: number; hide?: boolean }) {
  const width = useChartWidth() ?? 600
  const zone = shownZone()
  const { at, step } = timeTicks(from, to, Math.max(2, Math.floor((width - 60) / 80)), zone)
  const label = (tick: number) =>
    step >= 86_400_000 || tick === localDay(tick, zone) ? dayText(tick, to) : clockText(tick)
  return (
    <XAxis
      dataKey="at"
      type="number"
      scale="time"
      domain={[from, to]}
      allowDataOverflow
      ticks={at}
      tickFormatter={label}
      interval={0}
      tick={tickStyle}
      tickLine={{ stroke: 'var(--color-line-strong)' }}
      axisLine={{ stroke: 'var(--color-line-strong)' }}
      height={22}
      hide={hide}
    />
  )
}
