/**
 * A school's directory and calendar: whom its station can tell, how, and when the school is in session. One document
 * per school and version, kept by the station, edited by an admin, known to every console.
 */
import { z } from 'zod'
import { keptDetectionSchema, usualDetection } from './detection.ts'
import { defaultGuide, guideSchema } from './guide.ts'
import { personNameSchema } from './accounts.ts'
import { onCallSchema, schoolHoursSchema, usualOnCall, usualSchoolHours } from './on-call.ts'
import { roleSchema } from './people.ts'
import { normalSchoolId } from './school.ts'
import { crisisNumberSchema, timeZoneSchema } from './set-up.ts'

const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]+$/)
/** E.164: “+”, the country, the number; up to 15 digits. */
const phoneSchema = z.string().regex(/^\+[1-9]\d{6,14}$/, 'is not a phone number with its country, such as +15550142')
const dateSchema = z.iso.date()
const clockTimeSchema = z.iso.time({ precision: -1 })

/**
 * How a person is reached away from their console; null = not that way. A person may have none yet: whoever the ladder or
 * the rota names must have one, and `gapsIn` is where that is refused once a policy holds them.
 */
const channelsSchema = z.object({
  sms: phoneSchema.nullable(),
  voice: phoneSchema.nullable(),
  email: z.email().max(254).nullable(),
})

const listedPersonSchema = z.object({
  /** `sub` of their sign-in token, or the id of their account. */
  id,
  name: personNameSchema,
  role: roleSchema,
  school_ids: z.array(id.overwrite(normalSchoolId).min(1)).min(1).max(500),
  channels: channelsSchema,
})

/** Monday is 1, as in ISO 8601. */
const weekdaySchema = z.int().min(1).max(7)

const calendarSchema = z.object({
  time_zone: timeZoneSchema,
  /** Days without school, both ends included, in the school's time zone. */
  closed: z.array(z.object({ name: personNameSchema, from: dateSchema, to: dateSchema })).max(200),
  /** Lessons and breaks of a week, in the school's time zone; `to` is the first minute after it. */
  periods: z
    .array(z.object({ name: personNameSchema, weekday: weekdaySchema, from: clockTimeSchema, to: clockTimeSchema }))
    .max(500),
  /** When the school is open, beside the days without school: what is outside is after hours. */
  hours: schoolHoursSchema.max(50).default(() => structuredClone(usualSchoolHours)),
})

export const policySchema = z.object({
  people: z.array(listedPersonSchema).max(2000),
  calendar: calendarSchema,
  /** What a student is given in a crisis beside the crisis reply. */
  crisis_numbers: z.array(crisisNumberSchema).max(8),
  /** What is done about an alert, step by step; one that was saved before there were any has those of the beginning. */
  guide: guideSchema.default(() => [...defaultGuide]),
  /** Who is told of an alert, how and when; one that was saved before there was a ladder has the usual one. */
  on_call: onCallSchema.default(() => structuredClone(usualOnCall)),
  /** How cautiously messages are read; one that was saved before there was a choice has the usual one. */
  detection: keptDetectionSchema.default(() => structuredClone(usualDetection)),
})
export type Policy = z.output<typeof policySchema>

/** As the station keeps it. Version 0 = nobody has saved one yet. */
export interface KeptPolicy {
  version: number
  policy: Policy
  /** UTC milliseconds; null = never saved. */
  changed_at: number | null
  /** Person id; null = never saved. */
  changed_by: string | null
}

/** What the envelope of a version is bound to: it says nothing under another number, time or name. */
export function policyPurpose(of: {
  school_id: string
  version: number
  changed_at: number
  changed_by: string
}): string {
  return JSON.stringify(['policy', of.school_id, of.version, of.changed_at, of.changed_by])
}

/** Who looks after a student; null = nobody any more. */
export const assignmentSchema = z.object({
  student_hash: z.string().regex(/^[0-9a-f]{64}$/),
  person_id: id.nullable(),
})
export type Assignment = z.output<typeof assignmentSchema>

/** Something that a policy lacks, so that it cannot be saved: where, and a sentence for the person who edits it. */
export interface PolicyGap {
  /** Into the policy: `['people', 2, 'channels', 'sms']`. */
  path: (string | number)[]
  gap: string
}

/**
 * What is missing or contradictory in a policy whose form is right: two entries for one person, nobody who may edit it
 * again, a person of other schools alone, days or periods that end before they begin or overlap.
 */
export function gapsIn(policy: Policy, schoolId: string): PolicyGap[] {
  return [
    ...gapsInPeople(policy.people, schoolId),
    ...policy.calendar.closed.flatMap(({ name, from, to }, index) =>
      to < from ? [{ path: ['calendar', 'closed', index, 'to'], gap: `“${name}” ends before it starts.` }] : [],
    ),
    ...gapsInPeriods(policy.calendar.periods),
  ]
}

function gapsInPeople(people: Policy['people'], schoolId: string): PolicyGap[] {
  const gaps: PolicyGap[] = []
  const listed = new Set<string>()
  for (const [index, { id: person, name, school_ids }] of people.entries()) {
    if (listed.has(person)) gaps.push({ path: ['people', index, 'id'], gap: `${name} is listed twice.` })
    listed.add(person)
    if (!school_ids.includes(schoolId))
      gaps.push({ path: ['people', index, 'school_ids'], gap: `${name} is not at this school.` })
  }
  if (!people.some(({ role }) => role === 'ADMIN'))
    gaps.push({ path: ['people'], gap: 'No one is an admin, so no one could change this again.' })
  return gaps
}

function gapsInPeriods(periods: Policy['calendar']['periods']): PolicyGap[] {
  const gaps: PolicyGap[] = []
  for (const [index, period] of periods.entries()) {
    const path = ['calendar', 'periods', index, 'to']
    if (period.to <= period.from) gaps.push({ path, gap: `“${period.name}” ends before it starts.` })
    const before = periods
      .slice(0, index)
      .find(({ weekday, from, to }) => weekday === period.weekday && from < period.to && period.from < to)
    if (before) gaps.push({ path, gap: `“${period.name}” overlaps “${before.name}”.` })
  }
  return gaps
}

/** What came of saving a policy that was edited from `version`. */
export type PolicyChange =
  | { changed: KeptPolicy }
  /** Somebody else saved meanwhile: what stands now. */
  | { stale: KeptPolicy }
  | { gaps: PolicyGap[] }
