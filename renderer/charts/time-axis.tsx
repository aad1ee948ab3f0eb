import { memo, useMemo } from 'react'
import { XAxis, useChartWidth } from 'recharts'
import { clockText, dayText, shownZone } from '../controls/index.ts'
import { localDay, timeTicks } from './time-ticks.ts'

/** Axis labels: 11 px, faint ink. */
export const tickStyle = { fontSize: 11, fill: 'var(--color-ink-faint)' } as const

/** Half of a label's width beyond the margin at the right, px. */
const halfLabel = 12

const axisStroke = { stroke: 'var(--color-line-strong)' }

/** Time on x from `from` to `to` (UTC milliseconds), labelled at round local times with about 80 px each. */
export const TimeAxis = memo(function TimeAxis({ from, to }: { from: number; to: number }) {
  const width = useChartWidth() ?? 600
  const zone = shownZone()
  const axis = useMemo(() => {
    const { at, step } = timeTicks(from, to, Math.max(2, Math.floor((width - 60) / 80)), zone)
    const label = (tick: number) =>
      step >= 86_400_000 || tick === localDay(tick, zone) ? dayText(tick, to) : clockText(tick)
    // A label whose middle is this near the right edge would be cut in half.
    const room = ((to - from) * halfLabel) / Math.max(width - 60, 1)
    return {
      domain: [from, to] as [number, number],
      ticks: at.filter((tick) => tick <= to - room),
      tickFormatter: label,
    }
  }, [from, to, width, zone])
  return (
    <XAxis
      dataKey="at"
      type="number"
      scale="time"
      allowDataOverflow
      includeHidden
      {...axis}
      interval={0}
      tick={tickStyle}
      tickLine={axisStroke}
      axisLine={axisStroke}
      height={22}
    />
  )
})
