/** The incident record: one page made from everything about an alert, to be read, printed or kept as PDF. */
import { useState } from 'react'
import { ArrowLeft, Printer } from 'lucide-react'
import type { IncidentRecord, IncidentWords } from '../../shared/incident-record.ts'
import type { SafetyPlanVersion } from '../../shared/views.ts'
import { CopyLink, goTo, trpc, usePlace } from '../app/index.ts'
import { Button, EmptyState, ErrorNotice, studentName, useAction, useQuery } from '../controls/index.ts'
import { words } from '../words/index.ts'
import './print.css'
import { IncludeDialog } from './include-dialog.tsx'
import { Record } from './record.tsx'
import { usePrinting } from './use-printing.ts'

const text = words.incident

export function IncidentScreen() {
  const { subject } = usePlace()
  return subject === null ? (
    <EmptyState title={text.none}>{text.noneHint}</EmptyState>
  ) : (
    <Incident key={subject} alertKey={subject} />
  )
}

function Incident({ alertKey: key }: { alertKey: string }) {
  // Each answer is a making of the record, and audited: it is asked for when the page opens, and by its button.
  const { data, error, refetch } = useQuery<IncidentRecord>(
    ['incident', key],
    () => trpc.incident.open.mutate({ key }),
    { fresh: true },
  )
  if (error) return <ErrorNotice inset error={error} onRetry={refetch} />
  if (!data) return <p className="p-6 text-ink-faint">{text.loading}</p>
  return <Opened record={data} refetch={refetch} />
}

function Opened({ record, refetch }: { record: IncidentRecord; refetch: () => void }) {
  const { key } = record
  const [said, setSaid] = useState<IncidentWords[] | null>(null)
  const [plan, setPlan] = useState<{ version: SafetyPlanVersion | null } | null>(null)
  const [asking, setAsking] = useState<'words' | 'plan' | null>(null)
  const close = () => setAsking(null)
  const tell = () => trpc.incident.printed.mutate({ key, with_words: said !== null, with_plan: plan !== null })
  const printed = usePrinting(tell)
  const print = useAction(tell, printed)
  const hasPlan = typeof record.safety_plan === 'object'
  return (
    <div
      className="h-full overflow-y-auto bg-ground"
      tabIndex={0}
      role="region"
      aria-label={words.app.screens.incident}
    >
      <div className="mx-auto flex max-w-[52rem] flex-wrap items-center gap-2 px-3 pt-3">
        <Button look="quiet" onClick={() => goTo('alerts', key)}>
          <ArrowLeft size={14} aria-hidden="true" /> {text.back}
        </Button>
        <CopyLink kind="incident" subject={key} />
        <div className="ms-auto flex flex-wrap gap-2" role="group" aria-label={text.include.title}>
          {record.may_reveal && record.has_evidence && (
            <Button onClick={() => (said ? setSaid(null) : setAsking('words'))}>
              {said ? text.include.leaveWords : text.include.words}
            </Button>
          )}
          {record.may_reveal && hasPlan && (
            <Button onClick={() => (plan ? setPlan(null) : setAsking('plan'))}>
              {plan ? text.include.leavePlan : text.include.plan}
            </Button>
          )}
          <Button onClick={refetch}>{text.refresh}</Button>
          <Button look="primary" busy={print.busy} onClick={() => void print.run(undefined)}>
            <Printer size={14} aria-hidden="true" /> {text.print}
          </Button>
        </div>
        <p className="w-full text-ink-soft">{text.printHint}</p>
        {print.error && <ErrorNotice error={print.error} />}
      </div>
      <Record record={record} said={said} plan={plan} />
      {asking === 'words' && (
        <IncludeDialog
          title={text.include.words}
          draft={`include words ${key}`}
          student={studentName(record.student)}
          label={text.include.reason}
          onClose={close}
          include={(reason) => trpc.incident.words.mutate({ key, reason })}
          onIncluded={(included) => {
            setSaid(included)
            close()
          }}
        />
      )}
      {asking === 'plan' && (
        <IncludeDialog
          title={text.include.plan}
          draft={`include plan ${key}`}
          student={studentName(record.student)}
          label={text.include.planReason}
          onClose={close}
          include={(reason) => trpc.incident.safetyPlan.mutate({ key, reason })}
          onIncluded={(version) => {
            setPlan({ version })
            close()
          }}
        />
      )}
    </div>
  )
}
