import type { ReactNode } from 'react'
import { Bar, BarChart, LabelList, Rectangle, ReferenceLine, Tooltip, XAxis, YAxis, type BarShapeProps } from 'recharts'
import { EmptyState } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { ChartFigure } from './figure.tsx'
import { binLabels, type Bin } from './histogram-bins.ts'
import { tickStyle } from './plot.tsx'
import { TooltipCard } from './tooltip-card.tsx'

const text = words.charts.histogram

/** Counts by minutes. Bins within `targetMinutes` are filled, later ones hollow; a line stands at the target. */
export function Histogram(props: {
  name: string
  fileName: string
  bins: readonly Bin[]
  targetMinutes: number
  aside?: ReactNode
  empty: string
}) {
  const labels = binLabels(props.bins)
  const rows = props.bins.map((bin, index) => ({
    label: labels[index] ?? '',
    count: bin.count,
    late: bin.up_to_minutes === null || bin.up_to_minutes > props.targetMinutes,
  }))
  const empty = props.bins.every(({ count }) => count === 0)
  const lastInTime = rows.filter(({ late }) => !late).at(-1)?.label
  return (
    <ChartFigure
      name={props.name}
      fileName={props.fileName}
      aside={props.aside}
      empty={empty}
      table={() => ({ columns: [text.minutes, text.count], rows: rows.map(({ label, count }) => [label, count]) })}
      note={empty ? undefined : text.note(props.targetMinutes)}
    >
      {empty ? (
        <EmptyState title={props.empty} />
      ) : (
        <BarChart
          responsive
          data={rows}
          style={{ width: '100%', height: 200 }}
          margin={{ top: 18, right: 8, bottom: 0, left: 0 }}
          title={props.name}
        >
          <XAxis
            dataKey="label"
            tick={tickStyle}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line-strong)' }}
            interval={0}
            height={22}
          />
          <YAxis allowDecimals={false} width={32} tick={tickStyle} tickLine={false} axisLine={false} />
          {lastInTime !== undefined && (
            <ReferenceLine
              x={lastInTime}
              position="end"
              stroke="var(--color-focus)"
              strokeDasharray="4 3"
              label={{
                value: text.target(props.targetMinutes),
                position: 'insideTopLeft',
                fontSize: 11,
                fill: 'var(--color-ink-soft)',
              }}
            />
          )}
          <Bar dataKey="count" maxBarSize={56} isAnimationActive={false} shape={BinShape}>
            <LabelList dataKey="count" position="top" fontSize={11} fill="var(--color-ink-soft)" />
          </Bar>
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--color-hover)' }}
            content={({ active, label, payload }) =>
              active && payload[0] ? (
                <TooltipCard>
                  <p className="text-small text-ink-faint">{text.bin(String(label))}</p>
                  <p className="font-semibold">{text.alerts(Number(payload[0].value))}</p>
                </TooltipCard>
              ) : null
            }
          />
        </BarChart>
      )}
    </ChartFigure>
  )
}

function BinShape(props: BarShapeProps) {
  const late = (props.payload as { late: boolean }).late
  return (
    <Rectangle
      x={props.x}
      y={props.y}
      width={props.width}
      height={props.height}
      radius={[2, 2, 0, 0]}
      fill={late ? 'var(--color-surface)' : 'var(--color-series)'}
      stroke="var(--color-series)"
      strokeWidth={1.5}
      strokeDasharray={late ? '3 2' : undefined}
      isAnimationActive={false}
    />
  )
}
