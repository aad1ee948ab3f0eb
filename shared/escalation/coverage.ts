/** Who would be told if a crisis arrived now, and when somebody would next be missing: the policy itself, run forward. */
import type { CoverageNow } from '../events.ts'
import type { Channel, Rota, Rung } from '../on-call.ts'
import type { Policy } from '../policy.ts'
import { days, minutes } from '../time.ts'
import { isSchoolTimeBy } from './shifts.ts'
import { changesBetween, clockOf } from './week.ts'
import { ladderOf, roomOf, tellsSomebody, toldBy, type Room } from './who-is-told.ts'
import type { Wall } from './wall.ts'

/** How far ahead the next gap is looked for, milliseconds. */
const looksAhead = days(14)

/**
 * Who looks after the student of the alert that might come: one person for all students, nobody, or `various`, which
 * counts as somebody who can be told and stands in the answer as `assigned`.
 */
export type Assigned = string | null | 'various'

/**
 * The ladder of a crisis that arrives at `at` (UTC milliseconds), as it would run: a rung that tells nobody is left out,
 * and the next one comes at its time. `next_gap`: the first instant within 14 days at which a rung that tells somebody
 * at other times tells nobody (`at` itself where it is so now); an after-hours rota that rests while school is in
 * session is none, as long as another rung tells somebody.
 */
export function coverageNow(
  policy: Policy,
  at: number,
  { version, assigned }: { version: number; assigned: Assigned },
): CoverageNow {
  const room = roomOf(policy)
  const { rungs } = ladderOf(policy, 'crisis')
  const gap = nextGap(room, rungs, at, policy, assigned)
  return {
    rungs: runForward(room, rungs, at, policy, assigned),
    ...(gap !== null && { next_gap: gap }),
    policy_version: version,
  }
}

function runForward(room: Room, rungs: readonly Rung[], at: number, policy: Policy, assigned: Assigned) {
  const clock = clockOf(policy, at, at + days(1))
  const ran: CoverageNow['rungs'] = []
  /** When the rung before would have come, where it told nobody. */
  let skipped: number | null = null
  for (const rung of rungs) {
    const after: number = skipped ?? minutes(rung.after_minutes)
    const told = toldAt(room, rung, clock.wallAt(at + after), assigned)
    if (told.to.length > 0) ran.push({ after_s: Math.round(after / 1000), ...told })
    skipped = told.to.length > 0 ? null : after
  }
  return ran
}

function toldAt(room: Room, rung: Rung, wall: Wall, assigned: Assigned): { to: string[]; channels: Channel[] } {
  const to = new Set<string>()
  const ways = new Set<Channel>()
  if (assigned === 'various' && namesAssigned(rung)) {
    to.add('assigned')
    for (const channel of rung.channels) ways.add(channel)
  }
  for (const { id, channels } of toldBy(room, rung, wall, assigned === 'various' ? null : assigned)) {
    to.add(id)
    for (const channel of channels) ways.add(channel)
  }
  return { to: [...to], channels: rung.channels.filter((channel) => ways.has(channel)) }
}

const namesAssigned = ({ to, channels }: Rung): boolean =>
  channels.length > 0 && to.some(({ kind }) => kind === 'assigned')

function tells(room: Room, rung: Rung, wall: Wall, assigned: Assigned): boolean {
  if (assigned === 'various') return namesAssigned(rung) || tellsSomebody(room, rung, wall, null)
  return tellsSomebody(room, rung, wall, assigned)
}

function nextGap(room: Room, rungs: readonly Rung[], at: number, policy: Policy, assigned: Assigned): number | null {
  const until = at + looksAhead
  const clock = clockOf(policy, at, until)
  const stretches = changesBetween(room, rotasOf(room, rungs), clock, at, until).map((from) => {
    const wall = clock.wallAt(from)
    return { from, wall, tells: rungs.map((rung) => tells(room, rung, wall, assigned)) }
  })
  const ever = rungs.map((_, index) => stretches.some(({ tells }) => tells[index]))
  const gap = stretches.find(({ wall, tells }) =>
    rungs.some((rung, index) => ever[index] && !tells[index] && !(tells.includes(true) && rests(room, rung, wall))),
  )
  return gap?.from ?? null
}

/** Rotas that rungs tell. */
export function rotasOf(room: Room, rungs: readonly Rung[]): Rota[] {
  const named = rungs.flatMap(({ to }) => to.flatMap((target) => (target.kind === 'rota' ? target.rota : [])))
  return [...new Set(named)].flatMap((id) => room.rotas.get(id) ?? [])
}

/** Whether a rung is for after hours alone, and the school is open. */
function rests(room: Room, { to }: Rung, wall: Wall): boolean {
  return (
    isSchoolTimeBy(room.calendar, wall) &&
    to.every((target) => target.kind === 'rota' && room.rotas.get(target.rota)?.hours === 'after hours')
  )
}

/**
 * Stretches from `from` until `to` (UTC milliseconds) in which no rung of a ladder tells anybody about a student whom
 * nobody is assigned to: since a rung that tells nobody is passed over at once, an alert then would be heard by none.
 */
export function silencesBetween(
  policy: Policy,
  rungs: readonly Rung[],
  from: number,
  to: number,
): { from: number; to: number }[] {
  const room = roomOf(policy)
  const clock = clockOf(policy, from, to)
  const starts = changesBetween(room, rotasOf(room, rungs), clock, from, to)
  const silences: { from: number; to: number }[] = []
  for (const [index, start] of starts.entries()) {
    const wall = clock.wallAt(start)
    if (rungs.some((rung) => tellsSomebody(room, rung, wall, null))) continue
    const end = starts[index + 1] ?? to
    const before = silences.at(-1)
    if (before?.to === start) before.to = end
    else silences.push({ from: start, to: end })
  }
  return silences
}
