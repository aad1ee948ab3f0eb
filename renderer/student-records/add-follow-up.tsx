/** A follow-up that is set: what, when, by whom. */
import { useState } from 'react'
import type { Person } from '../../shared/people.ts'
import type { StudentLabel } from '../../shared/views.ts'
import { ActionForm, offerUndo, trpc, useMe } from '../app/index.ts'
import {
  Field,
  forget,
  fromTimeField,
  Select,
  shownZone,
  studentName,
  toTimeField,
  useAction,
  useDraft,
  useQuery,
  WhenField,
  whenPresets,
  whenProblem,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { markStepDoneBy, type GuidedAlert } from './done-step.ts'

const text = words.followUps

interface Draft {
  what: string
  when: string
  owner: string
}

/** What is typed is kept by student until it is saved. `alert`: from which it is set; a step of its guide is done by that. */
export function AddFollowUp(props: {
  student: StudentLabel
  alert?: GuidedAlert | undefined
  onChanged?: (() => void) | undefined
  onClose: () => void
}) {
  const { student, alert, onChanged, onClose } = props
  const me = useMe().person
  const people = useQuery<Person[]>(['people'], () => trpc.me.people.query()).data ?? [me]
  const name = `follow-up ${student.student_hash}`
  const [started] = useState((): Draft => ({ what: text.whatDefault, when: usualTime(), owner: me.id }))
  const [mine, setMine] = useDraft<Partial<Draft>>(`${name} typed`, {})
  const draft = { ...started, ...mine }
  const [tried, setTried] = useState(false)
  const edit = (change: Partial<Draft>) => setMine({ ...mine, ...change })
  const save = useAction(
    async (due_at: number) => {
      const { record } = await trpc.studentRecords.setFollowUp.mutate({
        student_hash: student.student_hash,
        next_action: draft.what.trim(),
        due_at,
        owner: draft.owner,
        ...(alert && { alert_key: alert.key }),
      })
      return { record, unmark: alert ? await markStepDoneBy(alert, 'followUp') : null }
    },
    ({ record, unmark }) => {
      forget(`${name} `)
      offerUndo({
        said: text.savedFor(studentName(student)),
        undo: async () => {
          await trpc.studentRecords.endFollowUp.mutate({
            ...{ student_hash: student.student_hash, follow_up: record, outcome: 'withdrawn' },
          })
          await unmark?.()
          onChanged?.()
        },
      })
      onChanged?.()
      onClose()
    },
  )
  const missing = draft.what.trim() === ''
  return (
    <ActionForm
      student={student}
      draft={name}
      title={text.add}
      action={text.save}
      busy={save.busy}
      error={save.error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        const due_at = fromTimeField(draft.when)
        if (!missing && due_at !== null && whenProblem(draft.when, Date.now()) === null) void save.run(due_at)
      }}
    >
      <Field label={text.what} problem={tried && missing ? text.whatMissing : null}>
        {(bind) => (
          <input
            {...bind}
            data-first
            className="field"
            value={draft.what}
            onChange={(event) => edit({ what: event.target.value })}
          />
        )}
      </Field>
      <WhenField
        label={text.when}
        kind="later"
        value={draft.when}
        problem={tried ? whenProblem(draft.when, Date.now()) : null}
        onChange={(when) => edit({ when })}
      />
      <Select
        label={text.owner}
        value={draft.owner}
        onChange={(owner) => edit({ owner })}
        choices={people.map((person) => ({ value: person.id, label: person.name }))}
      />
      <p className="text-ink-soft">{text.restsQuietly}</p>
    </ActionForm>
  )
}

/** Tomorrow morning; before a weekend, Monday’s. */
function usualTime(): string {
  const [first, second] = whenPresets('later', Date.now(), shownZone())
  const usual = second?.name === 'monday' ? second : first
  return usual ? toTimeField(usual.at) : ''
}
