/** The region named “Alert”: what happened, why, what was done, and what can be done now. */
import { useRef, type ReactNode } from 'react'
import type { AlertDetail as Alert } from '../../shared/views.ts'
import { CopyLink, useMe } from '../app/index.ts'
import { Age, Clock, lengthText, OverdueMark, StudentName, TierBadge, useTicking } from '../controls/index.ts'
import { AboutStudent } from '../student-records/index.ts'
import { words } from '../words/index.ts'
import { AlertActions } from './alert-actions.tsx'
import { Case, ContactAttempts } from './case/index.ts'
import { ContactPanel } from './contact-panel.tsx'
import { Evidence } from './evidence.tsx'
import { EarlierAlerts, History } from './history.tsx'
import { NextStep, WhoWasTold } from './ladder.tsx'
import { RecordLink } from './record-link.tsx'
import { countdown, holderText, reopenedByText, whyText } from './row-text.ts'
import { StudentBlock } from './student-block.tsx'
import { ViewedBy } from './viewed-by.tsx'
import { WhoLine } from './who-line.tsx'
import { Why } from './why.tsx'

export function AlertDetail({
  alert,
  withContext,
  refetch,
}: {
  alert: Alert
  withContext: boolean
  refetch: () => void
}) {
  const contacts = useRef<HTMLDivElement>(null)
  const showContacts = () => {
    contacts.current?.scrollIntoView()
    contacts.current?.focus({ preventScroll: true })
  }
  return (
    <div className="flex flex-col gap-3 p-3">
      {withContext && <WhoLine alert={alert} onAll={showContacts} />}
      <Header alert={alert} refetch={refetch} />
      <Case alert={alert} refetch={refetch} />
      <WhoWasTold alert={alert} />
      <Why alert={alert} />
      <Evidence alert={alert} />
      {withContext && (
        <>
          <StudentBlock alert={alert} />
          <div ref={contacts} tabIndex={-1} className="scroll-mt-14">
            <Contacts alert={alert} refetch={refetch} />
          </div>
          <AboutStudent alert={alert} refetch={refetch} />
        </>
      )}
      <History alert={alert} refetch={refetch} />
      <RecordLink alertKey={alert.key} />
      {withContext && <EarlierAlerts rows={alert.earlier} />}
    </div>
  )
}

/** What stands beside the alert on a wide window. */
export function AlertContext({ alert, refetch }: { alert: Alert; refetch: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <StudentBlock alert={alert} />
      <Contacts alert={alert} refetch={refetch} />
      <AboutStudent alert={alert} refetch={refetch} />
      <EarlierAlerts rows={alert.earlier} />
    </div>
  )
}

/** Whom to call, and what came of calling. */
function Contacts({ alert, refetch }: { alert: Alert; refetch: () => void }) {
  return (
    <ContactPanel
      alert={alert}
      attempts={(called) => <ContactAttempts alert={alert} called={called} refetch={refetch} />}
    />
  )
}

function Header({ alert, refetch }: { alert: Alert; refetch: () => void }) {
  const me = useMe().person.id
  const clock = useTicking(() => countdown(alert, Date.now())?.text ?? '')
  const holder = useTicking(() => holderText(alert, me, Date.now()) ?? '')
  return (
    <header className="rounded border bg-surface p-3">
      {alert.late_by_ms !== null && (
        <p className="mb-1 font-semibold">{words.alerts.row.late(lengthText(alert.late_by_ms))}</p>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 id="alert-heading" tabIndex={-1} className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-medium">
          <TierBadge tier={alert.tier} strong />
          <StudentName student={alert.student} more />
        </h2>
        <AlertActions alert={alert} refetch={refetch} />
      </div>
      <Patterns alert={alert} />
      <p className="text-ink-soft">
        {clock !== '' &&
          (countdown(alert, Date.now())?.over ? (
            <OverdueMark text={clock} />
          ) : (
            <strong className="font-semibold text-ink">{clock}</strong>
          ))}
        {holder}
        {alert.reopened && (
          <>
            {' · '}
            {reopenedByText(alert, me)} (<Clock at={alert.reopened.at} />)
          </>
        )}
        <ViewedBy alertKey={alert.key} />
      </p>
      <NextStep alert={alert} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t pt-2">
        <dl aria-label={words.alerts.clocks.title} className="flex flex-wrap gap-x-5 gap-y-1">
          <Moment name={words.alerts.clocks.said} at={alert.occurred_at} />
          <Moment name={words.alerts.clocks.received} at={alert.received_at} />
          <Moment name={words.alerts.clocks.seen} at={alert.first_seen_at} />
        </dl>
        <CopyLink kind="alerts" subject={alert.key} />
      </div>
    </header>
  )
}

function Patterns({ alert }: { alert: Alert }) {
  if (alert.categories.length === 0) return <p className="mt-2 text-ink-soft">{whyText(alert)}</p>
  return (
    <div className="mt-2 mb-1 flex flex-wrap items-center gap-1.5">
      {alert.about_other && <span className="text-ink-soft">{words.alerts.row.aboutOther}:</span>}
      <ul aria-label={words.alerts.why.patterns} className="flex flex-wrap gap-1.5">
        {alert.categories.map((name) => (
          <li key={name} className="rounded border px-1.5">
            {words.category[name]}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Moment({ name, at }: { name: string; at: number | null }): ReactNode {
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-ink-faint">{name}</dt>
      <dd>
        {at === null ? (
          words.common.unknown
        ) : (
          <>
            <Clock at={at} seconds />{' '}
            <span className="text-ink-faint">
              (<Age at={at} />)
            </span>
          </>
        )}
      </dd>
    </div>
  )
}
