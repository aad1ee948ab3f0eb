import type { Refusal } from '../enrolment/index.ts'
import { refusedAction, relayAction, type RelayedAction } from './relay-action.ts'

/** What says who holds an alert or closes it: no stranger does. */
const builtOn = new Set(['acknowledged', 'taken_over', 'handed_off', 'hand_off_accepted', 'reopened', 'resolved'])

/** Whom the relay asks about a message. */
export interface Judges {
  /** Why the station does not vouch for what a console sent; null where it does. */
  refusalOf(message: Record<string, unknown>): Promise<Refusal | null>
  /** Whether a person is in a school's directory; true where the school keeps none. */
  isKnownPerson(schoolId: string, personId: string): Promise<boolean>
}

/**
 * A message as it is relayed, with what the station has to say of it; null for what is no action. One in the name of an
 * approved console that it did not sign changes nothing anywhere. What comes from elsewhere, or from somebody who is not in
 * the directory, is shown for what it is, and holds or closes no alert but where it was done.
 */
export async function judged(
  body: string,
  message: Record<string, unknown>,
  { refusalOf, isKnownPerson }: Judges,
): Promise<RelayedAction | null> {
  const refusal = await refusalOf(message)
  if (refusal === 'signature') return refusedAction(body, refusal)
  const action = relayAction(body)
  if (action === null) return null
  const { event, school_id } = action
  const closes = event['action'] === 'resolved'
  if (refusal !== null)
    return closes ? refusedAction(body, refusal) : { ...action, event: { ...event, unvouched: refusal } }
  if (!builtOn.has(String(event['action'])) || (await isKnownPerson(school_id, String(event['by'])))) return action
  return { ...action, event: { ...event, [closes ? 'refused' : 'unvouched']: 'unknown person' } }
}
