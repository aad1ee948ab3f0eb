import { memo } from 'react'
import { Bar, BarChart, Tooltip, XAxis, YAxis } from 'recharts'
import type { RiskTier } from '../../shared/risk.ts'
import { EmptyState, TierBadge, dayText, tierColor } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { dayCell } from './csv.ts'
import { ChartFigure } from './figure.tsx'
import { tickStyle } from './plot.tsx'
import { TooltipCard } from './tooltip-card.tsx'

const text = words.charts.perDay

export interface DayCount {
  /** Local start of the day, UTC milliseconds. */
  day: number
  count: number
}

/** One tier's alerts per day; `highest` gives several charts one scale. */
export const BarsPerDay = memo(function BarsPerDay(props: {
  name: string
  fileName: string
  tier: Exclude<RiskTier, 'ok'>
  days: readonly DayCount[]
  highest?: number
}) {
  const { days, tier } = props
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const highest = Math.max(props.highest ?? 0, ...days.map(({ count }) => count), 4)
  return (
    <ChartFigure
      name={props.name}
      fileName={props.fileName}
      empty={days.length === 0}
      table={() => ({ columns: [text.day, text.alerts], rows: days.map(({ day, count }) => [dayCell(day), count]) })}
      aside={
        <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
          <TierBadge tier={tier} />
          <span>{text.total(total)}</span>
        </p>
      }
    >
      {days.length === 0 ? (
        <EmptyState title={text.empty} />
      ) : (
        <BarChart
          responsive
          data={[...days]}
          style={{ width: '100%', height: 180 }}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          title={props.name}
        >
          <XAxis
            dataKey="day"
            tickFormatter={(day: number) => dayText(day)}
            tick={tickStyle}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line-strong)' }}
            minTickGap={24}
            height={22}
          />
          <YAxis
            domain={[0, highest]}
            allowDecimals={false}
            tickCount={5}
            width={28}
            tick={tickStyle}
            tickLine={false}
            axisLine={false}
          />
          <Bar dataKey="count" fill={tierColor[tier]} maxBarSize={28} isAnimationActive={false} radius={[2, 2, 0, 0]} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--color-hover)' }}
            content={({ active, label }) => {
              const day = days.find((one) => one.day === label)
              if (!active || !day) return null
              return (
                <TooltipCard>
                  <p className="text-small text-ink-faint">{dayText(day.day)}</p>
                  <p className="font-semibold">{text.total(day.count)}</p>
                </TooltipCard>
              )
            }}
          />
        </BarChart>
      )}
    </ChartFigure>
  )
})
