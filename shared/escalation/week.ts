/** Who has which rota when: the shifts between two instants, and the instants at which anything about them changes. */
import type { Policy } from '../policy.ts'
import type { Rota } from '../on-call.ts'
import { dutyBy } from './shifts.ts'
import { isThere, roomOf, type Room } from './who-is-told.ts'
import { dayAfter, dayNumber, wallClock, weekdayOf, type Wall, type WallClock } from './wall.ts'

/** A stretch of time in which one person, or nobody, has a rota. */
export interface Shift {
  /** Person id; null = the rota counts and nobody can be told. */
  person: string | null
  /** Who has it and cannot be told, being away or no longer in the directory; null where `person` can. */
  absent: string | null
  /** UTC milliseconds; `to` is the first instant after it. */
  from: number
  to: number
  /** Not by turn: somebody stands in. */
  override: boolean
}

/** The shifts of each rota from `from` until `to` (UTC milliseconds), in order; none where a rota does not count. */
export function shiftsBetween(policy: Policy, from: number, to: number): { rota: Rota; shifts: Shift[] }[] {
  const room = roomOf(policy)
  const clock = clockOf(policy, from, to)
  return policy.on_call.rotas.map((rota) => ({ rota, shifts: shiftsOf(room, rota, clock, from, to) }))
}

function shiftsOf(room: Room, rota: Rota, clock: WallClock, from: number, to: number): Shift[] {
  const shifts: Shift[] = []
  const starts = changesBetween(room, [rota], clock, from, to)
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    const duty = whoHas(room, rota, clock.wallAt(start))
    if (!duty) continue
    const before = shifts.at(-1)
    if (before?.to === start && isSame(before, duty)) before.to = end
    else shifts.push({ ...duty, from: start, to: end })
  }
  return shifts
}

type Had = Pick<Shift, 'person' | 'absent' | 'override'>

function whoHas(room: Room, rota: Rota, wall: Wall): Had | null {
  const duty = dutyBy(rota, room.calendar, wall)
  if (!duty) return null
  const { person, override } = duty
  return isThere(room, person, wall) ? { person, absent: null, override } : { person: null, absent: person, override }
}

const isSame = (a: Had, b: Had): boolean => a.person === b.person && a.absent === b.absent && a.override === b.override

/** The clocks of a policy's school for instants from `from` until `to`. */
export const clockOf = ({ calendar }: Pick<Policy, 'calendar'>, from: number, to: number): WallClock =>
  wallClock(calendar.time_zone, from, to)

/**
 * `from`, and every instant before `to` at which some of these rotas could pass to somebody else, begin or cease to
 * count, or anybody goes away or returns; in order. Between two of them nothing changes.
 */
export function changesBetween(
  room: Room,
  rotas: readonly Rota[],
  clock: WallClock,
  from: number,
  to: number,
): number[] {
  const first = clock.wallAt(from).day
  const last = clock.wallAt(to).day
  const walls = new Set<string>()
  for (const rota of rotas) {
    for (const day of handoverDays(rota, first, last)) walls.add(`${day}T${rota.rotation.hands_over_at}`)
    for (const each of rota.overrides) walls.add(each.from).add(each.to)
  }
  if (rotas.some(({ hours }) => hours !== 'always')) for (const wall of schoolBounds(room, first, last)) walls.add(wall)
  for (const absences of room.away.values()) for (const each of absences) walls.add(each.from).add(each.to)
  const instants = [...walls].flatMap((wall) => (isNear(wall, first, last) ? clock.instantsOf(wall) : []))
  const between = [...instants, ...clock.changes].filter((at) => from < at && at < to)
  return [from, ...new Set(between.sort((a, b) => a - b))]
}

/** The days on which somebody hands over. */
function* handoverDays({ rotation: { starts, turn_days } }: Rota, first: string, last: string): Generator<string> {
  const since = dayNumber(first) - dayNumber(starts)
  // Rounded up to whole turns: the first handover on or after that day.
  for (
    let day = dayAfter(starts, Math.ceil(since / turn_days) * turn_days);
    day <= last;
    day = dayAfter(day, turn_days)
  )
    yield day
}

/** When the school opens and closes. */
function* schoolBounds({ calendar: { closed, hours } }: Room, first: string, last: string): Generator<string> {
  for (
    let day = first, weekday = weekdayOf(dayNumber(first));
    day <= last;
    day = dayAfter(day), weekday = (weekday % 7) + 1
  )
    for (const each of hours)
      if (each.weekday === weekday) {
        yield `${day}T${each.from}`
        yield `${day}T${each.to}`
      }
  for (const { from, to } of closed) {
    yield `${from}T00:00`
    yield `${dayAfter(to)}T00:00`
  }
}

const isNear = (wall: string, first: string, last: string): boolean =>
  first <= wall.slice(0, 10) && wall.slice(0, 10) <= last
