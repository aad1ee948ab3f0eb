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
}

let keys = 0
/** A key for a row that is new. */
export const newKey = (): string => `row-${++keys}`

/** A policy as lines to type in; lessons at the same time of several days are one line. */
export function draftOf({ people, calendar, crisis_numbers }: Policy): Draft {
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
    },
    crisis_numbers: numbers.map(({ name, contact }) => ({ name: name.trim(), contact: contact.trim() })),
  }
  const rowOf = ([part, second, third]: PolicyGap['path']): Row | undefined => {
    if (part === 'people') return draft.people[Number(second)]
    if (part === 'crisis_numbers') return numbers[Number(second)]
    return second === 'closed' ? closed[Number(third)] : periods[Number(third)]?.row
  }
  return { policy, rowOf }
}

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

/** Something that somebody else changed since editing began. */
export interface Difference {
  part: 'person' | 'closed' | 'period' | 'number' | 'time zone'
  what: 'added' | 'changed' | 'removed'
  name: string
  /** Monday is 1; of a period alone. */
  weekday?: number
  /** Whose stands in the merged draft now. */
  kept: 'theirs' | 'yours'
}

/**
 * What was typed, with what somebody else saved meanwhile: theirs where only they changed it, else what was typed. No
 * entry that either of them added is lost.
 */
export function mergeDraft(base: Policy, mine: Draft, theirs: Policy): { draft: Draft; differences: Difference[] } {
  const own = policyOf(mine).policy
  const differences: Difference[] = []
  const merge = <Entry extends { name: string; weekday?: number }>(
    part: Difference['part'],
    entries: readonly [Entry[], Entry[], Entry[]],
    idOf: (entry: Entry) => string = (entry) => canonical(entry) ?? '',
  ): Entry[] => {
    const [before, typed, saved] = entries.map((list) => new Map(list.map((entry) => [idOf(entry), entry]))) as [
      Map<string, Entry>,
      Map<string, Entry>,
      Map<string, Entry>,
    ]
    return [...new Set([...typed.keys(), ...saved.keys(), ...before.keys()])].flatMap((id) => {
      const [was, here, there] = [before.get(id), typed.get(id), saved.get(id)]
      const kept = same(was, here) ? 'theirs' : 'yours'
      if (!same(was, there) && !same(here, there)) {
        const { name = '', weekday } = there ?? was ?? {}
        const what = was === undefined ? 'added' : there === undefined ? 'removed' : 'changed'
        differences.push({ part, what, name, kept, ...(weekday !== undefined && { weekday }) })
      }
      return (kept === 'theirs' ? there : here) ?? []
    })
  }
  const zoneIsTheirs = own.calendar.time_zone === base.calendar.time_zone
  const policy: Policy = {
    people: merge('person', [base.people, own.people, theirs.people], ({ id, name }) => id || name),
    calendar: {
      time_zone: zoneIsTheirs ? theirs.calendar.time_zone : own.calendar.time_zone,
      closed: merge('closed', [base.calendar.closed, own.calendar.closed, theirs.calendar.closed]),
      periods: merge('period', [base.calendar.periods, own.calendar.periods, theirs.calendar.periods]),
    },
    crisis_numbers: merge('number', [base.crisis_numbers, own.crisis_numbers, theirs.crisis_numbers]),
  }
  const { time_zone: zone } = theirs.calendar
  if (zone !== base.calendar.time_zone && zone !== own.calendar.time_zone)
    differences.push({ part: 'time zone', what: 'changed', name: zone, kept: zoneIsTheirs ? 'theirs' : 'yours' })
  return { draft: draftOf(policy), differences }
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
