import { memo } from 'react'
import { Bar, BarChart, Tooltip, XAxis, YAxis, ZIndexLayer, usePlotArea, useXAxisScale } from 'recharts'
import type { RiskTier } from '../../shared/risk.ts'
import { EmptyState, TierBadge, dayText, tierColor } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { ChartFigure } from './figure.tsx'
import { tickStyle } from './time-axis.tsx'
import { TooltipCard } from './tooltip-card.tsx'

const text = words.charts.perDay

export interface DayCount {
  /** Local start of the day, UTC milliseconds. */
  day: number
  /** Null = fewer students than the smallest cell: suppressed. */
  count: number | null
}

/** One tier's alerts per day; `highest` gives several charts one scale. Suppressed days are hatched. */
export const BarsPerDay = memo(function BarsPerDay(props: {
  name: string
  fileName: string
  tier: Exclude<RiskTier, 'ok'>
  days: readonly DayCount[]
  smallest?: number
  highest?: number
}) {
  const { days, tier, smallest = 10 } = props
  const shown = (count: number | null) => (count === null ? words.charts.suppressed(smallest) : count)
  const total = days.reduce((sum, { count }) => sum + (count ?? 0), 0)
  const hidden = days.filter(({ count }) => count === null).length
  const highest = Math.max(props.highest ?? 0, ...days.map(({ count }) => count ?? 0), 4)
  return (
    <ChartFigure
      name={props.name}
      fileName={props.fileName}
      empty={days.length === 0}
      table={() => ({ columns: [text.day, text.alerts], rows: days.map(({ day, count }) => [dayText(day), shown(count)]) })}
      aside={
        <p className="flex flex-wrap items-center gap-x-2 text-ink-soft">
          <TierBadge tier={tier} />
          <span>{text.total(total)}</span>
          {hidden > 0 && <span className="text-ink-faint">{text.hidden(hidden, smallest)}</span>}
        </p>
      }
    >
      {days.length === 0 ? (
        <EmptyState title={text.empty} />
      ) : (
        <BarChart responsive data={[...days]} style={{ width: '100%', height: 180 }} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} title={props.name}>
          <XAxis dataKey="day" tickFormatter={(day: number) => dayText(day)} tick={tickStyle} tickLine={false} axisLine={{ stroke: 'var(--color-line-strong)' }} minTickGap={24} height={22} />
          <YAxis domain={[0, highest]} allowDecimals={false} tickCount={5} width={28} tick={tickStyle} tickLine={false} axisLine={false} />
          <Bar dataKey="count" fill={tierColor[tier]} maxBarSize={28} isAnimationActive={false} radius={[2, 2, 0, 0]} />
          <SuppressedDays days={days} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--color-hover)' }}
            filterNull={false}
            content={({ active, label }) => {
              const day = days.find((one) => one.day === label)
              if (!active || !day) return null
              return (
                <TooltipCard>
                  <p className="text-small text-ink-faint">{dayText(day.day)}</p>
                  <p className="font-semibold">{shown(day.count)}</p>
                </TooltipCard>
              )
            }}
          />
        </BarChart>
      )}
    </ChartFigure>
  )
})

/** A hatched foot where a count is withheld; its height says nothing. */
function SuppressedDays({ days }: { days: readonly DayCount[] }) {
  const area = usePlotArea()
  const x = useXAxisScale()
  if (!area || !x) return null
  const band = area.width / Math.max(days.length, 1)
  const width = Math.min(band * 0.8, 28)
  const floor = area.y + area.height
  return (
    <ZIndexLayer zIndex={350}>
      <g aria-hidden="true" pointerEvents="none" stroke="var(--color-ink-faint)" fill="none">
        {days
          .filter(({ count }) => count === null)
          .map(({ day }) => {
            const left = (x(day, { position: 'middle' }) ?? 0) - width / 2
            const steps = Math.max(1, Math.round(width / 4))
            const strokes = Array.from({ length: steps }, (_, index) => `M${left + (index * width) / steps} ${floor - 1}l${width / steps} -8`)
            return <path key={day} d={`${strokes.join('')}M${left} ${floor - 9}h${width}v9h${-width}z`} strokeWidth={0.75} />
          })}
      </g>
    </ZIndexLayer>
  )
}
