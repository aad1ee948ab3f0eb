/** One message as it arrives, before anything is made of it. */
import type { MessageRole, RefusedAs, SessionKey, StoredMessage, StoredSession } from '../../store/station/index.ts'
import { longestMessage } from './windows.ts'

/** `at` (UTC ms) is for backfilled history; else the clock is asked. */
export interface Arrival extends SessionKey {
  role: MessageRole
  content: string
  client_message_id?: string | undefined
  at?: number | undefined
  /** An answer to the message of this sequence number: only stored where no crisis came after that, decided or not. */
  unless_crisis_after?: number | undefined
  /** Part of the text was too long to be read at all: what was read may not pass as harmless. */
  incomplete?: boolean | undefined
}

/** When a message was said and when it arrived, UTC milliseconds. */
export interface Times {
  said: number
  arrived: number
}

export const isBackfill = ({ at }: Pick<Arrival, 'at'>): boolean => at !== undefined

/** Whether an answer comes after a crisis, or after what is not decided yet and may be one: then the protocol stands. */
export function isOvertaken({ unless_crisis_after: answers }: Arrival, before: readonly StoredMessage[]): boolean {
  if (answers === undefined) return false
  return before.some(({ sequence, state, tier }) => sequence > answers && (state === 'accepted' || tier === 'crisis'))
}

/** Why a message is refused whatever it says; null where it is not. `reused`: its id was another message's. */
export function refusalOf(session: StoredSession, arrival: Arrival, reused: boolean): RefusedAs | null {
  if (session.status === 'ended') return 'ended'
  if (arrival.content.length > longestMessage || arrival.incomplete) return 'too large'
  return reused ? 'reused' : null
}
