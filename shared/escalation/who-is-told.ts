/** Whom the ladder tells, run on the policy itself: the station escalates by it, and what would happen is computed by it too. */
import type { Policy } from '../policy.ts'
import { dutyBy, isWithin } from './shifts.ts'
import { wallOf, type Wall } from './wall.ts'
import type { Channel, Ladder, Rota, Rung, Target } from '../on-call.ts'

/** Somebody whom a rung tells. */
export interface Told {
  id: string
  name: string
  /** The ways of the rung by which they can be reached, in its order; never empty. */
  channels: Channel[]
}

/** Why a rung tells somebody not, or nobody. */
export interface NotTold {
  target: Target
  why:
    | 'nobody assigned'
    | 'not on the rota'
    | 'nobody in this role'
    | 'left the directory'
    | 'away'
    | 'no way to reach them'
  /** Person id, where it is one. */
  person: string | null
}

/** What comes of a rung at an instant. */
export interface ResolvedRung {
  /** Each person once, with every way that this rung has for them. */
  people: Told[]
  missing: NotTold[]
}

/** The ladder of a tier. */
export function ladderOf(policy: Pick<Policy, 'on_call'>, tier: 'high' | 'crisis'): Ladder {
  return policy.on_call.ladders[tier]
}

/** Whom a rung tells at an instant (UTC milliseconds). `assigned`: who looks after the student, null = nobody. */
export function whoIsTold(
  policy: Policy,
  rung: Rung,
  at: number,
  { assigned }: { assigned: string | null },
): ResolvedRung {
  const people = new Map<string, Told>()
  const missing: NotTold[] = []
  const room = roomOf(policy)
  const wall = wallOf(at, policy.calendar.time_zone)
  for (const target of rung.to) {
    const named = idsOf(room, target, wall, assigned)
    if (typeof named === 'string') missing.push({ target, why: named, person: null })
    else
      for (const person of named) {
        const told = reach(room, person, rung.channels, wall)
        if (typeof told === 'string') missing.push({ target, why: told, person })
        else people.set(person, told)
      }
  }
  return { people: [...people.values()], missing }
}

type Listed = Policy['people'][number]

/** A policy, found through by id: for asking many times. */
export interface Room {
  calendar: Policy['calendar']
  listed: ReadonlyMap<string, Listed>
  ofRole: ReadonlyMap<string, readonly Listed[]>
  rotas: ReadonlyMap<string, Rota>
  away: ReadonlyMap<string, readonly { from: string; to: string }[]>
}

/** Indexes a policy. */
export function roomOf({ people, calendar, on_call }: Policy): Room {
  return {
    calendar,
    listed: new Map(people.map((person) => [person.id, person])),
    ofRole: Map.groupBy(people, ({ role }) => role),
    rotas: new Map(on_call.rotas.map((rota) => [rota.id, rota])),
    away: Map.groupBy(on_call.away, ({ person }) => person),
  }
}

/** Whether a rung tells anybody when the school's clocks show this: without looking further than the first. */
export function tellsSomebody(room: Room, rung: Rung, wall: Wall, assigned: string | null): boolean {
  return rung.to.some((target) => {
    const named = idsOf(room, target, wall, assigned)
    return (
      typeof named !== 'string' && named.some((person) => typeof reach(room, person, rung.channels, wall) !== 'string')
    )
  })
}

/** Whether somebody of the directory is there to be told: neither left nor away. */
export function isThere(room: Room, person: string, wall: Wall): boolean {
  return room.listed.has(person) && !isAwayBy(room, person, wall)
}

function idsOf(
  room: Room,
  target: Target,
  wall: Wall,
  assigned: string | null,
): readonly string[] | Extract<NotTold['why'], 'nobody assigned' | 'not on the rota' | 'nobody in this role'> {
  switch (target.kind) {
    case 'assigned':
      return assigned === null ? 'nobody assigned' : [assigned]
    case 'person':
      return [target.person]
    case 'role':
      return room.ofRole.get(target.role)?.map(({ id }) => id) ?? 'nobody in this role'
    case 'rota': {
      const rota = room.rotas.get(target.rota)
      const duty = rota && dutyBy(rota, room.calendar, wall)
      return duty ? [duty.person] : 'not on the rota'
    }
  }
}

function reach(
  room: Room,
  person: string,
  channels: readonly Channel[],
  wall: Wall,
): Told | Extract<NotTold['why'], 'left the directory' | 'away' | 'no way to reach them'> {
  const listed = room.listed.get(person)
  if (!listed) return 'left the directory'
  if (isAwayBy(room, person, wall)) return 'away'
  const ways = channels.filter((channel) => hasWay(listed.channels, channel))
  return ways.length === 0 ? 'no way to reach them' : { id: person, name: listed.name, channels: ways }
}

const isAwayBy = ({ away }: Room, person: string, wall: Wall): boolean =>
  away.get(person)?.some((each) => isWithin(wall, each)) ?? false

/** Whether a person of the directory can be told that way. */
export function hasWay(channels: Listed['channels'], channel: Channel): boolean {
  return needsNoAddress(channel) || channels[channel] !== null
}

/** Whether anybody of the directory has a way, without an address of their own. */
export const needsNoAddress = (channel: Channel): channel is 'desktop' | 'other' =>
  channel === 'desktop' || channel === 'other'
