import { createHash } from 'node:crypto'
import { relayedEvent, relayedId, type RelayedEvent } from '../../../shared/action-message.ts'
import { normalSchoolId } from '../../../shared/school.ts'

/** An action as it goes to every console, and what the station keeps of it. */
export interface RelayedAction {
  event: RelayedEvent
  /** Its id in the outbox, by which consoles confirm it. */
  id: string
  ack_id: string
  /** '' = it names none. */
  school_id: string
  /** Its session, or its student where it is about no alert; null where it names neither: then it has no place in any order. */
  order: string | null
}

/** Largest record that is relayed, in bytes as it is written again: an event takes little more. */
const largestRecord = 200 * 1024

/** Longest name of a record, a session or a school, in characters: an index takes no more. */
const longestName = 400

/**
 * What a station does with a message from the acknowledgement queue: it becomes an ALERT_ACTION event
 * for every console. Null for what is no action.
 */
export function relayAction(body: string): RelayedAction | null {
  const event = relayedEvent(body)
  if (!event) return null
  const { ack_id } = event
  const school_id = normalSchoolId(text(event['school_id']) ?? '')
  const order = orderOf(event)
  if (![ack_id, school_id, order ?? ''].every(isName) || !isSmallEnough(event)) return null
  return { event, id: relayedId({ school_id, ack_id }), ack_id, school_id, order }
}

/**
 * The same of a message that is not vouched for: everybody sees it, and nothing changes by it but at the console that
 * may have sent it. It goes under an id of its own, so that it never stands in the place of what it pretends to be.
 */
export function refusedAction(body: string, refused: string): RelayedAction | null {
  const action = relayAction(body)
  if (!action) return null
  const ack_id = `refused:${createHash('sha256').update(body).digest('hex')}`
  const event = {
    ...action.event,
    ack_id,
    idempotency_key: ack_id,
    refused,
    refused_record: action.ack_id.slice(0, 200),
  }
  return { ...action, event, ack_id, id: relayedId({ school_id: action.school_id, ack_id }) }
}

/** Records about an alert are put in order by its session, others by their student; no session is called like those. */
function orderOf(event: RelayedEvent): string | null {
  const session = text(event['session_id'])
  if (event.event_type === 'ALERT_ACTION') return session ?? null
  const student = text(event['student_hash'])?.toLowerCase()
  return student === undefined ? null : `student\n${student}`
}

/** Whether it can be written again, and sent. What is short as it came may be long then, or too deep to be written. */
function isSmallEnough(event: RelayedEvent): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(event)) <= largestRecord
  } catch {
    return false
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** What PostgreSQL can keep: no NUL, which stands in no id. */
const isName = (name: string): boolean => name.length <= longestName && !name.includes('\u0000')
