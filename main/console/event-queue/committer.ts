import type { Clock } from '../../platform/ports.ts'
import { isDiskError, schoolOf, type Database, type EventLog } from '../../store/console/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Changes } from '../changes.ts'
import { appendRead, type Taken } from './append-read.ts'
import { readBody, type Reading } from './read-body.ts'
import { isForeign, quarantine, quarantineForeign, setAside } from './quarantine.ts'
import { changeOf } from './change-of-events.ts'

/** One message as the queue gave it. */
export interface Received {
  body: string
  receiveCount: number
}

export interface Committer {
  /** Resolves when every one of these messages is durable here: only then may it be deleted. */
  commit(messages: readonly Received[]): Promise<void>
}

export interface CommitterOptions {
  db: Database
  eventLog: EventLog
  changes: Changes
  evidenceKey: EvidenceKey
  clock: Clock
  /** The school of this console, asked at every commit; '' until it is named. */
  schoolId(): string
}

interface Pending {
  messages: readonly Received[]
  resolve(): void
  reject(error: unknown): void
}

/** Most messages one transaction takes, so that the process never stops answering for long. */
const mostPerCommit = 100

/**
 * Commits what several receivers bring, together: one flush to disk for all that waits, crises
 * before everything else.
 */
export function createCommitter(options: CommitterOptions): Committer {
  let waiting: Pending[] = []
  let scheduled = false

  const flush = (): void => {
    scheduled = false
    const batches = waiting
    waiting = []
    try {
      const now = options.clock.now()
      const read = batches.flatMap(({ messages }) =>
        messages.map((message) => ({ message, reading: readBody(message.body, now, options.evidenceKey) })),
      )
      const everything = read.sort((a, b) => urgency(b.reading) - urgency(a.reading))
      for (let start = 0; start < everything.length; start += mostPerCommit) {
        commitAll(options, everything.slice(start, start + mostPerCommit), now)
      }
      batches.forEach(({ resolve }) => resolve())
    } catch (error) {
      // Nothing is deleted: what did commit is known by its identity when it comes again.
      batches.forEach(({ reject }) => reject(error))
    }
  }

  return {
    commit: (messages) =>
      new Promise((resolve, reject) => {
        waiting.push({ messages, resolve, reject })
        if (scheduled) return
        scheduled = true
        setImmediate(flush)
      }),
  }
}

interface Item {
  message: Received
  reading: Reading
}

/** One transaction for all; if one event breaks it, each alone, and the broken one is quarantined. */
function commitAll(options: CommitterOptions, items: readonly Item[], now: number): void {
  try {
    commitOnce(options, items, now)
  } catch (error) {
    if (isDiskError(error) || isLocked(error) || items.length === 0) throw error
    if (items.length > 1) {
      for (const item of items) commitAll(options, [item], now)
      return
    }
    const [{ message, reading }] = items as [Item]
    commitOnce(options, [{ message, reading: couldNotBeStored(message, reading) }], now)
  }
}

function commitOnce(
  { db, eventLog, evidenceKey, changes, schoolId }: CommitterOptions,
  items: readonly Item[],
  now: number,
): void {
  changes.commit((altered) => {
    const ownSchool = schoolId()
    const take = ({ message, reading: read }: Item): Taken[] => {
      if (read.kind === 'unreadable' && read.passing === true) return []
      if (read.kind === 'event' && read.event.event_type === 'ALERT_VIEWED') {
        altered.add({ viewed: [read.event] })
        return []
      }
      const school_id = read.kind === 'event' ? schoolOf(db, read.event, ownSchool) : ''
      // Another school's key is for other consoles, and says nothing of a student.
      if (isSchoolKey(read) && isForeign(school_id, ownSchool)) return []
      const reading = quarantineForeign(read, message.body, school_id, ownSchool)
      if (reading.kind === 'unreadable') {
        quarantine(db, evidenceKey, {
          ...reading,
          body: message.body,
          received_at: now,
          receive_count: message.receiveCount,
        })
        altered.add({ quarantined: { entries: 1, crises: reading.names_crisis ? 1 : 0 } })
        return []
      }
      const { event, identity } = reading
      return [{ event, school_id, identity, origin: 'queue', received_at: now }]
    }
    const appended = appendRead({ eventLog, altered }, items, take)
    altered.add(changeOf(appended, now))
  })
}

const isSchoolKey = (reading: Reading): boolean =>
  reading.kind === 'event' && reading.event.event_type === 'SCHOOL_KEY_SEALED'

/** Crises first, then what cannot be read but names a crisis, then what may open an alert. */
function urgency(reading: Reading): number {
  if (reading.kind === 'unreadable') return reading.names_crisis ? 2 : 0
  if (reading.event.event_type === 'CRISIS_DETECTED') return 3
  return reading.event.event_type === 'MESSAGE_ANALYZED' && reading.event.tier !== 'ok' ? 1 : 0
}

/** Another program holds the file: it will let go, and no event is to blame. */
function isLocked(error: unknown): boolean {
  return (error as { code?: string } | null)?.code?.startsWith('SQLITE_BUSY') ?? false
}

function couldNotBeStored(message: Received, reading: Reading): Reading {
  return setAside(reading, message.body, 'could not be stored', 'the event was read, but storing it failed')
}
