/** The drawing of a risk trajectory: bands, lines, shapes, marks, and a drag to zoom. */
import { memo, useMemo, useState, type PointerEvent } from 'react'
import {
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  Tooltip,
  YAxis,
  ZIndexLayer,
  useActiveTooltipDataPoints,
  usePlotArea,
  useXAxisInverseScale,
  useXAxisScale,
  useYAxisScale,
} from 'recharts'
import { isPatternCategory, levelThresholds } from '../../shared/risk.ts'
import type { Trajectory, TrajectoryMark, TrajectoryPoint } from '../../shared/views.ts'
import { TierBadge, fullText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { DoneMark, TierMark } from './tier-mark.tsx'
import { TimeAxis, tickStyle } from './time-axis.tsx'
import { TooltipCard } from './tooltip-card.tsx'
import { draggedRange, gatherMarks, notablePoints, sessionRuns } from './trajectory-rows.ts'

export interface TimeRange {
  from: number
  to: number
}

const text = words.charts.trajectory

const score = (value: number) => value.toFixed(2)
const largeMargin = { top: 40, right: 16, bottom: 0, left: 0 }
const smallMargin = { top: 6, right: 8, bottom: 0, left: 0 }

/*
 * What never changes is made once: the library registers each part anew whenever its element is a new
 * one, and that cost more of a live update than drawing did.
 */
const bands = (
  <>
    <ReferenceArea
      y1={levelThresholds.CAUTION}
      y2={levelThresholds.CRISIS}
      fill="var(--color-caution-ground)"
      fillOpacity={1}
    />
    <ReferenceArea y1={levelThresholds.CRISIS} y2={1} fill="var(--color-crisis-ground)" fillOpacity={1} />
    <ReferenceLine y={levelThresholds.CAUTION} stroke="var(--color-caution)" strokeDasharray="4 3" />
    <ReferenceLine y={levelThresholds.CRISIS} stroke="var(--color-crisis)" strokeDasharray="4 3" />
  </>
)
const scoreAxis = (ticks: number[], width: number) => (
  <YAxis
    domain={[0, 1]}
    includeHidden
    ticks={ticks}
    tickFormatter={score}
    interval={0}
    width={width}
    tick={tickStyle}
    tickLine={false}
    axisLine={false}
  />
)
// The thresholds are named in the axis, where no message can lie over their words.
const largeAxis = scoreAxis([0, 0.25, 0.5, 1], 86)
const smallAxis = scoreAxis([0, levelThresholds.CAUTION, levelThresholds.CRISIS], 38)
const hover = (
  <>
    {/* Only tells the tooltip what there is to say; the lines are drawn below, as a few paths. */}
    <Line dataKey="score" hide isAnimationActive={false} />
    <Tooltip
      isAnimationActive={false}
      includeHidden
      cursor={{ stroke: 'var(--color-line-strong)' }}
      content={({ active, payload }) =>
        active && payload[0] ? <PointCard point={payload[0].payload as TrajectoryPoint} /> : null
      }
    />
  </>
)

/** Drawn again only when the trajectory itself is another one. */
export const TrajectoryPlot = memo(function TrajectoryPlot(props: {
  trajectory: Trajectory
  height: number
  /** Without bands' labels, marks or zoom: for a small place. */
  small?: boolean
  onZoom?: (range: TimeRange) => void
}) {
  const { trajectory, small = false, height, onZoom } = props
  const { points, marks, from, to } = trajectory
  const style = useMemo(() => ({ width: '100%', height }), [height])
  return (
    <ComposedChart
      responsive
      data={points}
      style={style}
      margin={small ? smallMargin : largeMargin}
      title={small ? text.mini : text.name}
      desc={text.all(trajectory.total)}
    >
      {bands}
      <TimeAxis from={from} to={to} />
      {small ? smallAxis : largeAxis}
      {!small && <BandLabels />}
      <SessionLines points={points} small={small} />
      {!small && <Marks marks={marks} from={from} to={to} />}
      <ActivePoint />
      {onZoom && <DragToZoom from={from} to={to} onZoom={onZoom} />}
      {hover}
    </ComposedChart>
  )
})

function PointCard({ point }: { point: TrajectoryPoint }) {
  return (
    <TooltipCard>
      <p className="flex items-center justify-between gap-3">
        <TierBadge tier={point.tier} />
        <span className="font-semibold">{point.score.toFixed(2)}</span>
      </p>
      <p className="text-small text-ink-faint">{fullText(point.at)}</p>
      <p>{reasonsText(point)}</p>
      {point.decided_by && <p className="text-small text-ink-soft">{text.decidedBy[point.decided_by]}</p>}
    </TooltipCard>
  )
}

/** The categories of a message in words, most severe first. */
export function reasonsText(point: TrajectoryPoint): string {
  // Anything that is no known category may be somebody's words about the student.
  const known = point.categories.filter(isPatternCategory)
  return known.length > 0 ? known.map((category) => words.category[category]).join(', ') : text.noReasons
}

const BandLabels = memo(function BandLabels() {
  const area = usePlotArea()
  const y = useYAxisScale()
  if (!area || !y) return null
  const label = (value: number, words: string, color: string) => (
    <text x={area.x - 6} y={(y(value) ?? 0) + 4} fontSize={11} fill={color} fontWeight={600} textAnchor="end">
      {words}
    </text>
  )
  return (
    <ZIndexLayer zIndex={350}>
      <g aria-hidden="true" pointerEvents="none">
        {label(levelThresholds.CRISIS, text.bandCrisis, 'var(--color-crisis)')}
        {label(levelThresholds.CAUTION, text.bandCaution, 'var(--color-caution)')}
      </g>
    </ZIndexLayer>
  )
})

/** One path for all sessions, a dot per quiet message, a tier shape for every other one. */
const SessionLines = memo(function SessionLines({
  points,
  small,
}: {
  points: readonly TrajectoryPoint[]
  small: boolean
}) {
  const x = useXAxisScale()
  const y = useYAxisScale()
  if (!x || !y) return null
  const place = (point: TrajectoryPoint) => ({ x: x(point.at) ?? 0, y: y(point.score) ?? 0 })
  const spot = (point: TrajectoryPoint) => {
    const { x, y } = place(point)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  const lines = sessionRuns(points).map((run) => `M${run.map(spot).join('L')}`)
  const radius = small ? 1.25 : 1.75
  const dots = points
    .filter(({ tier }) => tier === 'ok')
    .map(
      (point) =>
        `M${spot(point)}m-${radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 -${2 * radius} 0`,
    )
  return (
    <ZIndexLayer zIndex={600}>
      <g aria-hidden="true" pointerEvents="none">
        {points.length > 1 && (
          <path
            d={`M${points.map(spot).join('L')}`}
            fill="none"
            stroke="var(--color-series-soft)"
            strokeDasharray="1 4"
          />
        )}
        <path d={lines.join('')} fill="none" stroke="var(--color-series)" strokeWidth={1.5} strokeLinejoin="round" />
        <path d={dots.join('')} fill="var(--color-series)" />
        {notablePoints(points).map((point, index) => (
          <TierMark key={index} tier={point.tier} {...place(point)} size={small ? 7 : 9} />
        ))}
      </g>
    </ZIndexLayer>
  )
})

/** The message the tooltip speaks of. */
const ActivePoint = memo(function ActivePoint() {
  const [point] = useActiveTooltipDataPoints<TrajectoryPoint>() ?? []
  const x = useXAxisScale()
  const y = useYAxisScale()
  if (!point || !x || !y) return null
  return (
    <ZIndexLayer zIndex={1200}>
      <circle
        cx={x(point.at)}
        cy={y(point.score)}
        r={5}
        fill="none"
        stroke="var(--color-focus)"
        strokeWidth={2}
        pointerEvents="none"
      />
    </ZIndexLayer>
  )
})

/** Two lanes above the plot: alerts, and below them what people did; a hairline leads each alert down. */
const Marks = memo(function Marks({ marks, from, to }: { marks: readonly TrajectoryMark[]; from: number; to: number }) {
  const area = usePlotArea()
  const x = useXAxisScale()
  if (!area || !x) return null
  const apart = ((to - from) / Math.max(area.width, 1)) * 12
  const inside = gatherMarks(
    marks.filter(({ at }) => at >= from && at <= to),
    apart,
  )
  return (
    <ZIndexLayer zIndex={650}>
      <g>
        {inside.map((mark) => {
          const at = x(mark.at) ?? 0
          const title = `${text.marks[mark.kind]}: ${fullText(mark.at)}${mark.count > 1 ? `, ${text.several(mark.count)}` : ''}`
          return (
            <g key={`${mark.kind}${mark.at}`}>
              <title>{title}</title>
              {mark.kind === 'alert' ? (
                <>
                  <path
                    d={`M${at} ${area.y - 22}V${area.y + area.height}`}
                    stroke="var(--color-line-strong)"
                    strokeWidth={1}
                    strokeDasharray="1 2"
                  />
                  <TierMark tier={mark.tier} x={at} y={area.y - 28} size={12} />
                </>
              ) : (
                <DoneMark kind={mark.kind} x={at} y={area.y - 11} />
              )}
              {mark.count > 1 && (
                <text
                  x={at + 7}
                  y={mark.kind === 'alert' ? area.y - 30 : area.y - 13}
                  fontSize={9}
                  fill="var(--color-ink-soft)"
                >
                  {mark.count}
                </text>
              )}
            </g>
          )
        })}
      </g>
    </ZIndexLayer>
  )
})

const DragToZoom = memo(function DragToZoom({
  from,
  to,
  onZoom,
}: {
  from: number
  to: number
  onZoom: (range: TimeRange) => void
}) {
  const area = usePlotArea()
  const timeAt = useXAxisInverseScale()
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null)
  if (!area || !timeAt) return null
  const pixel = (event: PointerEvent<SVGElement>) => {
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect()
    return Math.min(Math.max(event.clientX - (box?.left ?? 0), area.x), area.x + area.width)
  }
  const finish = () => {
    if (drag) {
      const range = draggedRange(Number(timeAt(drag.start)), Number(timeAt(drag.end)), { from, to })
      if (range) onZoom(range)
    }
    setDrag(null)
  }
  return (
    <ZIndexLayer zIndex={900}>
      <g>
        {drag && (
          <rect
            x={Math.min(drag.start, drag.end)}
            width={Math.abs(drag.end - drag.start)}
            y={area.y}
            height={area.height}
            fill="var(--color-focus)"
            fillOpacity={0.15}
            stroke="var(--color-focus)"
          />
        )}
        <rect
          x={area.x}
          y={area.y}
          width={area.width}
          height={area.height}
          fill="transparent"
          style={{ cursor: 'crosshair', touchAction: 'pan-y' }}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrag({ start: pixel(event), end: pixel(event) })
          }}
          onPointerMove={(event) => {
            if (drag) setDrag({ ...drag, end: pixel(event) })
          }}
          onPointerUp={finish}
          onPointerCancel={() => setDrag(null)}
        />
      </g>
    </ZIndexLayer>
  )
})
