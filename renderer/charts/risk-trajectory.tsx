/** The figure “Risk trajectory”. */
import { useDeferredValue, type ReactNode } from 'react'
import { decidedText } from '../../shared/risk-words.ts'
import type { Trajectory } from '../../shared/views.ts'
import { Button, EmptyState, TierBadge, TierShape, fullText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { timeCell, type Table } from './csv.ts'
import { ChartFigure, ScrollingTable } from './figure.tsx'
import { DoneMark } from './tier-mark.tsx'
import type { TimeRange } from './plot.tsx'
import { TrajectoryPlot, reasonsText } from './trajectory-plot.tsx'
import { trajectoryEntries } from './trajectory-rows.ts'

const text = words.charts.trajectory

export interface RiskTrajectoryProps {
  trajectory: Trajectory
  /** Buttons that choose the range. */
  ranges?: ReactNode
  /** A range was dragged or chosen; null goes back to the chosen range. */
  onZoom: (range: TimeRange | null) => void
  zoomed: boolean
  /** New messages appear at the right edge. */
  live: boolean
}

/** The consensus score of every message over time, with tier bands, alerts and acknowledgements. */
export function RiskTrajectory(props: RiskTrajectoryProps) {
  // An update that arrives while the last one is being drawn waits for it instead of queueing up.
  const trajectory = useDeferredValue(props.trajectory)
  const { from, to, points, total } = trajectory
  const empty = points.length === 0 && trajectory.marks.length === 0
  const move = (part: number) => props.onZoom({ from: from + (to - from) * part, to: to + (to - from) * part })
  const scale = (factor: number) => {
    const middle = (from + to) / 2
    props.onZoom({
      from: middle - ((to - from) * factor) / 2,
      to: Math.max(middle + ((to - from) * factor) / 2, middle + 30_000),
    })
  }
  return (
    <ChartFigure
      name={text.name}
      fileName="risk-trajectory"
      empty={empty}
      table={() => trajectoryTable(trajectory)}
      richTable={() => <TrajectoryTable trajectory={trajectory} />}
      aside={
        <p className="text-small text-ink-faint">
          {props.live && (
            <span className="me-2 font-semibold text-ink-soft" title={text.liveHint}>
              {text.live}
            </span>
          )}
          {points.length < total ? text.sampled(points.length, total) : text.all(total)}
        </p>
      }
      tools={
        <>
          {props.ranges}
          <span role="group" aria-label={text.zoomGroup} className="flex items-center">
            <Button look="quiet" aria-label={text.earlier} title={text.earlier} onClick={() => move(-0.5)}>
              ←
            </Button>
            <Button
              look="quiet"
              aria-label={text.later}
              title={text.later}
              disabled={!props.zoomed}
              onClick={() => move(0.5)}
            >
              →
            </Button>
            <Button look="quiet" aria-label={text.zoomIn} title={text.zoomIn} onClick={() => scale(0.5)}>
              +
            </Button>
            <Button look="quiet" aria-label={text.zoomOut} title={text.zoomOut} onClick={() => scale(2)}>
              −
            </Button>
          </span>
          {props.zoomed && <Button onClick={() => props.onZoom(null)}>{text.reset}</Button>}
        </>
      }
      note={empty ? undefined : <Legend />}
    >
      {empty ? (
        <EmptyState title={text.empty} />
      ) : (
        <TrajectoryPlot trajectory={trajectory} height={300} onZoom={props.onZoom} />
      )}
    </ChartFigure>
  )
}

function Legend() {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span>{text.note}</span>
      <span className="flex flex-wrap items-center gap-x-3">
        {(['crisis', 'high', 'caution'] as const).map((tier) => (
          <span key={tier} className="inline-flex items-center gap-1">
            <TierShape tier={tier} size={10} /> {words.tier[tier]}
          </span>
        ))}
        {(['acknowledged', 'resolved'] as const).map((kind) => (
          <span key={kind} className="inline-flex items-center gap-1">
            <svg viewBox="-7 -7 14 14" width={14} height={14} aria-hidden="true">
              <DoneMark kind={kind} x={0} y={0} />
            </svg>
            {kind === 'acknowledged' ? text.legendAcknowledged : text.legendResolved}
          </span>
        ))}
      </span>
      <span>{text.dragHint}</span>
    </span>
  )
}

/** The trajectory as cells: one row per message and per mark, newest first. */
function trajectoryTable(trajectory: Trajectory): Table {
  return {
    columns: text.columns,
    rows: trajectoryEntries(trajectory).map(({ at, point, mark }) =>
      point
        ? [
            timeCell(at),
            text.message,
            Number(point.score.toFixed(4)),
            words.tier[point.tier],
            reasonsText(point),
            point.decided_by ?? '',
          ]
        : [timeCell(at), text.marks[mark.kind], null, words.tier[mark.tier], '', ''],
    ),
  }
}

function TrajectoryTable({ trajectory }: { trajectory: Trajectory }) {
  return (
    <ScrollingTable name={text.name} columns={text.columns} rows={trajectoryEntries(trajectory)}>
      {({ at, point, mark }) => (
        <>
          <td className="px-2 py-1 whitespace-nowrap" title={fullText(at)}>
            {timeCell(at).shown}
          </td>
          <td className="px-2 py-1">{mark ? text.marks[mark.kind] : text.message}</td>
          <td className="px-2 py-1">{point?.score.toFixed(2)}</td>
          <td className="px-2 py-1">
            <TierBadge tier={(point ?? mark).tier} />
          </td>
          <td className="px-2 py-1">{point ? reasonsText(point) : ''}</td>
          <td className="px-2 py-1">{point && decidedText(point.decided_by, point.decided_on)}</td>
        </>
      )}
    </ScrollingTable>
  )
}
