/** Who would be told if a crisis arrived now, and when somebody would next be missing: the policy itself, run forward. */
import type { CoverageNow } from '../events.ts'
import type { Channel, Rota, Rung } from '../on-call.ts'
import type { Policy } from '../policy.ts'
import { days, minutes } from '../time.ts'
import { policyBy, type Ways } from './ways.ts'
import { isSchoolTimeBy } from './shifts.ts'
import { changesBetween, clockOf } from './week.ts'
import {
  hasWay,
  ladderOf,
  needsNoAddress,
  roomOf,
  tellsSomebody,
  whoIsTold,
  type ResolvedRung,
  type Room,
  type Told,
} from './who-is-told.ts'
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
 * the next one comes at its time, and what follows keeps its distance. `next_gap`: the first instant within 14 days at which a rung that tells somebody
 * at other times tells nobody (`at` itself where it is so now); an after-hours rota that rests while school is in
 * session is none, as long as another rung tells somebody. `ways`: those that the station has.
 */
export function coverageNow(
  kept: Policy,
  at: number,
  { version, assigned, ways = null }: { version: number; assigned: Assigned; ways?: Ways },
): CoverageNow {
  const policy = policyBy(kept, ways)
  const room = roomOf(policy)
  const { rungs } = ladderOf(policy, 'crisis')
  const gap = nextGap(room, rungs, at, policy, assigned)
  return {
    rungs: ladderRun(policy, at, { tier: 'crisis', assigned })
      .filter(({ passed }) => !passed)
      .map(({ comes, people, index }) => ({
        after_s: Math.max(0, Math.round(comes / 1000)),
        to: [...new Set(people.map(({ id }) => id))],
        channels: (rungs[index]?.channels ?? []).filter((way) => people.some(({ channels }) => channels.includes(way))),
      })),
    ...(gap !== null && { next_gap: gap }),
    policy_version: version,
  }
}

/** A rung as it would come. */
export interface ComingRung extends ResolvedRung {
  /** Its place in the ladder, from 0. */
  index: number
  /** After the alert, milliseconds, with every rung before it passed over that tells nobody. */
  comes: number
  /** Nobody is told: the next one comes in its place. */
  passed: boolean
}

/**
 * The whole ladder of an alert that comes at `at` (UTC milliseconds) and that nobody acknowledges, run as the station
 * runs it: a rung that tells nobody is passed over at once, and what follows keeps its distance. Of `various` counselors
 * each is told under the id `assigned`, by the ways that anybody has who may be one. `ways`: those that the station has.
 */
export function ladderRun(
  kept: Policy,
  at: number,
  { tier, assigned, ways = null }: { tier: 'high' | 'crisis'; assigned: Assigned; ways?: Ways },
): ComingRung[] {
  const policy = policyBy(kept, ways)
  const room = roomOf(policy)
  const { rungs } = ladderOf(policy, tier)
  let comes = minutes(rungs[0]?.after_minutes ?? 0)
  return rungs.map((rung, index) => {
    const { people, missing } = whoIsTold(policy, rung, at + comes, {
      assigned: assigned === 'various' ? null : assigned,
    })
    const channels = assigned === 'various' ? waysToAssigned(room, rung) : []
    const theirs = channels.length > 0 ? [{ id: 'assigned', name: '', channels }] : []
    const told = [...theirs, ...people]
    const left = assigned === 'various' ? missing.filter(({ why }) => why !== 'nobody assigned') : missing
    const coming = {
      index,
      comes,
      people: told,
      missing: left,
      passed: told.length === 0,
    }
    if (told.length > 0) comes += minutes((rungs[index + 1]?.after_minutes ?? 0) - rung.after_minutes)
    return coming
  })
}

/**
 * Whom the station tells when it comes to a rung (its place, from 0) at `at` (UTC milliseconds): those of the first from
 * there on that tells anybody, since what tells nobody is passed over at once; nobody where none does. `ways`: those that
 * the station has.
 */
export function toldFrom(
  kept: Policy,
  rung: number,
  at: number,
  { tier, assigned, ways }: { tier: 'high' | 'crisis'; assigned: string | null; ways: Ways },
): Told[] {
  const policy = policyBy(kept, ways)
  const rungs = ladderOf(policy, tier).rungs.slice(rung)
  return rungs.map((each) => whoIsTold(policy, each, at, { assigned }).people).find((told) => told.length > 0) ?? []
}

/** The ways of a rung to whoever looks after a student: those that anybody has who may. */
function waysToAssigned({ listed }: Room, { to, channels }: Rung): Channel[] {
  if (!to.some(({ kind }) => kind === 'assigned')) return []
  const they = [...listed.values()].filter(({ role }) => role !== 'ADMIN')
  return channels.filter(
    (channel) => needsNoAddress(channel) || they.some((person) => hasWay(person.channels, channel)),
  )
}

function tells(room: Room, rung: Rung, wall: Wall, assigned: Assigned): boolean {
  if (assigned === 'various') return waysToAssigned(room, rung).length > 0 || tellsSomebody(room, rung, wall, null)
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
function rotasOf(room: Room, rungs: readonly Rung[]): Rota[] {
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
