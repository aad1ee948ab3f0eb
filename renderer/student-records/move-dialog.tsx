import { useState } from 'react'
import { fromTimeField, studentName, toTimeField, useAction, WhenField, whenProblem } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { FormDialog } from './form.tsx'
import { move, whatOf, type Promised, type Undo } from './promised.ts'

const text = words.myDay

/** Another time for something promised. */
export function MoveDialog(props: {
  promised: Promised
  onClose: () => void
  onMoved: (undo: Undo, due_at: number) => void
}) {
  const { promised } = props
  const [when, setWhen] = useState(() => (promised.due_at > Date.now() ? toTimeField(promised.due_at) : ''))
  const [problem, setProblem] = useState<string | null>(null)
  const moving = useAction(
    (due_at: number) => move(promised, due_at),
    (undo, due_at) => props.onMoved(undo, due_at),
  )
  return (
    <FormDialog
      title={text.moveTitle(studentName(promised.student))}
      action={text.move}
      busy={moving.busy}
      error={moving.error}
      onClose={props.onClose}
      onSubmit={() => {
        const due_at = fromTimeField(when)
        setProblem(whenProblem(when, Date.now()))
        if (due_at !== null && due_at > Date.now()) void moving.run(due_at)
      }}
    >
      <p>{whatOf(promised)}</p>
      <WhenField
        label={text.newTime}
        kind={promised.kind === 'commitment' ? 'soon' : 'later'}
        value={when}
        problem={problem}
        onChange={(next) => {
          setWhen(next)
          setProblem(null)
        }}
      />
    </FormDialog>
  )
}
