/** The school's directory and calendar: read as this console heard of them, edited as the station has them. */
import type { ReactNode } from 'react'
import type { KeptPolicy, Policy } from '../../shared/policy.ts'
import type { DirectoryView } from '../../shared/views.ts'
import { useMe } from '../app/index.ts'
import { Button, DataTable, ErrorNotice, Panel, calendarDayText, timeOfDayText, whenText } from '../controls/index.ts'
import { numberText, words } from '../words/index.ts'
import { DirectoryEditor, type Editing } from './directory-editor.tsx'
import { draftOf, type DraftPeriod } from './directory-draft.ts'
import { GuideShown } from './guide-editor.tsx'
import { NumbersElsewhere } from './numbers-elsewhere.tsx'
import { usePolicy } from './use-policy.ts'

const text = words.directory

export function Directory() {
  const { time_zone } = useMe()
  const policy = usePolicy<Editing>('directory', (base) => beginning(base, time_zone), text.saved)
  const { view, newest, isSaved, manages, edit, editing, setEditing, onSaved, onEnd } = policy
  if (view === null) return <p role="status">{words.common.loading}</p>
  if (editing) return <DirectoryEditor {...{ view, editing, onSaved, onEnd }} onChange={setEditing} />
  return (
    <>
      <Panel title={text.title}>
        <div className="flex flex-col items-start gap-2">
          <p className="text-ink-soft">{text.text}</p>
          <p role="status" className="empty:hidden">
            {isSaved ? text.saved : ''}
          </p>
          <State view={view} newest={newest} />
          {manages && <AssignmentsNote view={view} />}
          {edit.error && !edit.busy && <ErrorNotice error={edit.error} />}
          {manages && view.station !== 'none' && (
            <Button look="primary" busy={edit.busy} onClick={() => void edit.run(undefined)}>
              {text.edit}
            </Button>
          )}
          {!manages && view.station !== 'none' && <p className="text-ink-faint">{text.onlyAdmin}</p>}
        </div>
      </Panel>
      {newest && <Shown policy={newest.policy} numbersElsewhere={manages && view.own?.crisis_numbers === true} />}
    </>
  )
}

/** A directory that nobody has saved begins in the zone whose times are on screen. */
function beginning(base: KeptPolicy, time_zone: string): Editing {
  const draft = draftOf(base.policy)
  return { base, draft: base.version === 0 ? { ...draft, time_zone } : draft, meanwhile: null }
}

function State({ view, newest }: { view: DirectoryView; newest: KeptPolicy | null }) {
  if (newest) {
    const { version, changed_at, changed_by } = newest
    const listed = newest.policy.people.find(({ id }) => id === changed_by)?.name
    const by = changed_by === 'system' ? text.byItself : (listed ?? view.changed_by_name ?? changed_by)
    return (
      <>
        <p className="font-semibold">{text.state(version, changed_at === null ? null : whenText(changed_at), by)}</p>
        {view.station === 'none' && <p className="text-ink-soft">{text.noStation}</p>}
        {view.sealed && newest === view.kept && <p>{text.newerSealed}</p>}
        {view.station === 'elsewhere' && newest === view.kept && (
          <p className="text-small text-ink-faint">{text.cached}</p>
        )}
      </>
    )
  }
  return (
    <>
      <p className="font-semibold">{view.sealed ? text.sealed : view.own ? text.noneOnDesk : text.none}</p>
      {view.station === 'none' && <p className="text-ink-soft">{text.noStation}</p>}
    </>
  )
}

/** Whose students the station does not know yet, and why; nothing where it knows all. */
export function AssignmentsNote({ view }: { view: Pick<DirectoryView, 'station' | 'assignments'> }) {
  const { waiting, problem, sending } = view.assignments
  if (waiting === 0) return null
  if (view.station === 'none') return <p>{text.assignments.noStation(waiting)}</p>
  if (problem) return <p>{text.assignments.problem(waiting, problem.happened)}</p>
  return <p>{sending ? text.assignments.sending(waiting) : text.assignments.unlisted(waiting)}</p>
}

type Listed = Policy['people'][number]

const isReached = ({ channels }: Listed): boolean => Object.values(channels).some((channel) => channel !== null)

function Shown({ policy, numbersElsewhere }: { policy: Policy; numbersElsewhere: boolean }) {
  const { people, calendar, crisis_numbers, guide } = policy
  const unreached = people.filter((person) => !isReached(person))
  const shown = (channel: string | null) => channel ?? words.common.unknown
  return (
    <>
      <Panel title={text.people.title}>
        {people.length > 0 && (
          <p className="mb-2">
            {unreached.length > 0
              ? text.people.unreached(words.common.list(unreached.map(({ name }) => name)), unreached.length)
              : text.people.allReached}
          </p>
        )}
        <DataTable
          label={text.people.title}
          rows={people}
          rowKey={({ id }) => id}
          empty={<p>{text.people.none}</p>}
          columns={[
            {
              header: text.people.name,
              cell: (person) => (
                <>
                  <span className="font-semibold">{person.name}</span>
                  {!isReached(person) && (
                    <span className="block text-small text-ink-faint">{text.people.notReached}</span>
                  )}
                </>
              ),
            },
            { header: text.people.role, cell: ({ role }) => words.role[role] },
            { header: text.people.sms, cell: ({ channels }) => shown(channels.sms) },
            { header: text.people.voice, cell: ({ channels }) => shown(channels.voice) },
            { header: text.people.email, cell: ({ channels }) => shown(channels.email) },
          ]}
        />
      </Panel>
      <Panel title={text.calendar.title}>
        <div className="flex flex-col gap-3">
          <p>
            <span className="text-ink-soft">{text.calendar.zone}: </span>
            {calendar.time_zone}
          </p>
          <Part title={text.calendar.closed}>
            <DataTable
              label={text.calendar.closed}
              rows={calendar.closed.map((each, index) => ({ ...each, index }))}
              rowKey={({ index }) => index}
              empty={<p>{text.calendar.noneClosed}</p>}
              columns={[
                { header: text.calendar.closedName, cell: ({ name }) => name },
                { header: text.calendar.from, cell: ({ from }) => calendarDayText(from) },
                { header: text.calendar.to, cell: ({ to }) => calendarDayText(to) },
              ]}
            />
          </Part>
          <Part title={text.calendar.periods}>
            <DataTable
              label={text.calendar.periods}
              rows={draftOf(policy).periods}
              rowKey={({ name, from, to }) => `${name} ${from} ${to}`}
              empty={<p>{text.calendar.nonePeriods}</p>}
              columns={[
                { header: text.calendar.periodName, cell: ({ name }) => name },
                { header: text.calendar.start, cell: ({ from }) => timeOfDayText(from) },
                { header: text.calendar.end, cell: ({ to }) => timeOfDayText(to) },
                { header: text.calendar.days, cell: daysText },
              ]}
            />
          </Part>
        </div>
      </Panel>
      <GuideShown guide={guide} />
      <Panel title={text.numbers.title}>
        <DataTable
          label={text.numbers.title}
          rows={crisis_numbers.map((each, index) => ({ ...each, index }))}
          rowKey={({ index }) => index}
          empty={<p>{text.numbers.none}</p>}
          columns={[
            { header: text.numbers.name, cell: ({ name }) => name },
            { header: text.numbers.contact, cell: ({ contact }) => contact },
          ]}
        />
        {numbersElsewhere && <NumbersElsewhere />}
      </Panel>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** “Mon to Fri”, “Mon, Wed”. */
function daysText({ weekdays }: Pick<DraftPeriod, 'weekdays'>): string {
  const named = weekdays.map((day) => text.calendar.shortWeekdays[day - 1] ?? numberText(day))
  const inARow =
    weekdays.length > 2 && weekdays.every((day, index) => index === 0 || day === (weekdays[index - 1] ?? 0) + 1)
  return inARow ? text.calendar.dayRange(named[0] ?? '', named.at(-1) ?? '') : words.common.list(named)
}
