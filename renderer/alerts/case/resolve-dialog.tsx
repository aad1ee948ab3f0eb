/** Resolve: what came of it, the steps the school requires or a reason, and what stays open afterwards. */
import { useEffect, useState } from 'react'
import { dispositionSchema, type Disposition } from '../../../shared/actions.ts'
import { days } from '../../../shared/time.ts'
import type { AlertDetail, FollowUp, StepView } from '../../../shared/views.ts'
import { ActionForm, offerUndo, trpc, UndoInDialog, useMe, useMay } from '../../app/index.ts'
import {
  Button,
  ErrorNotice,
  Field,
  shownZone,
  studentName,
  useAction,
  useDraft,
  useQuery,
  whenPresets,
  whenText,
} from '../../controls/index.ts'
import { markStepDoneBy } from '../../student-records/index.ts'
import { words } from '../../words/index.ts'
import { NoteField, useNote, useSeenTriggers } from '../action-form.tsx'
import { attemptSummaries, callsInVain } from './attempts.ts'
import { useDid } from './did.ts'
import { stepElementId } from './guided-list.tsx'
import { staysOpen, stepsLeft } from './resolve-plan.ts'

const text = words.case.resolve

/** “Could not reach” is an attempt, and ends no alert. */
const outcomes = dispositionSchema.options.filter((name) => name !== 'could not reach')

interface ResolveDialogProps {
  alert: AlertDetail
  draft: string
  /** The alert is other than it was: it is to be asked for again. */
  onChanged: () => void
  onClose: () => void
  /** Leaves the form for a step of the list; what was typed stays. */
  onLeave: () => void
  onDone: (recorded: { ack_id: string }) => void
}

export function ResolveDialog({ alert, draft, onChanged, onClose, onLeave, onDone }: ResolveDialogProps) {
  const of = words.alerts.resolve
  const [disposition, setDisposition] = useDraft<Disposition | ''>(`${draft} disposition`, '')
  const [reason, setReason] = useDraft(`${draft} reason`, '')
  const note = useNote(draft)
  const [tried, setTried] = useState(false)
  // What comes while this dialog covers the alert was not seen, and is not resolved with it.
  const trigger_ids = useSeenTriggers(alert)
  const left = stepsLeft(alert)
  const inVain = callsInVain(attemptSummaries(alert.actions))
  const resolve = useAction(
    (how: Disposition) =>
      trpc.alerts.resolve.mutate({
        ...{ key: alert.key, disposition: how, note: note.text, trigger_ids },
        ...(left.length > 0 && { reason: reason.trim() }),
      }),
    onDone,
  )
  // Another message, or a step that a colleague took back: what it is now comes on screen beside the sentence.
  const code = resolve.error?.code
  const changed = code === 'alert_changed' || code === 'steps_missing'
  useEffect(() => {
    if (changed) onChanged()
  }, [changed, onChanged])
  const isReady = disposition !== '' && note.text !== '' && (left.length === 0 || reason.trim() !== '')
  return (
    <ActionForm
      student={alert.student}
      draft={draft}
      isNote
      title={of.title}
      action={words.alerts.actions.resolve}
      busy={resolve.busy}
      error={resolve.error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (isReady) void resolve.run(disposition)
      }}
    >
      {inVain > 0 && <p className="rounded border border-line-strong p-2">{text.attemptsOnly(inVain)}</p>}
      <Field label={of.disposition} problem={tried && !disposition ? of.missingDisposition : null}>
        {(bind) => (
          <select
            {...bind}
            data-first
            className="field"
            value={disposition}
            onChange={(event) => setDisposition(event.target.value as Disposition | '')}
          >
            <option value="">{of.choose}</option>
            {outcomes.map((name) => (
              <option key={name} value={name}>
                {words.alerts.disposition[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NoteField
        label={of.note}
        hint={of.hint}
        rows={3}
        problem={tried && !note.text ? of.missingNote : null}
        note={note}
      />
      {left.length > 0 && (
        <>
          <StepsLeft alert={alert} left={left} onChanged={onChanged} onLeave={onLeave} />
          <Field
            label={text.reason}
            hint={text.reasonHint}
            problem={tried && reason.trim() === '' ? text.missingReason : null}
          >
            {(bind) => (
              <input {...bind} className="field" value={reason} onChange={(event) => setReason(event.target.value)} />
            )}
          </Field>
        </>
      )}
      <WhatStays alert={alert} onChanged={onChanged} />
      <UndoInDialog />
    </ActionForm>
  )
}

/** Each step that is missing: it was done and not marked, or is done now. */
function StepsLeft(props: { alert: AlertDetail; left: StepView[]; onChanged: () => void; onLeave: () => void }) {
  const keeps = useMay('student_records.keep')
  const did = useDid(props.alert, props.onChanged)
  const mark = useAction(
    ({ id }: StepView) => trpc.alerts.stepDone.mutate({ key: props.alert.key, step: id }),
    (recorded, { title }) => did(words.case.steps.did(title))(recorded),
  )
  const go = (step: string) => {
    props.onLeave()
    // The dialog gives the focus back where it was first.
    requestAnimationFrame(() => {
      const row = document.getElementById(stepElementId(step))
      row?.scrollIntoView({ block: 'center' })
      ;(row?.querySelector('button') ?? row)?.focus()
    })
  }
  return (
    <section aria-label={text.stepsLeft}>
      <h3 className="text-ink-soft">{text.stepsLeft}</h3>
      <ul className="flex flex-col divide-y">
        {props.left.map((step) => (
          <li key={step.id} className="flex flex-wrap items-center gap-2 py-1">
            <span className="min-w-0 flex-1 basis-40">{step.title}</span>
            {keeps && (
              <>
                <Button aria-label={text.goWhich(step.title)} onClick={() => go(step.id)}>
                  {text.go}
                </Button>
                <Button
                  aria-label={text.markDoneWhich(step.title)}
                  busy={mark.busy}
                  onClick={() => void mark.run(step)}
                >
                  {text.markDone}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {mark.error && <ErrorNotice error={mark.error} />}
    </section>
  )
}

/** Nine o’clock of the school’s next day. */
function tomorrow(now: number): number {
  const found = whenPresets('later', now, shownZone()).find(({ name }) => name === 'tomorrow')
  return found?.at ?? now + days(1)
}

/** Open commitments and follow-ups with what becomes of them, and a follow-up for tomorrow by one press. */
function WhatStays({ alert, onChanged }: { alert: AlertDetail; onChanged: () => void }) {
  const me = useMe().person
  const keeps = useMay('student_records.keep')
  const { student_hash } = alert.student
  const followUps = useQuery<FollowUp[]>(
    ['follow-ups', student_hash],
    () => trpc.studentRecords.followUps.query({ student_hash }),
    { enabled: keeps },
  )
  const set = useAction(
    async () => {
      const due_at = tomorrow(Date.now())
      const { record } = await trpc.studentRecords.setFollowUp.mutate({
        ...{ student_hash, next_action: text.followUpWhat, due_at, alert_key: alert.key },
      })
      return { record, unmark: await markStepDoneBy(alert, 'followUp') }
    },
    ({ record, unmark }) => {
      followUps.refetch()
      onChanged()
      offerUndo({
        said: words.case.did(text.didFollowUp, studentName(alert.student)),
        undo: async () => {
          await trpc.studentRecords.endFollowUp.mutate({ student_hash, follow_up: record, outcome: 'withdrawn' })
          await unmark?.()
          followUps.refetch()
          onChanged()
        },
      })
    },
  )
  const open = staysOpen(alert.commitments, followUps.data ?? [])
  return (
    <section aria-label={text.open}>
      <h3 className="text-ink-soft">{text.open}</h3>
      {open.length === 0 ? (
        <p>{text.nothingOpen}</p>
      ) : (
        <ul className="flex flex-col">
          {open.map(({ id, what, due_at, owner }) => (
            <li key={id} className="py-0.5">
              {text.item(what || words.case.commitments.sealed, due_at === null ? null : whenText(due_at))}
              <span className="text-ink-soft">
                {' · '}
                {text.stays(owner.id === me.id ? text.myDay : text.theirDay(owner.name))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {keeps && (
        <Button className="mt-2" busy={set.busy} onClick={() => void set.run(undefined)}>
          {text.followUp}
        </Button>
      )}
      {set.error && <ErrorNotice error={set.error} />}
    </section>
  )
}
