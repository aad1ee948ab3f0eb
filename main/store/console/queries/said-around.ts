import type { Alert } from '../../../../shared/alerts.ts'
import type { Envelope, LoggedEvent } from '../../../../shared/events.ts'
import type { SaidAround, SaidMessage, Unopened } from '../../../../shared/views.ts'
import type { EvidenceKey } from '../../../platform/envelope.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'

/** Messages of the student that are shown from the one that raised an alert on, that one included. */
const mostMessages = 21

/**
 * What the student wrote in an alert's session around what raised it, with its text opened; the assistant's messages
 * are left out, and so is what came after the alert was resolved. `find`: what a text says of whereabouts. `unopened`: why what does not open does not. The caller has written the audit entry.
 */
export function saidAround(
  db: Database,
  evidenceKey: EvidenceKey,
  alert: Alert,
  { find, unopened }: { find(text: string | null): SaidMessage['whereabouts']; unopened: Unopened },
): SaidAround {
  const raising = new Set(alert.triggers.flatMap(({ message_id }) => (message_id === null ? [] : [message_id])))
  const of = {
    school_id: alert.school_id ?? '',
    session_id: alert.session_id,
    student_hash: alert.student_hash,
    raising: JSON.stringify([...raising]),
    opened: alert.opened_at,
    until: alert.resolved?.at ?? Number.MAX_SAFE_INTEGER,
    limit: mostMessages + 1,
  }
  const from = `FROM messages JOIN events ON events.seq = messages.event_seq
    WHERE messages.school_id = @school_id AND messages.session_id = @session_id AND messages.student_hash = @student_hash
      AND events.body ->> '$.role' = 'student'`
  // Where no message is named as the one that raised it, the first at or after its time stands in.
  const first = prepared(
    db,
    `SELECT coalesce(
       (SELECT min(sequence) ${from} AND message_id IN (SELECT value FROM json_each(@raising))),
       (SELECT min(sequence) ${from} AND events.at >= @opened))`,
  )
    .pluck()
    .get(of) as number | null
  if (first === null) return { before: null, since: [], more: false }
  const bodies = (sql: string): string[] =>
    prepared(db, sql)
      .pluck()
      .all({ ...of, first }) as string[]
  const toMessage = (body: string): SaidMessage[] => {
    const event = JSON.parse(body) as LoggedEvent
    if (event.event_type !== 'MESSAGE_ANALYZED') return []
    const sealed = event.content ?? event.evidence
    const text = sealed ? openOrNull(evidenceKey, sealed) : null
    return [
      {
        message_id: event.message_id,
        at: event.occurred_at ?? event.timestamp,
        text,
        unopened: text === null && sealed ? unopened : null,
        raised: raising.has(event.message_id),
        whereabouts: find(text),
      },
    ]
  }
  const before = bodies(`SELECT events.body ${from} AND sequence < @first ORDER BY sequence DESC LIMIT 1`)
  const since = bodies(
    `SELECT events.body ${from} AND sequence >= @first AND events.at <= @until ORDER BY sequence, message_id LIMIT @limit`,
  )
  return {
    before: before.flatMap(toMessage)[0] ?? null,
    since: since.slice(0, mostMessages).flatMap(toMessage),
    more: since.length > mostMessages,
  }
}

function openOrNull(evidenceKey: EvidenceKey, envelope: Envelope): string | null {
  try {
    return evidenceKey.open(envelope)
  } catch {
    // Sealed with a key that this console does not have.
    return null
  }
}
