/** The student's risk trajectory with its ranges, zoom and live edge, and the alerts in what is shown. */
import { memo, useCallback, useState } from 'react'
import type { Trajectory, TrajectoryMark } from '../../shared/views.ts'
import { goTo, trpc } from '../app/index.ts'
import { RiskTrajectory } from '../charts/index.ts'
import { Button, ChoiceButtons, Clock, ErrorNotice, Panel, TierBadge, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { alertsOfMarks } from './alert-marks.ts'
import { askedRange, keptZoom, ranges, withAskedRange, type RangeName, type TimeRange } from './ranges.ts'

const text = words.students
const choices = ranges.map((value) => ({ value, label: text.ranges[value] }))
const mostAlerts = 12

export function TrajectoryPanel({ student_hash }: { student_hash: string }) {
  const [range, setRange] = useState<RangeName>('month')
  const [zoom, setZoom] = useState<TimeRange | null>(null)
  const zoomTo = useCallback((next: TimeRange | null) => setZoom(keptZoom(next, Date.now())), [])
  const answer = useQuery<Trajectory>(
    ['trajectory', student_hash, range, zoom?.from, zoom?.to],
    async () => {
      const asked = askedRange(range, zoom, Date.now())
      return withAskedRange(await trpc.students.trajectory.query({ student_hash, ...asked }), asked)
    },
    { keep: true },
  )
  if (answer.error && !answer.data) return <ErrorNotice inset error={answer.error} onRetry={answer.refetch} />
  if (!answer.data) return <p className="h-80 rounded border bg-surface p-3 text-ink-faint">{words.charts.loading}</p>
  return (
    <>
      <RiskTrajectory
        trajectory={answer.data}
        zoomed={zoom !== null}
        live={zoom === null}
        onZoom={zoomTo}
        ranges={
          <ChoiceButtons
            label={text.ranges.label}
            chosen={zoom ? null : range}
            choices={choices}
            onChoose={(next) => {
              setZoom(null)
              setRange(next)
            }}
          />
        }
      />
      <AlertsInRange marks={answer.data.marks} />
    </>
  )
}

/** A new message leaves the marks as they are: nothing is drawn again. */
const AlertsInRange = memo(function AlertsInRange({ marks }: { marks: TrajectoryMark[] }) {
  const alerts = alertsOfMarks(marks).slice(0, mostAlerts)
  if (alerts.length === 0) return null
  return (
    <Panel title={text.alertsTitle}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(26rem,100%),1fr))] gap-x-6">
        {alerts.map((alert) => (
          <li key={alert.key} className="flex flex-wrap items-center gap-x-3 border-b py-1">
            <TierBadge tier={alert.tier} />
            {alert.raised_at !== null && (
              <span>
                {text.raised} <Clock at={alert.raised_at} />
              </span>
            )}
            <span className="text-ink-faint">
              {alert.resolved_at !== null ? (
                <>
                  {text.resolved} <Clock at={alert.resolved_at} />
                </>
              ) : alert.acknowledged_at !== null ? (
                <>
                  {text.acknowledged} <Clock at={alert.acknowledged_at} />
                </>
              ) : (
                text.notAcknowledged
              )}
            </span>
            <Button look="quiet" className="ms-auto" onClick={() => goTo('alerts', alert.key)}>
              {text.openAlert}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
})
