/** A student’s safety plan: the newest version, the earlier ones, and the next while it is written. */
import { useState } from 'react'
import { stepsDoneBy } from '../../shared/guide.ts'
import type { SafetyPlanVersion, StudentLabel } from '../../shared/views.ts'
import { offerUndo, trpc } from '../app/index.ts'
import {
  Button,
  ErrorNotice,
  forget,
  Panel,
  Select,
  studentName,
  useAction,
  useDraft,
  useKept,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { markStepDoneBy } from './done-step.ts'
import { differing, draftFrom, emptyPlan, type PlanDraft } from './plan-draft.ts'
import { PlanEditor } from './plan-editor.tsx'
import { PlanWords } from './plan-words.tsx'
import { PrintedPlan } from './printed-plan.tsx'
import { draftName, usePlans } from './use-plans.ts'

const text = words.safetyPlan

export function SafetyPlanPanel({ student }: { student: StudentLabel }) {
  const { student_hash } = student
  const answer = usePlans(student_hash)
  const name = draftName(student_hash)
  const [draft, setDraft] = useDraft<PlanDraft | null>(name, null)
  const [editing, setEditing] = useKept(`${name} open`, false)
  /** The alert from which it was opened. */
  const [alert_key, setFor] = useKept<string | null>(`${name} for`, null)
  const versions = answer.data
  const done = () => {
    forget(name)
    setDraft(null)
    setEditing(false)
  }
  const edit = (from: SafetyPlanVersion | undefined) => {
    // An unchanged plan is no draft; an earlier version is one from the first moment.
    setDraft(versions && from !== versions[0] ? draftFrom(versions, from) : null)
    setEditing(true)
  }
  return (
    <Panel title={text.title}>
      {answer.error && !versions && <Refused error={answer.error} onRetry={answer.refetch} />}
      {versions && editing && (
        <PlanEditor
          student_hash={student_hash}
          versions={versions}
          draft={draft ?? draftFrom(versions, versions[0])}
          onDraft={setDraft}
          onSaved={() => {
            done()
            setFor(null)
            answer.refetch()
            if (alert_key !== null) void markPlanStep(alert_key, student)
          }}
          onClose={() => setEditing(false)}
          onDiscard={done}
        />
      )}
      {versions && !editing && (
        <Saved
          student={student}
          versions={versions}
          hasDraft={draft !== null}
          onContinue={() => setEditing(true)}
          onEdit={edit}
        />
      )}
    </Panel>
  )
}

/** Saving the plan from an alert does that alert’s step; a saved plan stays, so that the step alone is taken back. */
async function markPlanStep(alert_key: string, student: StudentLabel): Promise<void> {
  const alert = await trpc.alerts.detail.query({ key: alert_key }).catch(() => null)
  const step = alert?.steps.find(({ id }) => id === stepsDoneBy.safetyPlan)
  const unmark = alert && (await markStepDoneBy(alert, 'safetyPlan'))
  if (step && unmark)
    offerUndo({ said: words.case.did(words.case.steps.did(step.title), studentName(student)), undo: unmark })
}

/** Whoever may not read it is told so in a sentence; everything else can be tried again. */
function Refused({
  error,
  onRetry,
}: {
  error: NonNullable<ReturnType<typeof usePlans>['error']>
  onRetry: () => void
}) {
  if (error.code === 'forbidden') return <p className="text-ink-faint">{error.happened}</p>
  return <ErrorNotice error={error} onRetry={onRetry} />
}

function Saved(props: {
  student: StudentLabel
  versions: readonly SafetyPlanVersion[]
  hasDraft: boolean
  onContinue: () => void
  onEdit: (from: SafetyPlanVersion | undefined) => void
}) {
  const { student, versions, hasDraft } = props
  const [newest] = versions
  const [chosen, setChosen] = useState<string | null>(null)
  const [printing, setPrinting] = useState(false)
  const print = useAction(
    (version: string) => trpc.studentRecords.safetyPlanPrinted.mutate({ student_hash: student.student_hash, version }),
    () => setPrinting(true),
  )
  const shown = versions.find(({ id }) => id === chosen) ?? newest
  if (!shown || !newest)
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-ink-soft">
          {text.none} {text.noneHint}
        </p>
        <Button onClick={() => (hasDraft ? props.onContinue() : props.onEdit(undefined))}>
          {hasDraft ? text.goOn : text.start}
        </Button>
      </div>
    )
  const numberOf = (version: SafetyPlanVersion) => versions.length - versions.indexOf(version)
  const place = text.version(numberOf(shown), versions.length)
  const isOld = shown !== newest
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {versions.length > 1 ? (
          <Select
            label={text.versions}
            labelHidden
            value={shown.id}
            onChange={setChosen}
            choices={versions.map((version) => ({
              value: version.id,
              label: `${text.version(numberOf(version), versions.length)} · ${text.saved(version.by_name, whenText(version.at))}`,
            }))}
          />
        ) : (
          <p className="text-ink-soft">
            {place} · {text.saved(shown.by_name, whenText(shown.at))}
          </p>
        )}
        {hasDraft ? (
          <Button look="primary" onClick={props.onContinue}>
            {text.goOn}
          </Button>
        ) : (
          <Button onClick={() => props.onEdit(shown)}>{isOld ? text.restore : text.edit}</Button>
        )}
        {shown.sections && (
          <Button busy={print.busy} onClick={() => void print.run(shown.id)}>
            {text.print}
          </Button>
        )}
      </div>
      {isOld && (
        <p className="text-ink-soft">
          <strong className="font-semibold text-ink">{text.earlier}</strong> {text.restoreHint}
        </p>
      )}
      {print.error && <ErrorNotice error={print.error} />}
      {shown.sections ? (
        <PlanWords
          sections={shown.sections}
          differs={isOld ? differing(shown.sections, newest.sections ?? emptyPlan) : []}
        />
      ) : (
        <p className="text-ink-soft">{text.sealed}</p>
      )}
      {printing && <PrintedPlan student={student} version={shown} place={place} onPrinted={() => setPrinting(false)} />}
    </div>
  )
}
