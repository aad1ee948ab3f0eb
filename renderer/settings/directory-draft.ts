/** A directory as it is typed: lines of text, what is wrong with them, and what somebody else saved meanwhile. Pure. */
import { gapsIn, policySchema, type Policy, type PolicyGap } from '../../shared/policy.ts'
import type { Role } from '../../shared/people.ts'

interface Row {
  /** Stays with the row for as long as it is edited. */
  key: string
}
export interface DraftPerson extends Row {
  id: string
  name: string
  role: Role
  school_ids: string[]
  sms: string
  voice: string
  email: string
}
export interface DraftClosing extends Row {
  name: string
  /** “2026-12-21”, as `to`; '' = not chosen yet. */
  from: string
  to: string
}
export interface DraftPeriod extends Row {
  name: string
  /** Monday is 1. */
  weekdays: number[]
  /** “08:00”, as `to`; '' = not chosen yet. */
  from: string
  to: string
}
export interface DraftNumber extends Row {
  name: string
  contact: string
}
export interface Draft {
  people: DraftPerson[]
  time_zone: string
  closed: DraftClosing[]
  periods: DraftPeriod[]
  numbers: DraftNumber[]
  /** A step is its own row, known by its id. */
  guide: Policy['guide']
  /** Edited on a page of their own. */
  hours: Policy['calendar']['hours']
  on_call: Policy['on_call']
  detection: Policy['detection']
}

let keys = 0
/** A key for a row that is new. */
export const newKey = (): string => `row-${++keys}`

/** A policy as lines to type in; lessons at the same time of several days are one line. */
export function draftOf({ people, calendar, crisis_numbers, guide, on_call, detection }: Policy): Draft {
  const periods = new Map<string, DraftPeriod>()
  for (const { name, weekday, from, to } of calendar.periods) {
    const same = JSON.stringify([name, from, to])
    const before = periods.get(same) ?? { key: newKey(), name, from, to, weekdays: [] }
    periods.set(same, { ...before, weekdays: [...before.weekdays, weekday].sort((a, b) => a - b) })
  }
  return {
    people: people.map(({ channels, ...person }) => ({
      key: newKey(),
      ...person,
      sms: channels.sms ?? '',
      voice: channels.voice ?? '',
      email: channels.email ?? '',
    })),
    time_zone: calendar.time_zone,
    closed: calendar.closed.map((each) => ({ key: newKey(), ...each })),
    periods: [...periods.values()],
    numbers: crisis_numbers.map((each) => ({ key: newKey(), ...each })),
    guide,
    hours: calendar.hours,
    on_call,
    detection,
  }
}

/** What was typed, as a policy; it need not be one. `rowOf` finds the row of a place in it. */
function policyOf(draft: Draft): { policy: Policy; rowOf: (path: PolicyGap['path']) => Row | undefined } {
  const closed = draft.closed.filter(({ name, from, to }) => !isEmpty(name, from, to))
  const numbers = draft.numbers.filter(({ name, contact }) => !isEmpty(name, contact))
  const periods = draft.periods
    .filter((row) => !isEmpty(row.name, row.from, row.to))
    .flatMap((row) => row.weekdays.map((weekday) => ({ row, weekday })))
  const policy: Policy = {
    people: draft.people.map(({ id, name, role, school_ids, sms, voice, email }) => ({
      ...{ id: id.trim(), name: name.trim(), role, school_ids },
      channels: { sms: phone(sms), voice: phone(voice), email: email.trim() || null },
    })),
    calendar: {
      time_zone: draft.time_zone,
      closed: closed.map(({ name, from, to }) => ({ name: name.trim(), from, to: to || from })),
      periods: periods.map(({ row: { name, from, to }, weekday }) => ({ name: name.trim(), weekday, from, to })),
      hours: draft.hours,
    },
    crisis_numbers: numbers.map(({ name, contact }) => ({ name: name.trim(), contact: contact.trim() })),
    guide: draft.guide,
    on_call: draft.on_call,
    detection: draft.detection,
  }
  const rowOf = ([part, second, third]: PolicyGap['path']): Row | undefined => {
    if (part === 'people') return draft.people[Number(second)]
    if (part === 'crisis_numbers') return numbers[Number(second)]
    if (part === 'guide') return guideRow(draft.guide[Number(second)])
    return second === 'closed' ? closed[Number(third)] : periods[Number(third)]?.row
  }
  return { policy, rowOf }
}

/** A step is found by its id, which stays when its words and its place change. */
const guideRow = (step: Policy['guide'][number] | undefined): Row | undefined => step && { key: stepKey(step) }
export const stepKey = ({ id }: Pick<Policy['guide'][number], 'id'>): string => `step-${id}`

const isEmpty = (...texts: string[]): boolean => texts.every((text) => text.trim() === '')

/** Without what people write into numbers to read them: blanks, hyphens, dots, parentheses. */
function phone(typed: string): string | null {
  return typed.replace(/[\s().\u2010-\u2015-]/g, '') || null
}

/** What is wrong, by field: `row-3.sms`; `people` and `form` are about no single field. Null = of the wrong form. */
export type Problems = ReadonlyMap<string, string | null>

/** What was typed, read: a policy where nothing is wrong with it. */
export function readDraft(draft: Draft, schoolId: string): { policy: Policy; problems: Problems } {
  const { policy, rowOf } = policyOf(draft)
  const parsed = policySchema.safeParse(policy)
  const wrong = (parsed.error?.issues ?? []).map(({ path }): [string, null] => [
    fieldAt(
      path.map((part) => (typeof part === 'number' ? part : String(part))),
      rowOf,
    ),
    null,
  ])
  const dayless = draft.periods
    .filter(({ name, from, to, weekdays }) => weekdays.length === 0 && !isEmpty(name, from, to))
    .map(({ key }): [string, null] => [`${key}.weekdays`, null])
  const problems = new Map<string, string | null>([...wrong, ...dayless])
  if (problems.size > 0 || !parsed.success) return { policy, problems }
  return { policy: parsed.data, problems: problemsOf(draft, gapsIn(parsed.data, schoolId)) }
}

/** Gaps of what was typed, by field. */
export function problemsOf(draft: Draft, gaps: readonly PolicyGap[]): Problems {
  const { rowOf } = policyOf(draft)
  return new Map(gaps.map(({ path, gap }) => [fieldAt(path, rowOf), gap]))
}

function fieldAt(path: PolicyGap['path'], rowOf: (path: PolicyGap['path']) => Row | undefined): string {
  if (path[0] === 'people' && path.length === 1) return 'people'
  const row = rowOf(path)
  if (!row) return path[1] === 'time_zone' ? 'time_zone' : 'form'
  const last = path.findLast((part) => typeof part === 'string')
  // Nobody types the schools of a person, and days are chosen together.
  return `${row.key}.${{ school_ids: 'name', weekday: 'weekdays' }[String(last)] ?? String(last)}`
}

/** A field of an entry, as it is called in the draft. */
type DraftField = 'name' | 'role' | 'school_ids' | 'sms' | 'voice' | 'email' | 'from' | 'to' | 'contact'

/** Something that somebody else changed since editing began. */
export interface Difference {
  part: 'person' | 'closed' | 'period' | 'number' | 'time zone'
  what: 'added' | 'changed' | 'removed' | 'reordered'
  /** Of the entry; '' where all of them are meant. */
  name: string
  /** Monday is 1; of a period alone. */
  weekday?: number
  /** Whose stands in the merged draft now. */
  kept: 'theirs' | 'yours'
  /** What was changed, with both values; absent where it is the whole entry. */
  field?: { of: DraftField; theirs: string; yours: string }
}

/** What somebody else typed into a field that both changed, by field: `row-3.sms`. */
export type Theirs = ReadonlyMap<string, string>

interface Merged {
  draft: Draft
  differences: Difference[]
  theirs: Theirs
}

/**
 * What was typed, with what somebody else saved meanwhile, field by field: theirs where only they changed it, else what
 * was typed. No entry that either of them added is lost; one that one of them removed and the other changed stays as
 * it was typed.
 */
export function mergeDraft(base: Policy, mine: Draft, theirs: Policy): Merged {
  const typed = policyOf(mine).policy
  const differences: Difference[] = []
  const conflicts: { row: (draft: Draft) => Row | undefined; of: DraftField; theirs: string }[] = []

  const merge = <Entry extends Named>(
    part: 'person' | 'closed' | 'period' | 'number',
    [before, here, there]: [Entry[], Entry[], Entry[]],
    fields: Fields<Entry>,
    rowOf: (entry: Entry, index: number) => (draft: Draft) => Row | undefined,
  ): Entry[] => {
    const lists = paired(before, here, there, part === 'person')
    const found = new Map<Entry, NonNullable<Difference['field']>[]>()
    const tell = (
      what: Difference['what'],
      entry: Entry | null,
      kept: Difference['kept'],
      field?: Difference['field'],
    ) =>
      differences.push({
        ...{ part, what, name: entry?.name ?? '', kept },
        ...(entry?.weekday !== undefined && { weekday: entry.weekday }),
        ...(field && { field }),
      })
    const merged = inOrder(lists, (kept) => part === 'number' && tell('reordered', null, kept)).flatMap((id) => {
      const [was, yours, other] = lists.map((list) => list.get(id))
      if (!yours || !other) {
        const kept = same(was, yours) ? 'theirs' : 'yours'
        const about = other ?? was
        if (about && !same(was, other) && !same(yours, other))
          tell(was === undefined ? 'added' : other === undefined ? 'removed' : 'changed', about, kept)
        return (kept === 'theirs' ? other : yours) ?? []
      }
      const { entry, changed } = mergeFields(fields, was, yours, other)
      for (const { kept, ...field } of changed) {
        tell('changed', other, kept, field)
        if (kept === 'yours') found.set(entry, [...(found.get(entry) ?? []), field])
      }
      return entry
    })
    merged.forEach((entry, index) => {
      for (const { of, theirs: value } of found.get(entry) ?? [])
        conflicts.push({ row: rowOf(entry, index), of, theirs: value })
    })
    return merged
  }

  const calendars = [base.calendar, typed.calendar, theirs.calendar] as const
  const [zoneBefore, zoneTyped, zoneSaved] = calendars.map(({ time_zone }) => time_zone) as [string, string, string]
  const zoneIsTheirs = zoneTyped === zoneBefore
  const policy: Policy = {
    people: merge(
      'person',
      [base.people, typed.people, theirs.people],
      personFields,
      (_, index) => (draft) => draft.people[index],
    ),
    calendar: {
      time_zone: zoneIsTheirs ? zoneSaved : zoneTyped,
      closed: merge(
        'closed',
        [base.calendar.closed, typed.calendar.closed, theirs.calendar.closed],
        dayFields,
        (_, index) => (draft) => draft.closed[index],
      ),
      periods: merge(
        'period',
        [base.calendar.periods, typed.calendar.periods, theirs.calendar.periods],
        timeFields,
        periodRow,
      ),
      hours: theirs.calendar.hours,
    },
    crisis_numbers: merge(
      'number',
      [base.crisis_numbers, typed.crisis_numbers, theirs.crisis_numbers],
      numberFields,
      (_, index) => (draft) => draft.numbers[index],
    ),
    // Its order is what it says: as a whole it is the typed one, or the saved one where nothing was typed.
    guide: JSON.stringify(typed.guide) === JSON.stringify(base.guide) ? theirs.guide : typed.guide,
    on_call: theirs.on_call,
    detection: theirs.detection,
  }
  if (zoneSaved !== zoneBefore && zoneSaved !== zoneTyped)
    differences.push({ part: 'time zone', what: 'changed', name: zoneSaved, kept: zoneIsTheirs ? 'theirs' : 'yours' })
  const draft = draftOf(policy)
  const at = conflicts.map(({ row, of, theirs: value }): [string, string] => [`${row(draft)?.key}.${of}`, value])
  return { draft, differences, theirs: new Map(at) }
}

interface Named {
  name: string
  weekday?: number
}
type Listed = Policy['people'][number]
type Period = Policy['calendar']['periods'][number]

/** How a field is read from an entry, and put into it. */
type Fields<Entry> = readonly {
  of: DraftField
  get: (entry: Entry) => unknown
  put: (into: Entry, from: Entry) => Entry
}[]

const plain = <Entry, Key extends DraftField & keyof Entry>(...keys: Key[]): Fields<Entry> =>
  keys.map((of) => ({ of, get: (entry) => entry[of], put: (into, from) => ({ ...into, [of]: from[of] }) }))
const channels = (['sms', 'voice', 'email'] as const).map((of) => ({
  of,
  get: (entry: Listed) => entry.channels[of],
  put: (into: Listed, from: Listed) => ({ ...into, channels: { ...into.channels, [of]: from.channels[of] } }),
}))
const personFields: Fields<Listed> = [
  ...plain<Listed, 'name' | 'role' | 'school_ids'>('name', 'role', 'school_ids'),
  ...channels,
]
const dayFields = plain<Policy['calendar']['closed'][number], 'from' | 'to'>('from', 'to')
const timeFields = plain<Period, 'from' | 'to'>('from', 'to')
const numberFields = plain<Policy['crisis_numbers'][number], 'contact'>('contact')

/** Lessons at the same time of several days are one row. */
const periodRow = (entry: Period) => (draft: Draft) =>
  draft.periods.find(
    ({ name, from, to, weekdays }) =>
      weekdays.includes(entry.weekday) && same([name, from, to], [entry.name, entry.from, entry.to]),
  )

/** Two versions of an entry as one, and which fields the other one changed. */
function mergeFields<Entry>(fields: Fields<Entry>, was: Entry | undefined, yours: Entry, other: Entry) {
  const changed: (NonNullable<Difference['field']> & { kept: Difference['kept'] })[] = []
  let entry = yours
  for (const { of, get, put } of fields) {
    const [before, typed, saved] = [was && get(was), get(yours), get(other)]
    if (same(before, saved) || same(typed, saved)) continue
    const kept = was !== undefined && same(before, typed) ? 'theirs' : 'yours'
    if (kept === 'theirs') entry = put(entry, other)
    changed.push({ of, theirs: shown(saved), yours: shown(typed), kept })
  }
  return { entry, changed }
}

const shown = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))

type Lists<Entry> = [Map<string, Entry>, Map<string, Entry>, Map<string, Entry>]

/**
 * Three lists whose entries are found under the same id where they are the same line: a person by their id, all else
 * where nothing was changed or, else, by its name (of a lesson its day, too) in the order in which that comes.
 */
function paired<Entry extends Named>(before: Entry[], here: Entry[], there: Entry[], byId: boolean): Lists<Entry> {
  const nameOf = (entry: Entry) => JSON.stringify(byId ? personId(entry) : [entry.name, entry.weekday])
  const first = new Map(numbered(before, byId ? nameOf : write).map(({ id, entry }) => [id, entry]))
  const later = (list: Entry[]): Map<string, Entry> => {
    const own = numbered(list, byId ? nameOf : write)
    if (byId) return new Map(own.map(({ id, entry }) => [id, entry]))
    // Lines of before that this list has no more, by name: a changed line is the next of them.
    const had = new Set(own.map(({ id }) => id))
    const open = [...first].filter(([id]) => !had.has(id))
    return new Map(
      own.map(({ id, entry }) => {
        if (first.has(id)) return [id, entry]
        const changed = open.findIndex(([, was]) => nameOf(was) === nameOf(entry))
        return [changed < 0 ? id : (open.splice(changed, 1)[0]?.[0] ?? id), entry]
      }),
    )
  }
  return [first, later(here), later(there)]
}

const write = (entry: unknown): string => canonical(entry) ?? ''
const personId = (entry: Named): unknown => ('id' in entry && entry.id) || entry.name

/** Each entry under what `key` says and how often that came before. */
function numbered<Entry>(list: Entry[], key: (entry: Entry) => string): { id: string; entry: Entry }[] {
  const seen = new Map<string, number>()
  return list.map((entry) => {
    const of = key(entry)
    seen.set(of, (seen.get(of) ?? 0) + 1)
    return { id: `${seen.get(of)} ${of}`, entry }
  })
}

/** Every id once, as it was typed; in their order where they alone changed it. `reordered` is told whose stands. */
function inOrder<Entry>([before, typed, saved]: Lists<Entry>, reordered: (kept: Difference['kept']) => void): string[] {
  const common = [...before.keys()].filter((id) => typed.has(id) && saved.has(id))
  const order = (list: Map<string, Entry>) => [...list.keys()].filter((id) => common.includes(id))
  const [mineMoved, theirsMoved] = [!same(common, order(typed)), !same(common, order(saved))]
  if (theirsMoved && !same(order(typed), order(saved))) reordered(mineMoved ? 'yours' : 'theirs')
  const lists = theirsMoved && !mineMoved ? [saved, typed, before] : [typed, saved, before]
  return [...new Set(lists.flatMap((list) => [...list.keys()]))]
}

/** The form of an entry is fixed, so that equal ones are written alike. */
function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** Whether anything was typed that is not in the policy. */
export function isChanged(draft: Draft, policy: Policy): boolean {
  return !same(policyOf(draft).policy, policyOf(draftOf(policy)).policy)
}
