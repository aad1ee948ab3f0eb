/** What became of what the person did, where it is not what they saw: at the foot of the window, until they have read it. */
import { useEffect, useRef, useState } from 'react'
import type { ActionReportView } from '../../shared/views.ts'
import { Button, ErrorNotice, studentName, useAction, useSubscription } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { announce } from './announcer.tsx'
import { useMe } from './me.tsx'
import { goTo } from './navigation.ts'
import { headingOf, reportText } from './report-text.ts'
import { trpc } from './wire.ts'

const text = words.reports

/** As many are listed; the others stand on their alerts. */
const mostListed = 5

export function ReportsBar() {
  const me = useMe().person.id
  const [reports, setReports] = useState<readonly ActionReportView[]>([])
  const said = useRef(new Set<string>())
  useSubscription<ActionReportView[]>(
    (on) => trpc.alerts.reports.subscribe(undefined, on),
    (next) => {
      setReports(next)
      const news = next.filter(({ action_id, became }) => !said.current.has(`${action_id} ${became.kind}`))
      for (const { action_id, became } of news) said.current.add(`${action_id} ${became.kind}`)
      const [only] = next
      if (news.length > 0 && only) announce(isSingle(next) ? reportText(only, me) : headingOf(next))
    },
    [me],
  )
  const read = useAction(
    (action_ids: string[]) => trpc.alerts.reportsRead.mutate({ action_ids }),
    () => setReports([]),
  )
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const own = bar.current
    return () => {
      // Its button goes with it.
      if (own?.contains(document.activeElement)) document.getElementById('screen')?.focus()
    }
  }, [reports.length])
  const [first] = reports
  if (!first) return null
  const nothing = reports.filter(({ became }) => became.kind !== 'counts')
  const single = isSingle(reports)
  const listed = single ? [] : nothing.slice(0, mostListed)
  return (
    <aside ref={bar} aria-label={text.label} className="border-t border-line-strong bg-raised px-3 py-1">
      {read.error && <ErrorNotice error={read.error} />}
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1">{single ? reportText(first, me) : headingOf(reports)}</p>
        {single && <Button onClick={() => goTo('alerts', first.alert.key)}>{text.show}</Button>}
        <Button busy={read.busy} onClick={() => void read.run(reports.map(({ action_id }) => action_id))}>
          {text.read}
        </Button>
      </div>
      {listed.length > 0 && (
        <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto pb-1">
          {listed.map((report) => (
            <li key={report.action_id} className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1">{reportText(report, me)}</span>
              <button
                type="button"
                className="min-h-6 rounded text-link underline underline-offset-2"
                aria-label={text.showOf(studentName(report.alert.student))}
                onClick={() => goTo('alerts', report.alert.key)}
              >
                {text.show}
              </button>
            </li>
          ))}
        </ul>
      )}
    </aside>
  )
}

/** One thing that was not done offline is said by itself. */
const isSingle = (reports: readonly ActionReportView[]): boolean =>
  reports.length === 1 && reports[0]?.waited === false && reports[0].became.kind !== 'counts'
