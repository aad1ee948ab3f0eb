/** Whom the ladder tells, run on the policy itself: the station escalates by it, and what would happen is computed by it too. */
import type { Policy } from '../policy.ts'
import { minutes } from '../time.ts'
import { isAway, onDuty } from './shifts.ts'
import type { Channel, Ladder, Rung, Target } from '../on-call.ts'

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

export interface ResolvedRung {
  /** Its place in the ladder, from 0. */
  index: number
  /** After the alert, milliseconds. */
  after: number
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
): Pick<ResolvedRung, 'people' | 'missing'> {
  const people = new Map<string, Told>()
  const missing: NotTold[] = []
  for (const target of rung.to) {
    const named = idsOf(policy, target, at, assigned)
    if (typeof named === 'string') missing.push({ target, why: named, person: null })
    else
      for (const person of named) {
        const told = reach(policy, person, rung.channels, at)
        if (typeof told === 'string') missing.push({ target, why: told, person })
        else people.set(person, told)
      }
  }
  return { people: [...people.values()], missing }
}

/** The whole ladder if an alert came at `at`: each rung with those it would tell when its time comes. */
export function ladderAt(
  policy: Policy,
  at: number,
  of: { tier: 'high' | 'crisis'; assigned: string | null },
): ResolvedRung[] {
  return ladderOf(policy, of.tier).rungs.map((rung, index) => {
    const after = minutes(rung.after_minutes)
    return { index, after, ...whoIsTold(policy, rung, at + after, of) }
  })
}

function idsOf(
  policy: Policy,
  target: Target,
  at: number,
  assigned: string | null,
): readonly string[] | Extract<NotTold['why'], 'nobody assigned' | 'not on the rota' | 'nobody in this role'> {
  switch (target.kind) {
    case 'assigned':
      return assigned === null ? 'nobody assigned' : [assigned]
    case 'person':
      return [target.person]
    case 'role': {
      const ids = policy.people.filter(({ role }) => role === target.role).map(({ id }) => id)
      return ids.length === 0 ? 'nobody in this role' : ids
    }
    case 'rota': {
      const rota = policy.on_call.rotas.find(({ id }) => id === target.rota)
      const duty = rota && onDuty(rota, policy.calendar, at)
      return duty ? [duty.person] : 'not on the rota'
    }
  }
}

function reach(
  policy: Policy,
  person: string,
  channels: readonly Channel[],
  at: number,
): Told | Extract<NotTold['why'], 'left the directory' | 'away' | 'no way to reach them'> {
  const listed = policy.people.find(({ id }) => id === person)
  if (!listed) return 'left the directory'
  if (isAway(policy.on_call, person, at, policy.calendar.time_zone)) return 'away'
  const ways = channels.filter((channel) => hasWay(listed.channels, channel))
  return ways.length === 0 ? 'no way to reach them' : { id: person, name: listed.name, channels: ways }
}

/** Whether a person of the directory can be told that way. */
export function hasWay(channels: Policy['people'][number]['channels'], channel: Channel): boolean {
  return channel === 'desktop' || channel === 'other' || channels[channel] !== null
}
