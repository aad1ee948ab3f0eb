import { ClockAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, clockText, lengthText, studentName, StudentName, useTicking, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { keyOf, whatOf, type Promised } from './promised.ts'
import type { Settled } from './use-settled.ts'

const text = words.myDay

/** One thing promised: when, whom it is about, what, and what can be done about it. */
export function PromisedRow(props: {
  promised: Promised
  settled: Settled<Promised> | undefined
  /** The student is named elsewhere already. */
  ofOneStudent?: boolean
  /** Enter and a click; absent = nothing opens. */
  onOpen?: (() => void) | undefined
  onDone: () => void
  /** Absent = it cannot be moved here. */
  onMove?: (() => void) | undefined
  onUndo: () => void
  extra?: ReactNode
}) {
  const { promised, settled, ofOneStudent = false } = props
  const student = studentName(promised.student)
  const what = whatOf(promised)
  const facts = (
    <>
      <span className="w-36 shrink-0 whitespace-nowrap">
        <DueText at={promised.due_at} clockOnly={!ofOneStudent} />
      </span>
      <span className={`min-w-0 flex-1 ${settled ? 'text-ink-faint' : ''}`}>
        {!ofOneStudent && (
          <>
            <StudentName student={promised.student} />
            {' · '}
          </>
        )}
        {what}
        <span className="text-small text-ink-faint">
          {' · '}
          {ofOneStudent ? '' : text.kind[promised.kind]}
          {promised.kind === 'commitment' && promised.state === 'resolved' && `, ${text.resolved}`}
          {ofOneStudent && promised.kind === 'follow_up' && words.followUps.ownedBy(promised.owner.name)}
        </span>
      </span>
    </>
  )
  const layout = 'flex min-w-48 flex-1 flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-start'
  return (
    <li data-day-item={keyOf(promised)} className="flex flex-wrap items-center gap-x-2 border-b pe-2 last:border-b-0">
      {props.onOpen ? (
        <button
          type="button"
          data-day-row
          onClick={props.onOpen}
          className={`${layout} ring-inside hover:bg-hover focus-visible:bg-selected`}
        >
          {facts}
        </button>
      ) : (
        <div data-day-row tabIndex={-1} className={layout}>
          {facts}
        </div>
      )}
      {settled ? (
        <SettledText said={settled.said} student={student} onUndo={props.onUndo} />
      ) : (
        <span className="flex gap-1 py-1">
          {props.extra}
          {props.onMove && (
            <Button look="quiet" aria-label={text.moveOf(what, student)} onClick={props.onMove}>
              {text.move}
            </Button>
          )}
          <Button
            aria-label={text.doneOf(what, student)}
            onClick={(event) => {
              // The button goes when it is done: the focus, and with it undo, stays with the row.
              focusRow(event.currentTarget)
              props.onDone()
            }}
          >
            {text.done}
          </Button>
        </span>
      )}
    </li>
  )
}

/** Leaves a control that goes for the row in which it stands. */
export function focusRow(control: HTMLElement): void {
  control.closest('[data-day-item]')?.querySelector<HTMLElement>('[data-day-row]')?.focus()
}

/** What was just done about a row, and the way back. */
export function SettledText(props: { said: string; student: string; onUndo: () => void }) {
  return (
    <span className="flex items-center gap-2 py-1">
      <span className="font-semibold">{props.said}</span>
      <Button shortcut="undo" aria-label={text.undoOf(props.said, props.student)} onClick={props.onUndo}>
        {text.undo}
      </Button>
    </span>
  )
}

/** Overdue is a shape and a word; else the clock, with the day where `clockOnly` is false. Ticks. */
function DueText({ at, clockOnly }: { at: number; clockOnly: boolean }) {
  const over = useTicking(() => (at <= Date.now() ? text.overdueBy(lengthText(Date.now() - at)) : ''))
  if (over === '') return <time dateTime={new Date(at).toISOString()}>{clockOnly ? clockText(at) : whenText(at)}</time>
  return (
    <time dateTime={new Date(at).toISOString()} title={whenText(at)} className="inline-flex items-center gap-1.5">
      <ClockAlert size={14} aria-hidden="true" />
      <strong className="font-semibold">{over}</strong>
    </time>
  )
}
