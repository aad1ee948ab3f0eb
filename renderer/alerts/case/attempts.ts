/** Attempts to reach somebody, person by person. Pure; times are UTC milliseconds. */
import type { ContactKind, ContactOutcome } from '../../../shared/actions.ts'
import type { ActionView, AlertDetail } from '../../../shared/views.ts'

/** Somebody who can be called. `who`: what they are called; '' = what their kind is called says enough. */
export interface Called {
  contact: ContactKind
  who: string
}

export interface AttemptSummary extends Called {
  /** What came of the attempts, the latest outcome first. */
  outcomes: { outcome: ContactOutcome; count: number }[]
  count: number
  last_at: number
}

/** Whether two mean the same person: capitals and blanks make none another. */
export function isSamePerson(one: Called, other: Called): boolean {
  return one.contact === other.contact && comparable(one.who) === comparable(other.who)
}

/** What is known of the calls to each person, the latest called first. What was taken back or refused is not counted. */
export function attemptSummaries(actions: readonly ActionView[]): AttemptSummary[] {
  const attempts = actions
    .filter(({ kind, applied, withdrawn_at }) => kind === 'contact_attempted' && applied && withdrawn_at === null)
    .toSorted((a, b) => b.at - a.at)
  const people: AttemptSummary[] = []
  for (const { contact, who, outcome, at } of attempts) {
    const called: Called = { contact: contact ?? 'other', who: who ?? '' }
    let person = people.find((each) => isSamePerson(each, called))
    if (!person) people.push((person = { ...called, outcomes: [], count: 0, last_at: at }))
    person.count += 1
    const same = person.outcomes.find((each) => each.outcome === outcome)
    if (same) same.count += 1
    else person.outcomes.push({ outcome: outcome ?? 'no answer', count: 1 })
  }
  return people
}

/** How many calls were made, where none of them reached anybody; 0 = none was made, or somebody was reached. */
export function callsInVain(summaries: readonly AttemptSummary[]): number {
  if (summaries.some(({ outcomes }) => outcomes.some(({ outcome }) => outcome === 'reached'))) return 0
  return summaries.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Whom a call may have been to: guardians who may be contacted, in their order, then the student, emergency services
 * and the school's own numbers; last those whose name is asked.
 */
export function whomToCall({ contacts }: Pick<AlertDetail, 'contacts'>): Called[] {
  const { guardians, emergency, school } = contacts
  return [
    ...guardians
      .filter(({ do_not_contact }) => do_not_contact === null)
      .map(({ name, relation }): Called => ({ contact: 'guardian', who: name || relation })),
    { contact: 'student', who: '' },
    ...(emergency.length === 0 ? [{ name: '' }] : emergency).map(({ name }): Called => ({
      contact: 'emergency services',
      who: name,
    })),
    ...school.map(({ name }): Called => ({ contact: 'other', who: name })),
    ...asksName.map((contact): Called => ({ contact, who: '' })),
  ]
}

const asksName = ['guardian', 'colleague', 'other'] as const
/** Whether their kind alone does not say who they are. */
export function needsName({ contact, who }: Called): boolean {
  return who === '' && asksName.some((kind) => kind === contact)
}

const comparable = (who: string): string => who.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
