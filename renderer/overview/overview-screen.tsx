/** Overview: alerts per day and tier, time to acknowledge; in aggregate only. */
import { useEffect, useState, type ReactNode } from 'react'
import type { OverviewView } from '../../shared/views.ts'
import { trpc, useMay } from '../app/index.ts'
import { BarsPerDay, Histogram } from '../charts/index.ts'
import { ChoiceButtons, EmptyState, ErrorNotice, countdownText, dayText, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.overview
type Period = 7 | 30 | 90
const periods = ([7, 30, 90] as const).map((value) => ({ value, label: text.days(value) }))
/** How often the figures are asked for again while they are looked at (milliseconds). */
const freshness = 30_000

export function OverviewScreen() {
  const allowed = useMay('overview.see')
  if (!allowed) return <EmptyState title={text.notForRole}>{text.notForRoleHint}</EmptyState>
  return <Overview />
}

function Overview() {
  const [days, setDays] = useState<Period>(30)
  const answer = useQuery<OverviewView>(['overview', days], () => trpc.overview.get.query({ days }), { keep: true })
  const { refetch } = answer
  useEffect(() => {
    const timer = setInterval(refetch, freshness)
    return () => clearInterval(timer)
  }, [refetch])

  return (
    <section aria-label={text.title} className="mx-auto flex max-w-[110rem] flex-col gap-3 p-3">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-large">{text.title}</h1>
        <ChoiceButtons label={text.period} chosen={days} choices={periods} onChoose={setDays} />
        {answer.data && (
          <span className="text-ink-faint">
            {/* The period ends before `to`: its last day is the one just before. */}
            {dayText(answer.data.from)} – {dayText(answer.data.to - 1)}
          </span>
        )}
      </header>
      {answer.error && <ErrorNotice inset error={answer.error} onRetry={refetch} />}
      {answer.data ? (
        <Figures view={answer.data} />
      ) : (
        !answer.error && <p className="text-ink-faint">{words.charts.loading}</p>
      )}
    </section>
  )
}

function Figures({ view }: { view: OverviewView }) {
  const { acknowledge } = view
  const minutes = Math.round(acknowledge.target_ms / 60_000)
  const time = (milliseconds: number | null) =>
    milliseconds === null ? text.figures.none : text.figures.time(countdownText(milliseconds), milliseconds < 3_600_000)
  const highest = Math.max(0, ...view.days.flatMap(({ crisis, high }) => [crisis, high]))
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(12rem,1fr))] gap-3">
        <Figure name={text.figures.median}>{time(acknowledge.p50_ms)}</Figure>
        <Figure name={text.figures.p95}>{time(acknowledge.p95_ms)}</Figure>
        <Figure
          name={text.figures.within(minutes)}
          note={text.figures.of(acknowledge.within_target, acknowledge.acknowledged)}
        >
          {acknowledge.acknowledged === 0
            ? text.figures.none
            : `${Math.floor((100 * acknowledge.within_target) / acknowledge.acknowledged)} %`}
        </Figure>
        <Figure name={text.figures.waiting} note={text.figures.waitingOver(acknowledge.waiting_over_target, minutes)}>
          {acknowledge.waiting}
        </Figure>
      </dl>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(23rem,100%),1fr))] gap-3">
        {(['crisis', 'high'] as const).map((tier) => (
          <BarsPerDay
            key={tier}
            tier={tier}
            name={text[tier]}
            fileName={tier === 'crisis' ? text.fileCrisis : text.fileHigh}
            days={view.days.map((day) => ({ day: day.day, count: day[tier] }))}
            highest={highest}
          />
        ))}
        <Histogram
          name={text.acknowledge}
          fileName={text.acknowledgeFile}
          bins={acknowledge.histogram}
          targetMinutes={minutes}
          empty={text.acknowledgeEmpty}
        />
      </div>
    </>
  )
}

function Figure({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="rounded border bg-surface px-3 py-2">
      <dt className="text-ink-faint">{name}</dt>
      <dd className="text-large font-semibold">{children}</dd>
      {note !== undefined && <dd className="text-ink-faint">{note}</dd>}
    </div>
  )
}
