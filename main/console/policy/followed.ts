/** On a desk some of the directory is written elsewhere, and follows: the people with accounts, the crisis numbers. */
import { isDeepStrictEqual } from 'node:util'
import type { Person } from '../../../shared/people.ts'
import type { Policy, PolicyGap } from '../../../shared/policy.ts'
import type { CrisisResources } from '../../../shared/set-up.ts'

/** What the desk says of its school by itself. */
export interface OwnSchool {
  school_id: string
  /** Everybody who works at this desk, with the id they act under. */
  people: readonly Person[]
  /** Ids of those who did, and no longer do: they leave the directory. */
  former: readonly string[]
  /** Null = the school has not looked at them yet: those of the directory stay. */
  crisis_numbers: CrisisResources['numbers'] | null
  /** IANA name; for a directory that nobody has saved yet. */
  time_zone: string | null
}

/**
 * A policy as it stands once the desk's own part of it is right: its people are listed under their name and role of
 * now, with the ways to reach them as they were. Whoever else is listed stays. Applying it twice changes nothing.
 */
export function followed(policy: Policy, own: OwnSchool): Policy {
  const { school_id, people, former, crisis_numbers } = own
  const present = new Map(people.map((person) => [person.id, person]))
  const stay = policy.people.flatMap((listed) => {
    if (former.includes(listed.id) && !present.has(listed.id)) return []
    const person = present.get(listed.id)
    if (!person) return [listed]
    const school_ids = listed.school_ids.includes(school_id) ? listed.school_ids : [...listed.school_ids, school_id]
    return [{ ...listed, name: person.name, role: person.role, school_ids }]
  })
  const listedIds = new Set(policy.people.map(({ id }) => id))
  const come = people
    .filter(({ id }) => !listedIds.has(id))
    .map(({ id, name, role }) => ({
      ...{ id, name, role, school_ids: [school_id] },
      channels: { sms: null, voice: null, email: null },
    }))
  return {
    ...policy,
    people: [...stay, ...come],
    crisis_numbers: crisis_numbers === null ? policy.crisis_numbers : [...crisis_numbers],
  }
}

/**
 * Where a policy that somebody saves at the desk's station contradicts what is written elsewhere: kept, it would soon be
 * overwritten without a word.
 */
export function contradictions(policy: Policy, own: OwnSchool): PolicyGap[] {
  const right = followed(policy, own)
  const byId = new Map(right.people.map((person) => [person.id, person]))
  const listed = policy.people.flatMap((person, index): PolicyGap[] => {
    const account = byId.get(person.id)
    if (isDeepStrictEqual(account, person)) return []
    const gap = account
      ? `${account.name}’s name and role come from their account and are changed at the desk.`
      : `${person.name} no longer has an account at the desk.`
    return [{ path: ['people', index], gap }]
  })
  const named = new Set(policy.people.map(({ id }) => id))
  const missing = right.people.filter(({ id }) => !named.has(id))
  return [
    ...listed,
    ...missing.map(({ name }) => ({
      path: ['people'],
      gap: `${name} has an account at the desk and cannot be left out.`,
    })),
    ...(isDeepStrictEqual(policy.crisis_numbers, right.crisis_numbers)
      ? []
      : [{ path: ['crisis_numbers'], gap: 'The crisis numbers are changed at the desk, under Settings → Chat.' }]),
  ]
}
