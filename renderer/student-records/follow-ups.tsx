/** A student’s follow-ups: what is still to be done, and what was. */
import { useState } from 'react'
import type { EndedFollowUp, FollowUp, StudentLabel } from '../../shared/views.ts'
import { announce, trpc, useMay } from '../app/index.ts'
import {
  Button,
  ErrorNotice,
  Panel,
  queryClient,
  useAction,
  useQuery,
  useSubscription,
  whenText,
} from '../controls/index.ts'
import { words } from '../words/index.ts'
import { AddFollowUp } from './add-follow-up.tsx'
import type { GuidedAlert } from './done-step.ts'
import { MoveDialog } from './move-dialog.tsx'
import { endFollowUp, keyOf, whatOf, type Promised, type Undo } from './promised.ts'
import { PromisedRow } from './promised-row.tsx'
import { useSettled } from './use-settled.ts'

const text = words.followUps
type Row = Promised & { kind: 'follow_up' }

/** `alert`: beside which they stand, and from which new ones are set; `onChanged`: it is other than it was. */
export function FollowUps(props: { student: StudentLabel; alert?: GuidedAlert; onChanged?: () => void }) {
  const { student, alert, onChanged } = props
  const { student_hash } = student
  const mayAct = useMay('student_records.keep')
  const [adding, setAdding] = useState(false)
  const [moving, setMoving] = useState<Row | null>(null)
  const askAgain = () => queryClient.invalidateQueries({ queryKey: ['follow-ups', student_hash] })
  const open = useQuery<FollowUp[]>(['follow-ups', student_hash], () =>
    trpc.studentRecords.followUps.query({ student_hash }),
  )
  const ended = useQuery<EndedFollowUp[]>(['follow-ups', student_hash, 'ended'], () =>
    trpc.studentRecords.endedFollowUps.query({ student_hash }),
  )
  useSubscription<{ at: number }>(
    (on) => trpc.studentRecords.changes.subscribe(undefined, on),
    () => void askAgain(),
    [student_hash],
  )
  const listed = (open.data ?? []).map((followUp): Row => ({ kind: 'follow_up', ...followUp }))
  const settled = useSettled<Row>(listed, keyOf)
  const settle = (item: Row, said: string, undo: Undo) => {
    settled.add({ key: keyOf(item), item, said, undo })
    announce(said)
  }
  const end = useAction(
    ({ item, outcome }: { item: Row; outcome: 'done' | 'not needed' }) => endFollowUp(item, outcome),
    (undo, { item, outcome }) => settle(item, words.myDay.said[outcome], undo),
  )
  const rows = settled.items.toSorted((a, b) => a.due_at - b.due_at)
  const shown = new Set(rows.map(({ id }) => id))
  const done = (ended.data ?? []).filter(({ id }) => !shown.has(id))
  const error = open.error ?? end.error ?? settled.error
  return (
    <Panel title={text.title} aside={mayAct && <Button onClick={() => setAdding(true)}>{text.add}</Button>}>
      {error && <ErrorNotice error={error} onRetry={open.error ? open.refetch : undefined} />}
      {open.data && rows.length === 0 && <p className="text-ink-faint">{text.none}</p>}
      <ul aria-label={text.title} className="-mx-3">
        {rows.map((item) => (
          <PromisedRow
            key={keyOf(item)}
            promised={item}
            settled={settled.of(keyOf(item))}
            ofOneStudent
            onDone={() => void end.run({ item, outcome: 'done' })}
            onMove={item.what === null ? undefined : () => setMoving(item)}
            onUndo={() => {
              const one = settled.of(keyOf(item))
              if (one) settled.undo(one)
            }}
            extra={
              <Button
                look="quiet"
                aria-label={text.notNeededOf(whatOf(item))}
                onClick={() => void end.run({ item, outcome: 'not needed' })}
              >
                {text.notNeeded}
              </Button>
            }
          />
        ))}
      </ul>
      {done.length > 0 && (
        <details className="mt-2">
          <summary className="text-ink-soft">{text.earlier}</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {done.map((item) => (
              <li key={item.id}>
                {whatOf(item)}
                <span className="text-ink-faint">
                  {' · '}
                  {text.ended(item.ended.outcome, item.ended.by_name, whenText(item.ended.at))}
                  {item.ended.note !== null && ` · ${item.ended.note}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {adding && <AddFollowUp student={student} alert={alert} onChanged={onChanged} onClose={() => setAdding(false)} />}
      {moving && (
        <MoveDialog
          promised={moving}
          onClose={() => setMoving(null)}
          onMoved={(undo, due_at) => {
            setMoving(null)
            settle(moving, words.myDay.said.moved(whenText(due_at)), undo)
          }}
        />
      )}
    </Panel>
  )
}
