/** The ways by which a station can tell anybody at all: a rung may name others, which then reach nobody. */
import type { Channel, Ladder, Rung } from '../on-call.ts'
import type { Policy } from '../policy.ts'

/** Null = they are not known: then every way counts. */
export type Ways = readonly Channel[] | null

/** The policy as a station with these ways runs it: no rung has any other. */
export function policyBy(policy: Policy, ways: Ways): Policy {
  if (ways === null) return policy
  const by = (ladder: Ladder): Ladder => ({ ...ladder, rungs: ladder.rungs.map((rung) => rungBy(rung, ways)) })
  const { crisis, high } = policy.on_call.ladders
  return { ...policy, on_call: { ...policy.on_call, ladders: { crisis: by(crisis), high: by(high) } } }
}

/** A rung with those of its ways alone. */
export const rungBy = (rung: Rung, ways: Ways): Rung =>
  ways === null ? rung : { ...rung, channels: rung.channels.filter((channel) => ways.includes(channel)) }
