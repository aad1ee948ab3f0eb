import type { Policy } from '../../../shared/policy.ts'
import { minutes } from '../../../shared/time.ts'
import { whereNow, type WhereNow } from '../../../shared/timetable.ts'
import type { Contacts, RosterEntry } from '../../../shared/views.ts'
import { lessonsOf } from '../../store/console/index.ts'
import { emergencyNumbers, ownCrisisNumbers } from '../identity/index.ts'
import type { Caller } from './context.ts'
import { schoolZone } from './school-zone.ts'

/** The calendar of the caller's school; without one that this console has heard of, its time zone alone. */
export function calendarOf(ctx: Pick<Caller, 'parts' | 'person'>): Policy['calendar'] {
  const kept = ctx.parts.directory.view(ctx.person).kept?.policy.calendar
  return kept ?? { time_zone: schoolZone(ctx), closed: [], periods: [], hours: [] }
}

/** Where the timetable and the calendar place a student of the caller's school at this minute. */
export function whereIs(ctx: Caller, roster: RosterEntry | null): WhereNow {
  const { parts, person } = ctx
  const lessons = roster ? lessonsOf(parts.db, person.school_id, roster) : { own: [], of_class: [] }
  const now = parts.clock.now()
  const where = whereNow(now, lessons, calendarOf(ctx))
  // A calendar may be edited meanwhile: nothing on screen is older than this.
  return { ...where, changes_at: Math.min(where.changes_at, now + minutes(15)) }
}

/** Whom to call about a student of the caller's school. */
export function contactsFor(ctx: Caller, roster: RosterEntry | null): Contacts {
  const numbers = ctx.parts.directory.view(ctx.person).kept?.policy.crisis_numbers
  return {
    guardians: roster?.guardians ?? [],
    emergency: emergencyNumbers(schoolZone(ctx)),
    school: numbers ?? ownCrisisNumbers(ctx.parts.db) ?? [],
  }
}
