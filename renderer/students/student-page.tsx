/** One student: risk trajectory, estimates, items, sessions, alerts. */
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Instrument } from '../../shared/estimates.ts'
import { opensAlert } from '../../shared/risk.ts'
import type { EstimateView, RosterEntry, StudentRow } from '../../shared/views.ts'
import { CopyLink, trpc } from '../app/index.ts'
import { EstimateChart, ItemHeatMap } from '../charts/index.ts'
import {
  Button,
  ChoiceButtons,
  ErrorNotice,
  StudentName,
  TierBadge,
  queryClient,
  useQuery,
  useSubscription,
  type Answer,
} from '../controls/index.ts'
import { FollowUps, SafetyPlanPanel } from '../student-records/index.ts'
import { words } from '../words/index.ts'
import { StudentSessions } from './student-sessions.tsx'
import { TrajectoryPanel } from './trajectory-panel.tsx'
import { trendText } from './trend-text.ts'

const text = words.students
type Window = 14 | 30

/** Each part asks for itself, so that what changes with every message draws nothing else again. */
export function StudentPage({ student_hash, onBack }: { student_hash: string; onBack: () => void }) {
  useLive(student_hash)
  // The trajectory is painted first; what stands below it follows at once, in a second step.
  const below = useDeferredValue(true, false)
  return (
    <article aria-label={text.page} className="mx-auto flex max-w-[110rem] flex-col gap-3 p-3">
      <Header student_hash={student_hash} onBack={onBack} />
      <TrajectoryPanel student_hash={student_hash} />
      {below && <Kept student_hash={student_hash} />}
      {below && <Estimates student_hash={student_hash} />}
      {below && <StudentSessions student_hash={student_hash} />}
    </article>
  )
}

/** What people wrote about the student: the safety plan, and what is still to be done. */
function Kept({ student_hash }: { student_hash: string }) {
  const student = useStudent(student_hash).data?.student
  if (!student) return null
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(24rem,100%),1fr))] items-start gap-3">
      <SafetyPlanPanel student={student} />
      <FollowUps student={student} />
    </div>
  )
}

function Estimates({ student_hash }: { student_hash: string }) {
  const [window_days, setWindow] = useState<Window>(30)
  const phq9 = useEstimate(student_hash, 'phq9', window_days)
  const gad7 = useEstimate(student_hash, 'gad7', window_days)
  const views = useMemo(() => [phq9.data, gad7.data].filter((view) => view !== undefined), [phq9.data, gad7.data])
  return (
    <section aria-label={text.estimates} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-base font-semibold">{text.estimates}</h2>
        <ChoiceButtons
          label={text.window}
          chosen={window_days}
          choices={([14, 30] as const).map((days) => ({ value: days, label: text.windowDays(days) }))}
          onChoose={setWindow}
        />
        <span className="text-small text-ink-faint">{text.windowHint}</span>
      </div>
      <AlertFirst student_hash={student_hash} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(24rem,100%),1fr))] gap-3">
        {[phq9, gad7].map((answer, index) => (
          <Estimate key={index} answer={answer} />
        ))}
      </div>
      {views.length > 0 && <ItemHeatMap views={views} />}
    </section>
  )
}

/** What was said stands before any estimate: a quiet number never overrules it. */
function AlertFirst({ student_hash }: { student_hash: string }) {
  const row = useStudent(student_hash).data
  if (!row || (row.open_alerts === 0 && !opensAlert(row.tier))) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 font-semibold">
      <TierBadge tier={row.tier} strong />
      {row.open_alerts > 0 ? text.openAlerts(row.open_alerts) : text.recentAlert}
      <span className="font-normal text-ink-soft">{text.estimatesLower}</span>
    </p>
  )
}

/** How often estimates and sessions follow a live conversation, milliseconds: they move by the day. */
const slowPace = 5000

/** The trajectory follows every message; the rest follows at a slower pace, and always comes to the last state. */
function useLive(student_hash: string): void {
  const slow = useRef<ReturnType<typeof setTimeout> | null>(null)
  const ask = (fast: boolean) =>
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [name, hash] }) =>
        hash === student_hash && (name === 'trajectory' || name === 'student') === fast,
    })
  useSubscription<{ at: number }>(
    (on) => trpc.students.changes.subscribe({ student_hash }, on),
    () => {
      ask(true)
      slow.current ??= setTimeout(() => {
        slow.current = null
        ask(false)
      }, slowPace)
    },
    [student_hash],
  )
  useEffect(
    () => () => {
      if (slow.current) clearTimeout(slow.current)
      slow.current = null
    },
    [student_hash],
  )
}

function useEstimate(student_hash: string, instrument: Instrument, window_days: Window): Answer<EstimateView> {
  return useQuery<EstimateView>(
    ['estimate', student_hash, instrument, window_days],
    () => trpc.students.estimates.query({ student_hash, instrument, window_days }),
    { keep: true },
  )
}

function Estimate({ answer }: { answer: Answer<EstimateView> }) {
  if (answer.error && !answer.data) return <ErrorNotice inset error={answer.error} onRetry={answer.refetch} />
  if (!answer.data) return <p className="rounded border bg-surface p-3 text-ink-faint">{words.charts.loading}</p>
  return <EstimateChart view={answer.data} />
}

function useStudent(student_hash: string): Answer<StudentRow & { roster: RosterEntry | null }> {
  return useQuery<StudentRow & { roster: RosterEntry | null }>(['student', student_hash], () =>
    trpc.students.get.query({ student_hash }),
  )
}

function Header({ student_hash, onBack }: { student_hash: string; onBack: () => void }) {
  const student = useStudent(student_hash)
  const row = student.data
  return (
    <header className="flex flex-col gap-1">
      {student.error && <ErrorNotice inset error={student.error} onRetry={student.refetch} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Button look="quiet" onClick={onBack} className="-ms-2.5">
          ← {text.back}
        </Button>
        {row && <CopyLink kind="students" subject={student_hash} />}
      </div>
      {row ? (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <h1 className="text-large">
              <StudentName student={row.student} more />
            </h1>
            <TierBadge tier={row.tier} strong />
            <span className="text-ink-soft">{trendText(row)}</span>
            {row.open_alerts > 0 && <span className="font-semibold">{text.openAlerts(row.open_alerts)}</span>}
          </div>
          <p className="text-ink-faint">
            {[
              text.tierNotice,
              row.counselor === null ? null : text.counselor(row.counselor),
              text.sessions(row.sessions),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </p>
        </>
      ) : (
        <p className="text-ink-faint">{text.loading}</p>
      )}
    </header>
  )
}
