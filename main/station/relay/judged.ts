import { wireTime, furthestAhead } from '../../../shared/events.ts'
import { holdingKinds } from '../../../shared/alerts.ts'
import type { Refusal } from '../enrolment/index.ts'
import { refusedAction, relayAction, type RelayedAction } from './relay-action.ts'

/** Whom the relay asks about a message. */
export interface Judges {
  /** Why the station does not vouch for what a console sent; null where it does. */
  refusalOf(message: Record<string, unknown>): Promise<Refusal | null>
  /** The school of the approved console that signed it, whatever it names; null where none did. */
  schoolOf(message: Record<string, unknown>): Promise<string | null>
  /** Whether a person is in a school's directory; true where the school keeps none. */
  isKnownPerson(schoolId: string, personId: string): Promise<boolean>
}

/**
 * A message as it is relayed, with what the station has to say of it; null for what is no action, or cannot have been done
 * yet: every console would set that aside. One in the name of an approved console that it did not sign changes nothing
 * anywhere. What comes from elsewhere, or from somebody who is not in the directory, is shown for what it is, and holds or
 * closes no alert but where it was done. Whoever names no school speaks of the school of its own console.
 */
export async function judged(
  body: string,
  message: Record<string, unknown>,
  now: number,
  { refusalOf, schoolOf, isKnownPerson }: Judges,
): Promise<RelayedAction | null> {
  if (isAhead(message, now)) return null
  const refusal = await refusalOf(message)
  if (refusal === 'signature') return refusedAction(body, refusal)
  const named = relayAction(body)
  const own = named?.school_id === '' && refusal === null ? await schoolOf(message) : null
  const action = own === null ? named : relayAction(JSON.stringify({ ...message, school_id: own }))
  if (action === null) return null
  const { event, school_id } = action
  const kind = String(event['action'])
  const closes = kind === 'resolved'
  if (refusal !== null)
    return closes ? refusedAction(body, refusal) : { ...action, event: { ...event, unvouched: refusal } }
  const isForStaff = holdingKinds.has(kind) || kind === 'withdrawn'
  if (!isForStaff || (await isKnownPerson(school_id, String(event['by'])))) return action
  return { ...action, event: { ...event, [closes ? 'refused' : 'unvouched']: 'unknown person' } }
}

/** Whether a time of a message is further ahead than any console accepts. */
function isAhead(message: Record<string, unknown>, now: number): boolean {
  return ['at', 'timestamp', 'acknowledged_at'].some((name) => {
    const at = wireTime.safeParse(message[name]).data
    return at !== undefined && at > now + furthestAhead
  })
}
