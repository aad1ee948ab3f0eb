/** How a person's work is kept: log, audit and outbox in one commit, signed, its words sealed for colleagues alone. */
import { sealWords, withoutWords } from '../../shared/record-words.ts'
import type { LoggedEvent } from '../../shared/events.ts'
import type { EvidenceKey } from '../platform/envelope.ts'
import type { Clock, Randomness } from '../platform/ports.ts'
import { appendAudit, enqueue, type Database, type EventLog } from '../store/console/index.ts'
import type { Changes } from './changes.ts'
import type { ConsoleKeys } from './enrolment/index.ts'

export interface RecordingOptions {
  db: Database
  eventLog: EventLog
  changes: Changes
  clock: Clock
  randomness: Randomness
  consoleId: string
  /** What is sent is signed with the console's own key. */
  keys: Pick<ConsoleKeys, 'signing' | 'fingerprint'>
  /** Seals what people write for the consoles of their school; null while the school has given this one no key. */
  wordsKey(): EvidenceKey | null
  /** False where no acknowledgement queue is configured: records stay here. */
  hasAckQueue: boolean
}

interface Recorded {
  ack_id: string
  by: string
  student_hash: string
  school_id?: string | undefined
  at: number
}

/** Of a record: the event for the log, whose it is, what the audit says, and how it stands on the wire. */
interface Recording<Event extends Recorded> {
  event: Event & LoggedEvent
  school_id: string
  audit: { role: string; what: string; subject: string; why: string }
  /** Null = it concerns nobody else. */
  send: {
    group: string
    message: { event_type: string; ack_id: string; by?: string } & Record<string, unknown>
    /** Words that stay in the clear: those of a form that other back ends read. */
    keep?: readonly string[]
    /** What it says is said sealed or not at all: no older back end reads it in the clear. */
    sealedOnly?: boolean
  } | null
}

/** Keeps one record; false where the log holds it already, and then nothing more is said of it. Throws what the database throws. */
export function keepRecord<Event extends Recorded>(options: RecordingOptions, recording: Recording<Event>): boolean {
  const { db, eventLog, changes, clock, consoleId, keys, hasAckQueue, wordsKey } = options
  const { event, school_id, audit, send } = recording
  return changes.commit((altered) => {
    const appended = eventLog.append([
      { event, school_id, identity: `console:${event.ack_id}`, origin: 'console', received_at: clock.now() },
    ])
    if (appended.added === 0) return false
    altered.add(appended)
    appendAudit(db, { at: event.at, who: event.by, ...audit, console_id: consoleId })
    if (send === null || !hasAckQueue) return true
    const key = wordsKey()
    const of = {
      ...{ school_id: event.school_id, student_hash: event.student_hash },
      ...{ ack_id: event.ack_id, by: event.by },
    }
    const unsealed = send.sealedOnly ? withoutWords(send.message) : send.message
    const said = key === null ? unsealed : sealWords(send.message, key, of, send.keep)
    const message = keys.signing.sign({ ...said, key_id: keys.fingerprint })
    enqueue(db, {
      id: event.ack_id,
      group: send.group,
      event_type: send.message.event_type,
      body: JSON.stringify(message),
      at: clock.now(),
    })
    altered.add({ queued: true })
    return true
  })
}
