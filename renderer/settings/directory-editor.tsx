/** The directory being edited: what is wrong stands at its field, and what somebody else saved meanwhile beside it. */
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { roles, type Role } from '../../shared/people.ts'
import type { KeptPolicy, Policy } from '../../shared/policy.ts'
import type { DirectoryView } from '../../shared/views.ts'
import { trpc, useMe } from '../app/index.ts'
import { Button, Field, Panel, Select, TextField, useAction } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { Fault, PolicyFoot } from './policy-foot.tsx'
import {
  isChanged,
  mergeDraft,
  newKey,
  problemsOf,
  readDraft,
  type Difference,
  type Draft,
  type DraftClosing,
  type DraftNumber,
  type DraftPeriod,
  type DraftPerson,
  type Problems,
  type Theirs,
} from './directory-draft.ts'
import { GuideEditor } from './guide-editor.tsx'
import { NumbersElsewhere } from './numbers-elsewhere.tsx'

const text = words.directory

/** What is edited, from what. */
export interface Editing {
  base: KeptPolicy
  draft: Draft
  /** What somebody else saved since editing began; null = nobody did. */
  meanwhile: { differences: Difference[]; theirs: Theirs } | null
}

interface EditorProps {
  view: DirectoryView
  editing: Editing
  onChange: (editing: Editing) => void
  onSaved: (kept: KeptPolicy) => void
  onEnd: () => void
}

const none: Problems = new Map()

export function DirectoryEditor({ view, editing, onChange, onSaved, onEnd }: EditorProps) {
  const { base, draft, meanwhile } = editing
  const { school_id } = useMe().person
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(0)
  /** What the station found, and in which draft: typing anything there takes it away. */
  const [refused, setRefused] = useState<{ of: Draft; problems: Problems } | null>(null)
  const read = readDraft(draft, school_id)
  const problems =
    tried === 0 ? none : read.problems.size > 0 ? read.problems : refused?.of === draft ? refused.problems : none
  const save = useAction((policy: Policy) => trpc.policy.save.mutate({ version: base.version, policy }))
  useEffect(() => {
    if (tried > 0) firstProblem(form.current)?.focus()
  }, [tried])

  const change = (part: Partial<Draft>) => {
    save.reset()
    onChange({ ...editing, draft: { ...draft, ...part } })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (save.busy) return
    setTried(tried + 1)
    if (read.problems.size > 0) return
    // Fields rest while it is saved; the focus waits where it is not lost.
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
    const answer = await save.run(read.policy)
    if (!answer) return
    if ('changed' in answer) return onSaved(answer.changed)
    if ('gaps' in answer) {
      setRefused({ of: draft, problems: problemsOf(draft, answer.gaps) })
      setTried(tried + 2)
      return
    }
    const merged = mergeDraft(base.policy, draft, answer.stale.policy)
    setTried(0)
    const { differences, theirs } = merged
    onChange({ base: answer.stale, draft: merged.draft, meanwhile: { differences, theirs } })
    form.current?.querySelector<HTMLElement>('[data-meanwhile]')?.focus()
  }
  const problemOf = (field: string): string | null =>
    problems.has(field)
      ? (problems.get(field) ?? text.problem[field.split('.').at(-1) ?? ''] ?? text.problem['form'] ?? '')
      : null
  /** Beside a field that both changed: what the other one has there. */
  const theirsAt = (field: string): string | undefined => {
    const value = meanwhile?.theirs.get(field)
    return value === undefined ? undefined : text.meanwhile.theirs(valueText(value))
  }
  const part = { draft, change, problemOf, theirsAt, view }
  const isDesk = view.own !== null

  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <div data-meanwhile tabIndex={-1} role="status" className={meanwhile ? '' : '-mb-4'}>
        {meanwhile && <Meanwhile editing={editing} differences={meanwhile.differences} />}
      </div>
      <fieldset disabled={save.busy} className="contents">
        <People {...part} isDesk={isDesk} schoolId={school_id} />
        <Calendar {...part} />
        <GuideEditor guide={draft.guide} problemOf={problemOf} onChange={(guide) => change({ guide })} />
        <Numbers {...part} />
      </fieldset>
      <PolicyFoot
        {...{ text, save, onEnd }}
        fault={problemOf('form')}
        problems={problems.size}
        isChanged={() => isChanged(draft, base.policy)}
      />
    </form>
  )
}

const firstProblem = (form: HTMLElement | null): HTMLElement | null =>
  form?.querySelector<HTMLElement>('[aria-invalid=true], [data-problem]') ?? null

/** What somebody else saved, beside what was typed. */
function Meanwhile({ editing, differences }: { editing: Editing; differences: Difference[] }) {
  const { base, draft } = editing
  const said = text.meanwhile
  const by = base.policy.people.find(({ id }) => id === base.changed_by)?.name ?? null
  const named = ({ part, name, weekday }: Difference) =>
    part === 'period' ? said.part.period(name, text.calendar.weekdays[(weekday ?? 1) - 1] ?? '') : said.part[part](name)
  return (
    <section aria-label={said.title(by, base.version)} className="rounded border border-line-strong bg-surface p-3">
      <p className="font-semibold">{said.title(by, base.version)}</p>
      {differences.length === 0 ? (
        <p>{isChanged(draft, base.policy) ? said.text : said.same}</p>
      ) : (
        <>
          <p className="text-ink-soft">{said.text}</p>
          <ul className="mt-1 list-disc ps-5">
            {differences.map((difference, index) => (
              <li key={index}>{lineOf(difference, named(difference))}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** What was changed of `which`, in whose words it stands now, and, where both changed it, in whose it does not. */
function lineOf({ what, kept, field }: Difference, which: string): string {
  const said = text.meanwhile
  if (!field) return said.line(said.what[what], which, said.kept[kept])
  const [theirs, yours] = [valueText(field.theirs), valueText(field.yours)]
  const of = said.field(which, said.fields[field.of])
  return kept === 'theirs' ? said.onlyTheirs(of, theirs) : said.both(of, theirs, yours)
}

/** A value of a field as it is read: a role by its name. */
const valueText = (value: string): string =>
  roles.find((role) => role === value) ? words.role[value as Role] : value || text.meanwhile.nothing

interface PartProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
  problemOf: (field: string) => string | null
  theirsAt: (field: string) => string | undefined
  view: DirectoryView
}

/** Rows of one kind: changed, removed, and added, with the focus where the hand is. */
function useRows<Row extends { key: string }>(rows: Row[], set: (rows: Row[]) => void) {
  const [added, setAdded] = useState<string | null>(null)
  const add = useRef<HTMLDivElement>(null)
  return {
    added,
    addRef: add,
    change: (key: string, part: Partial<Row>) => set(rows.map((row) => (row.key === key ? { ...row, ...part } : row))),
    add(row: Row) {
      setAdded(row.key)
      set([...rows, row])
    },
    remove(key: string) {
      add.current?.querySelector('button')?.focus()
      set(rows.filter((row) => row.key !== key))
    },
  }
}

const fields = 'grid min-w-0 flex-1 grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] items-start gap-2'

function People({
  draft,
  change,
  problemOf,
  theirsAt,
  view,
  isDesk,
  schoolId,
}: PartProps & { isDesk: boolean; schoolId: string }) {
  const said = text.people
  const hints: Partial<Record<string, string>> = { id: said.idHint, sms: said.phoneHint, voice: said.phoneHint }
  const rows = useRows<DraftPerson>(draft.people, (people) => change({ people }))
  return (
    <Panel title={said.title}>
      <Fault text={problemOf('people')} />
      <ul className="flex flex-col">
        {draft.people.map((person) => {
          const { key, id, name } = person
          const typed = (part: Partial<DraftPerson>) => rows.change(key, part)
          const hasAccount = view.own?.people.includes(id) === true
          const field = (of: 'name' | 'id' | 'sms' | 'voice' | 'email') => ({
            label: said[of],
            problem: problemOf(`${key}.${of}`),
            hint: theirsAt(`${key}.${of}`) ?? hints[of],
            value: person[of],
            onChange: (value: string) => typed({ [of]: value }),
          })
          return (
            <li key={key} className="border-b py-3 last:border-b-0">
              <fieldset className="flex flex-col gap-2">
                <legend className="mb-1 font-semibold">
                  {name.trim() || said.nobody}
                  {hasAccount && <span className="font-normal text-ink-soft"> · {words.role[person.role]}</span>}
                </legend>
                {hasAccount && <p className="text-small text-ink-faint">{said.account}</p>}
                <div className={fields}>
                  {!hasAccount && (
                    <>
                      <TextField {...field('name')} first={rows.added === key} />
                      <Select
                        label={said.role}
                        value={person.role}
                        choices={roles.map((value) => ({ value, label: words.role[value] }))}
                        onChange={(role) => typed({ role })}
                      />
                      {!isDesk && <TextField {...field('id')} />}
                    </>
                  )}
                  <TextField {...field('sms')} type="tel" />
                  <TextField {...field('voice')} type="tel" />
                  <TextField {...field('email')} type="email" />
                </div>
                {!hasAccount && (
                  <Button className="self-start" onClick={() => rows.remove(key)}>
                    {said.remove(name.trim() || said.unnamed)}
                  </Button>
                )}
              </fieldset>
            </li>
          )
        })}
      </ul>
      <div ref={rows.addRef} className="mt-2">
        <Button
          onClick={() =>
            rows.add({
              ...{ key: newKey(), name: '', role: 'COUNSELOR', school_ids: [schoolId], sms: '', voice: '', email: '' },
              // Whoever signs in nowhere needs an id all the same; on a desk nobody types it.
              id: isDesk ? `listed:${crypto.randomUUID()}` : '',
            })
          }
        >
          {said.add}
        </Button>
      </div>
    </Panel>
  )
}

function Calendar({ draft, change, problemOf, theirsAt }: PartProps) {
  const said = text.calendar
  const zones = useTimeZones(draft.time_zone)
  const closed = useRows<DraftClosing>(draft.closed, (next) => change({ closed: next }))
  const periods = useRows<DraftPeriod>(draft.periods, (next) => change({ periods: next }))
  return (
    <Panel title={said.title}>
      <div className="flex flex-col gap-4">
        <Field label={said.zone} problem={problemOf('time_zone')}>
          {(bind) => (
            <select
              {...bind}
              className="field max-w-80"
              value={draft.time_zone}
              onChange={(event) => change({ time_zone: event.target.value })}
            >
              {zones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </select>
          )}
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-semibold">{said.closed}</legend>
          {draft.closed.map((row, index) => {
            const field = (of: 'name' | 'from' | 'to', label: string) => ({
              label: said.nth(label, index + 1),
              problem: problemOf(`${row.key}.${of}`),
              hint: theirsAt(`${row.key}.${of}`),
              value: row[of],
              onChange: (value: string) => closed.change(row.key, { [of]: value }),
            })
            return (
              <Line key={row.key} remove={said.removeClosed(index + 1)} onRemove={() => closed.remove(row.key)}>
                <TextField {...field('name', said.closedName)} first={closed.added === row.key} />
                <TextField {...field('from', said.from)} type="date" />
                <TextField {...field('to', said.to)} type="date" />
              </Line>
            )
          })}
          <div ref={closed.addRef}>
            <Button onClick={() => closed.add({ key: newKey(), name: '', from: '', to: '' })}>{said.addClosed}</Button>
          </div>
        </fieldset>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-semibold">{said.periods}</legend>
          {draft.periods.map((row, index) => {
            const field = (of: 'name' | 'from' | 'to', label: string) => ({
              label: said.nth(label, index + 1),
              problem: problemOf(`${row.key}.${of}`),
              hint: theirsAt(`${row.key}.${of}`),
              value: row[of],
              onChange: (value: string) => periods.change(row.key, { [of]: value }),
            })
            return (
              <Line key={row.key} remove={said.removePeriod(index + 1)} onRemove={() => periods.remove(row.key)}>
                <TextField {...field('name', said.periodName)} first={periods.added === row.key} />
                <TextField {...field('from', said.start)} type="time" />
                <TextField {...field('to', said.end)} type="time" />
                <Weekdays
                  label={said.nth(said.days, index + 1)}
                  chosen={row.weekdays}
                  problem={problemOf(`${row.key}.weekdays`)}
                  onChange={(weekdays) => periods.change(row.key, { weekdays })}
                />
              </Line>
            )
          })}
          <div ref={periods.addRef}>
            <Button
              onClick={() => periods.add({ key: newKey(), name: '', from: '', to: '', weekdays: [1, 2, 3, 4, 5] })}
            >
              {said.addPeriod}
            </Button>
          </div>
        </fieldset>
      </div>
    </Panel>
  )
}

function useTimeZones(own: string): string[] {
  const [known] = useState(() => Intl.supportedValuesOf('timeZone'))
  return known.includes(own) ? known : [own, ...known]
}

/** A line of fields with its button to remove it. */
function Line({ remove, onRemove, children }: { remove: string; onRemove: () => void; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2 border-b pb-2">
      <div className={fields}>{children}</div>
      <Button className="mt-6" aria-label={remove} title={remove} onClick={onRemove}>
        ×
      </Button>
    </div>
  )
}

function Weekdays(props: {
  label: string
  chosen: number[]
  problem: string | null
  onChange: (weekdays: number[]) => void
}) {
  const id = useId()
  return (
    <div
      role="group"
      aria-label={props.label}
      aria-describedby={props.problem === null ? undefined : id}
      className="col-span-full flex flex-col gap-1"
    >
      <div className="flex flex-wrap gap-x-3 gap-y-1">
        {text.calendar.shortWeekdays.map((name, index) => {
          const day = index + 1
          const on = props.chosen.includes(day)
          return (
            <label key={name} className="flex min-h-6 items-center gap-1.5">
              <input
                type="checkbox"
                className="size-4 accent-ink"
                aria-label={text.calendar.weekdays[index]}
                aria-invalid={props.problem === null ? undefined : true}
                checked={on}
                onChange={() =>
                  props.onChange(
                    (on ? props.chosen.filter((each) => each !== day) : [...props.chosen, day]).sort((a, b) => a - b),
                  )
                }
              />
              {name}
            </label>
          )
        })}
      </div>
      {props.problem !== null && (
        <p id={id} className="font-medium text-crisis">
          {props.problem}
        </p>
      )}
    </div>
  )
}

/** How many numbers a school may name. */
const mostNumbers = 8

function Numbers({ draft, change, problemOf, theirsAt, view }: PartProps) {
  const said = text.numbers
  const rows = useRows<DraftNumber>(draft.numbers, (numbers) => change({ numbers }))
  if (view.own?.crisis_numbers)
    return (
      <Panel title={said.title}>
        <ul>
          {draft.numbers.map(({ key, name, contact }) => (
            <li key={key}>
              {name}: {contact}
            </li>
          ))}
        </ul>
        {draft.numbers.length === 0 && <p>{said.none}</p>}
        <NumbersElsewhere />
      </Panel>
    )
  return (
    <Panel title={said.title}>
      <div className="flex flex-col gap-2">
        <p className="text-ink-soft">{said.text}</p>
        {draft.numbers.map((row, index) => {
          const field = (of: 'name' | 'contact') => ({
            label: text.calendar.nth(said[of], index + 1),
            problem: problemOf(`${row.key}.${of}`),
            hint: theirsAt(`${row.key}.${of}`),
            value: row[of],
            onChange: (value: string) => rows.change(row.key, { [of]: value }),
          })
          return (
            <Line key={row.key} remove={said.remove(index + 1)} onRemove={() => rows.remove(row.key)}>
              <TextField {...field('name')} first={rows.added === row.key} />
              <TextField {...field('contact')} />
            </Line>
          )
        })}
        <div ref={rows.addRef}>
          {draft.numbers.length < mostNumbers && (
            <Button onClick={() => rows.add({ key: newKey(), name: '', contact: '' })}>{said.add}</Button>
          )}
        </div>
      </div>
    </Panel>
  )
}
