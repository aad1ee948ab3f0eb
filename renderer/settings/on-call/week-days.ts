/** The week calendar: which days it shows, and which stretch of which shift falls on which. Pure; instants are UTC milliseconds. */
import { instantOf, shiftsBetween, wallAt, type Shift } from '../../../shared/escalation/index.ts'
import type { Rota } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { startOfDay } from '../../../shared/zone.ts'

export interface Day {
  /** “2026-11-28”. */
  date: string
  /** Its first instant, and the first one after it. */
  from: number
  to: number
}

/** A shift as far as it falls on a day. */
export interface Stretch extends Shift {
  /** “08:00”; null where it began before that day, as `ends` where it goes on after it. */
  begins: string | null
  ends: string | null
  /** Before the first turn of the rota. */
  early: boolean
}

/** Monday to Sunday of the week that an instant is in, shifted by whole weeks. */
export function weekOf(at: number, zone: string, shift = 0): Day[] {
  const monday = 1 - wallAt(at, zone).dayOfWeek + 7 * shift
  return Array.from({ length: 7 }, (_, index) => {
    const from = startOfDay(at, zone, monday + index)
    return { date: wallAt(from, zone).toPlainDate().toString(), from, to: startOfDay(at, zone, monday + index + 1) }
  })
}

/** Where nobody has a rota that counts: the first such stretch between two instants; null = there is none. */
export function firstUnfilled(policy: Policy, from: number, to: number): { rota: Rota; at: number } | null {
  const unfilled = shiftsBetween(policy, from, to).flatMap(({ rota, shifts }) => {
    const first = shifts.find(({ person }) => person === null)
    return first ? [{ rota, at: Math.max(first.from, from) }] : []
  })
  return unfilled.reduce<(typeof unfilled)[number] | null>(
    (first, each) => (first !== null && first.at <= each.at ? first : each),
    null,
  )
}

/** What each rota has on each of some days that follow each other. Before its first turn it had nothing, up to `now`. */
export function rowsOf(policy: Policy, week: readonly Day[], now: number): { rota: Rota; days: Stretch[][] }[] {
  const zone = policy.calendar.time_zone
  const clock = (at: number) => wallAt(at, zone).toPlainTime().toString({ smallestUnit: 'minute' })
  const firstTurn = ({ rotation: { starts, hands_over_at } }: Rota) => instantOf(`${starts}T${hands_over_at}`, zone)
  // From now on it counts: turns are counted back from the first one, and whoever has it is told.
  const isDrawn = (rota: Rota, { from, to, override }: Shift, day: Day) =>
    override || from >= firstTurn(rota) || Math.min(to, day.to) > now
  // Only what lies before the first turn is early, also where one shift goes across it.
  const atFirstTurn = (rota: Rota, shift: Shift): (Shift & { early: boolean })[] => {
    const first = firstTurn(rota)
    if (shift.override || first <= shift.from) return [{ ...shift, early: false }]
    if (first >= shift.to) return [{ ...shift, early: true }]
    return [
      { ...shift, to: first, early: true },
      { ...shift, from: first, early: false },
    ]
  }
  return shiftsBetween(policy, week[0]?.from ?? 0, week.at(-1)?.to ?? 0).map(({ rota, shifts }) => ({
    rota,
    days: week.map((day) =>
      shifts
        .flatMap((shift) => atFirstTurn(rota, shift))
        .filter((shift) => shift.from < day.to && day.from < shift.to && isDrawn(rota, shift, day))
        .map((shift) => ({
          ...shift,
          begins: shift.from > day.from ? clock(shift.from) : null,
          ends: shift.to < day.to ? clock(shift.to) : null,
        })),
    ),
  }))
}

/** What a field of type `datetime-local` shows for an instant, on the school's clocks. */
export const wallField = (at: number, zone: string): string => wallAt(at, zone).toString({ smallestUnit: 'minute' })

/** The instant of such a field; null while it holds none. */
export function instantIn(field: string, zone: string): number | null {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(field) ? instantOf(field, zone) : null
}
