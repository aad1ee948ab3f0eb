import { useState } from 'react'
import { ActionForm } from '../app/index.ts'
import { forget, fromTimeField, toTimeField, useAction, useDraft, WhenField, whenProblem } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { keyOf, move, whatOf, type Promised, type Undo } from './promised.ts'

const text = words.myDay

/** Another time for something promised. */
export function MoveDialog(props: {
  promised: Promised
  onClose: () => void
  onMoved: (undo: Undo, due_at: number) => void
}) {
  const { promised } = props
  const name = `move ${keyOf(promised)}`
  const [recorded] = useState(() => (promised.due_at > Date.now() ? toTimeField(promised.due_at) : ''))
  const [when, setWhen] = useDraft(`${name} when`, recorded)
  const [problem, setProblem] = useState<string | null>(null)
  const moving = useAction(
    (due_at: number) => move(promised, due_at),
    (undo, due_at) => {
      forget(`${name} `)
      props.onMoved(undo, due_at)
    },
  )
  return (
    <ActionForm
      student={promised.student}
      draft={name}
      title={text.move}
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
    </ActionForm>
  )
}
