import { envelopeSchema } from '../../../shared/events.ts'
import { anotherSchool } from '../../../shared/school.ts'
import {
  acceptOwned,
  appendAudit,
  endQuarantined,
  foreignTriggers,
  keepQuarantined,
  opensCrisis,
  quarantinedBodies,
  schoolOf,
  showQuarantined,
  storageProblem,
  type Database,
  type EventLog,
  type QuarantinedBody,
} from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Change, Changes } from '../changes.ts'
import { appendRead } from './append-read.ts'
import { namesCrisis } from '../../platform/event-body.ts'
import { readBody, type QuarantineReason, type Reading } from './read-body.ts'
import { changeOf } from './change-of-events.ts'

type Unreadable = Extract<Reading, { kind: 'unreadable' }>

/** Keeps a body that could not be read: sealed, with the reason. The same body again only counts up. */
export function quarantine(
  db: Database,
  evidenceKey: EvidenceKey,
  entry: Unreadable & { body: string; received_at: number; receive_count: number },
): void {
  const { body, reason, detail, digest, bytes, names_crisis, received_at, receive_count } = entry
  const raw = JSON.stringify(evidenceKey.seal(body))
  keepQuarantined(db, { digest, received_at, reason, detail, bytes, receive_count, names_crisis, raw })
}

const whyForeign = 'its school is not the school of this console'

/** What a newer program or a later clock may read, and what may have become the console's own: tried at a start. */
export const triedAtStart: readonly QuarantineReason[] = [
  'unknown event type',
  'newer schema version',
  'time too far ahead',
  anotherSchool,
]

/** Whether an event is of a school that this console does not serve. */
export function isForeign(schoolId: string, ownSchool: string): boolean {
  return ownSchool !== '' && schoolId !== '' && schoolId !== ownSchool
}

/** The queue's filter may let another school's event through: it is set aside in sight, and stored nowhere else. */
export function quarantineForeign(reading: Reading, body: string, schoolId: string, ownSchool: string): Reading {
  if (reading.kind === 'unreadable' || !isForeign(schoolId, ownSchool)) return reading
  return setAside(reading, body, anotherSchool, whyForeign)
}

/** What was read, as an entry of the quarantine. */
export function setAside(reading: Reading, body: string, reason: QuarantineReason, detail: string): Unreadable {
  return {
    kind: 'unreadable',
    reason,
    detail,
    digest: reading.kind === 'event' ? reading.identity : reading.digest,
    bytes: Buffer.byteLength(body),
    names_crisis: namesCrisis(body) || (reading.kind === 'event' && opensCrisis(reading.event)),
  }
}

/**
 * Brings in sight what is stored of other schools' unresolved alerts (from before this console's school was
 * named, or by older versions): their events get entries of their own. Entries of what has become the
 * console's own end. The same again changes nothing. Call it inside a transaction.
 */
export function showForeign({
  db,
  evidenceKey,
  schoolId,
  now,
}: {
  db: Database
  evidenceKey: EvidenceKey
  schoolId: string
  now: number
}): Change['quarantined'] {
  acceptOwned(db, { reason: anotherSchool, schoolId, at: now })
  const shown = foreignTriggers(db, schoolId).filter(({ identity, received_at, tier, body }) => {
    const raw = body ?? '{}'
    return showQuarantined(db, {
      digest: identity,
      received_at,
      reason: anotherSchool,
      detail: whyForeign,
      bytes: Buffer.byteLength(raw),
      receive_count: 1,
      names_crisis: tier === 'crisis',
      raw: JSON.stringify(evidenceKey.seal(raw)),
    })
  })
  return { entries: shown.length, crises: shown.filter(({ tier }) => tier === 'crisis').length }
}

/**
 * Reads quarantined bodies again, after an upgrade or at a person's wish. What can be read now is
 * appended to the event log and leaves the quarantine, in one transaction.
 */
export function retryQuarantined(
  options: {
    db: Database
    eventLog: EventLog
    evidenceKey: EvidenceKey
    changes: Changes
    /** The school of this console; '' until it is named. */
    schoolId: string
    now: number
    consoleId: string
    by: { id: string; role: string }
  },
  ids: readonly number[],
): { accepted: number } {
  const { db, eventLog, evidenceKey, changes, schoolId, now } = options
  const rows = quarantinedBodies(db, ids)

  const readable = rows.flatMap((row): Readable[] => {
    const reading = readAgain(row, now, evidenceKey)
    return reading?.kind === 'event' ? [{ row, reading }] : []
  })
  /** One transaction for all: each leaves the quarantine where it is appended, and stays where it is another school's. */
  const store = (some: readonly Readable[]): number =>
    changes.commit((altered) => {
      const appended = appendRead({ eventLog, altered }, some, ({ row, reading: { event, identity } }) => {
        const school_id = schoolOf(db, event, schoolId)
        // What is another school's stays in sight here: stored, nobody would see it.
        if (isForeign(school_id, schoolId)) return []
        leave(row)
        return [{ event, school_id, identity, origin: 'queue', received_at: row.received_at }]
      })
      // Read again is not received again: only a proof that the alarm works is as old as it says.
      const { proven_at = null, policy = false, key_sealed = false, beats = [] } = changeOf(appended, now)
      altered.add({ proven_at, policy, key_sealed, beats })
      return appended.length
    })
  const leave = ({ id }: QuarantinedBody): void => {
    endQuarantined(db, { id, at: now, by: options.by.id, how: 'accepted' })
    appendAudit(db, {
      at: now,
      who: options.by.id,
      role: options.by.role,
      what: 'quarantine.retry',
      subject: `quarantine ${id}`,
      why: '',
      console_id: options.consoleId,
    })
  }
  const take = (some: readonly Readable[]): number => {
    if (some.length === 0) return 0
    try {
      return store(some)
    } catch (error) {
      if (storageProblem(error) !== null) throw error
      // One that cannot be stored stays where it is, and holds up no other.
      return some.length === 1 ? 0 : some.reduce((accepted, one) => accepted + take([one]), 0)
    }
  }
  return { accepted: take(readable) }
}

interface Readable {
  row: QuarantinedBody
  reading: Extract<Reading, { kind: 'event' }>
}

/** Null where the seal of the body is broken: then it is never read again, and stays to be dismissed. */
function readAgain(row: QuarantinedBody, now: number, evidenceKey: EvidenceKey): Reading | null {
  try {
    return readBody(evidenceKey.open(envelopeSchema.parse(JSON.parse(row.raw))), now, evidenceKey)
  } catch {
    return null
  }
}
