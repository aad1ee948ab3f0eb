/** My day: what is due and overdue, handed over, held, and promised for later. */
import { useRef, useState, type ReactNode } from 'react'
import type { MyDay } from '../../shared/views.ts'
import { announce, goTo, trpc, useMay } from '../app/index.ts'
import {
  dayText,
  EmptyState,
  ErrorNotice,
  queryClient,
  shownZone,
  useAction,
  useNow,
  useQuery,
  useSubscription,
  whenText,
} from '../controls/index.ts'
import { keyOf, markDone, MoveDialog, PromisedRow, useSettled, type Promised } from '../student-records/index.ts'
import { words } from '../words/index.ts'
import { HandedRow, HeldRow, useHandedActions } from './alert-rows.tsx'
import { byDay } from './day-groups.ts'
import { useRowKeys } from './use-row-keys.ts'

const text = words.myDay

export function MyDayScreen() {
  const day = useQuery<MyDay>(['my-day'], () => trpc.studentRecords.myDay.query())
  useSubscription<{ at: number }>(
    (on) => trpc.studentRecords.changes.subscribe(undefined, on),
    () => void queryClient.invalidateQueries({ queryKey: ['my-day'] }),
    [],
  )
  return (
    <div className="mx-auto flex max-w-[70rem] flex-col gap-3 p-3">
      <h1 className="text-large">{words.app.screens['my-day']}</h1>
      {day.error && <ErrorNotice error={day.error} onRetry={day.refetch} />}
      {day.data ? <Day day={day.data} /> : !day.error && <p className="text-ink-faint">{text.loading}</p>}
    </div>
  )
}

function Day({ day }: { day: MyDay }) {
  const now = useNow(5000)
  const region = useRef<HTMLDivElement>(null)
  const seesStudents = useMay('students.see')
  const [moving, setMoving] = useState<Promised | null>(null)
  const settled = useSettled<Promised>(promisedOf(day), keyOf)
  const { items } = settled
  const handed = useHandedActions(day.handed)
  const groups = byDay(items, now, shownZone())
  const done = useAction(
    (item: Promised) => markDone(item),
    (undo, item) => {
      settled.add({ key: keyOf(item), item, said: text.said.done, undo })
      announce(text.said.done)
    },
  )
  const find = (key: string | null) => items.find((item) => keyOf(item) === key)
  const keys = useRowKeys(region, {
    done: (key) => {
      const item = find(key)
      if (!item || settled.of(key) || done.busy) return false
      void done.run(item)
      return true
    },
    undo: (key) => {
      const one = settled.of(key)
      if (one) settled.undo(one)
      return one !== undefined || handed.undoOf(key)
    },
    acknowledge: (key) => handed.accept(key),
  })
  const open = (item: Promised): (() => void) | undefined => {
    if (item.kind === 'commitment') return () => goTo('alerts', item.alert_key)
    if (seesStudents) return () => goTo('students', item.student.student_hash)
    const { alert_key } = item
    return alert_key === null ? undefined : () => goTo('alerts', alert_key)
  }
  const draw = (rows: readonly Promised[]) =>
    rows.map((item) => (
      <PromisedRow
        key={keyOf(item)}
        promised={item}
        settled={settled.of(keyOf(item))}
        onOpen={open(item)}
        onDone={() => void done.run(item)}
        onMove={item.what === null ? undefined : () => setMoving(item)}
        onUndo={() => {
          const one = settled.of(keyOf(item))
          if (one) settled.undo(one)
        }}
      />
    ))
  const error = done.error ?? settled.error ?? handed.error
  const isEmpty = items.length + handed.rows.length + day.held.length === 0
  if (isEmpty) return <EmptyState title={text.empty}>{text.emptyHint}</EmptyState>
  return (
    <div ref={region} onFocus={keys.onFocus} className="flex flex-col gap-3">
      {error && <ErrorNotice error={error} />}
      {groups.overdue.length + groups.today.length === 0 && <p className="text-ink-soft">{text.nothingToday}</p>}
      <Section title={text.sections.overdue}>{draw(groups.overdue)}</Section>
      <Section title={text.sections.today}>{draw(groups.today)}</Section>
      <Section title={text.sections.handed}>
        {handed.rows.map((row) => (
          <HandedRow key={row.key} row={row} actions={handed} />
        ))}
      </Section>
      <Section title={text.sections.held}>
        {day.held.map((row) => (
          <HeldRow key={row.key} row={row} />
        ))}
      </Section>
      {groups.later.map(({ day, isTomorrow, items }) => (
        <Section key={day} title={isTomorrow ? text.tomorrow(weekday(day)) : weekday(day)}>
          {draw(items)}
        </Section>
      ))}
      {moving && (
        <MoveDialog
          promised={moving}
          onClose={() => setMoving(null)}
          onMoved={(undo, due_at) => {
            const said = text.said.moved(whenText(due_at))
            setMoving(null)
            settled.add({ key: keyOf(moving), item: moving, said, undo })
            announce(said)
          }}
        />
      )}
    </div>
  )
}

/** Nothing where it holds no row. */
function Section({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-base font-semibold">{title}</h2>
      <ul aria-label={title} className="rounded border bg-surface">
        {children}
      </ul>
    </section>
  )
}

function promisedOf({ commitments, follow_ups }: MyDay): Promised[] {
  return [
    ...commitments.map((one) => ({ kind: 'commitment', ...one }) as const),
    ...follow_ups.map((one) => ({ kind: 'follow_up', ...one }) as const),
  ]
}

function weekday(at: number): string {
  const name = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: shownZone() }).format(at)
  return `${name}, ${dayText(at)}`
}
