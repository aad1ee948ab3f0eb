/** The drawing of a risk trajectory: bands, lines, shapes, marks, and a drag to zoom. */
import { memo, useMemo } from 'react'
import { isPatternCategory, levelThresholds } from '../../shared/risk.ts'
import { decidedText } from '../../shared/risk-words.ts'
import type { Trajectory, TrajectoryMark, TrajectoryPoint } from '../../shared/views.ts'
import { TierBadge, fullText, tierColor } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { TimePlot, usePlot, type TimeRange } from './plot.tsx'
import { DoneMark, TierMark, tierShapes } from './tier-mark.tsx'
import { TooltipCard } from './tooltip-card.tsx'
import { gatherMarks, sessionRuns } from './trajectory-rows.ts'

const text = words.charts.trajectory

// The thresholds are named in the axis, where no message can lie over their words.
const large = {
  margin: { top: 40, right: 16, bottom: 0, left: 86 },
  ticks: [0, 0.25, 0.5, 1].map((value) => ({ value, label: value.toFixed(2) })),
}
const small = {
  margin: { top: 6, right: 8, bottom: 0, left: 38 },
  ticks: [0, levelThresholds.CAUTION, levelThresholds.CRISIS].map((value) => ({ value, label: value.toFixed(2) })),
}

/** Drawn again only when the trajectory itself is another one. */
export const TrajectoryPlot = memo(function TrajectoryPlot(props: {
  trajectory: Trajectory
  height: number
  /** Without bands' labels, marks or zoom: for a small place. */
  small?: boolean
  onZoom?: (range: TimeRange) => void
}) {
  const { trajectory, onZoom } = props
  const { points, marks, from, to, total } = trajectory
  const look = props.small ? small : large
  return (
    <TimePlot
      name={props.small ? text.mini : text.name}
      about={text.all(total)}
      range={useMemo(() => ({ from, to }), [from, to])}
      height={props.height}
      margin={look.margin}
      highest={1}
      ticks={look.ticks}
      points={points}
      card={pointCard}
      valueOf={scoreOf}
      onZoom={onZoom}
    >
      <Bands labels={!props.small} />
      <SessionLines points={points} small={props.small ?? false} />
      {!props.small && <Marks marks={marks} />}
    </TimePlot>
  )
})

const scoreOf = ({ score }: TrajectoryPoint) => score
const pointCard = (point: TrajectoryPoint) => <PointCard point={point} />

function PointCard({ point }: { point: TrajectoryPoint }) {
  return (
    <TooltipCard>
      <p className="flex items-center justify-between gap-3">
        <TierBadge tier={point.tier} />
        <span className="font-semibold">{point.score.toFixed(2)}</span>
      </p>
      <p className="text-small text-ink-faint">{fullText(point.at)}</p>
      <p>{reasonsText(point)}</p>
      {point.tier !== 'ok' && <p>{decidedText(point.decided_by, point.decided_on)}</p>}
    </TooltipCard>
  )
}

/** The categories of a message in words, most severe first. */
export function reasonsText(point: TrajectoryPoint): string {
  // Anything that is no known category may be somebody's words about the student.
  const known = point.categories.filter(isPatternCategory)
  return known.length > 0 ? known.map((category) => words.category[category]).join(', ') : text.noReasons
}

/** The ground of what counts as caution and as crisis, and where each begins. */
const Bands = memo(function Bands({ labels }: { labels: boolean }) {
  const { left, width, y } = usePlot()
  const band = (from: number, to: number, ground: string, edge: string, words: string) => (
    <>
      <path d={`M${left} ${y(from)}h${width}V${y(to)}h${-width}z`} fill={ground} />
      <path d={`M${left} ${y(from)}h${width}`} stroke={edge} strokeDasharray="4 3" />
      {labels && (
        <text x={left - 6} y={y(from) + 4} fontSize={11} fill={edge} fontWeight={600} textAnchor="end">
          {words}
        </text>
      )}
    </>
  )
  const { CAUTION, CRISIS } = levelThresholds
  return (
    <g aria-hidden="true">
      {band(CAUTION, CRISIS, 'var(--color-caution-ground)', 'var(--color-caution)', text.bandCaution)}
      {band(CRISIS, 1, 'var(--color-crisis-ground)', 'var(--color-crisis)', text.bandCrisis)}
    </g>
  )
})

/** One path for all sessions, one for all quiet messages, one for each tier's shapes. */
const SessionLines = memo(function SessionLines({
  points,
  small,
}: {
  points: readonly TrajectoryPoint[]
  small: boolean
}) {
  const { x, y, from, to } = usePlot()
  const paths = useMemo(() => {
    const inside = points.filter(({ at }) => at >= from && at <= to)
    const place = (point: TrajectoryPoint) => ({ x: x(point.at), y: y(point.score) })
    const spot = (point: TrajectoryPoint) => `${x(point.at).toFixed(1)} ${y(point.score).toFixed(1)}`
    const radius = small ? 1.25 : 1.75
    const dot = `m-${radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 -${2 * radius} 0`
    const of = (tier: TrajectoryPoint['tier']) => inside.filter((point) => point.tier === tier)
    return {
      between: inside.length > 1 ? `M${inside.map(spot).join('L')}` : '',
      sessions: sessionRuns(inside)
        .map((run) => `M${run.map(spot).join('L')}`)
        .join(''),
      quiet: of('ok')
        .map((point) => `M${spot(point)}${dot}`)
        .join(''),
      // The most urgent last: they lie on top.
      tiers: (['caution', 'high', 'crisis'] as const).map((tier) => ({
        tier,
        d: tierShapes(tier, of(tier).map(place), small ? 7 : 9),
      })),
    }
  }, [points, small, x, y, from, to])
  return (
    <g aria-hidden="true">
      <path d={paths.between} fill="none" stroke="var(--color-series-soft)" strokeDasharray="1 4" />
      <path
        data-line
        d={paths.sessions}
        fill="none"
        stroke="var(--color-series)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
      <path d={paths.quiet} fill="var(--color-series)" />
      {paths.tiers.map(({ tier, d }) => (
        <path
          key={tier}
          d={d}
          fill={tierColor[tier]}
          stroke="var(--color-surface)"
          strokeWidth={1.25}
          paintOrder="stroke"
        />
      ))}
    </g>
  )
})

/** Two lanes above the plot: alerts, and below them what people did; a hairline leads each alert down. */
const Marks = memo(function Marks({ marks }: { marks: readonly TrajectoryMark[] }) {
  const { from, to, top, width, height, x } = usePlot()
  const apart = ((to - from) / width) * 12
  const inside = gatherMarks(
    marks.filter(({ at }) => at >= from && at <= to),
    apart,
  )
  return (
    <g>
      {inside.map((mark) => {
        const at = x(mark.at)
        const title = `${text.marks[mark.kind]}: ${fullText(mark.at)}${mark.count > 1 ? `, ${text.several(mark.count)}` : ''}`
        return (
          <g key={`${mark.kind}${mark.at}`}>
            <title>{title}</title>
            {mark.kind === 'alert' ? (
              <>
                <path
                  d={`M${at} ${top - 22}V${top + height}`}
                  stroke="var(--color-line-strong)"
                  strokeWidth={1}
                  strokeDasharray="1 2"
                />
                <TierMark tier={mark.tier} x={at} y={top - 28} size={12} />
              </>
            ) : (
              <DoneMark kind={mark.kind} x={at} y={top - 11} />
            )}
            {mark.count > 1 && (
              <text
                x={at + 7}
                y={mark.kind === 'alert' ? top - 30 : top - 13}
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
  )
})
