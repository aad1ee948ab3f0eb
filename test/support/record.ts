/** A console's record on a real encrypted database file: event log, projections, lifecycle, committer; a clock that stands still. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLifecycle } from '../../main/console/alerts/index.ts'
import { createChanges, type Change } from '../../main/console/changes.ts'
import { consoleKeys } from '../../main/console/enrolment/index.ts'
import { createCommitter, readBody, type Received } from '../../main/console/event-queue/index.ts'
import { createStudentRecords } from '../../main/console/student-records/index.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { createEventLog, openDatabase, schoolOf, type Database } from '../../main/store/console/index.ts'
import { evidenceKey, type EvidenceKey } from '../../main/platform/envelope.ts'
import type { Person } from '../../shared/people.ts'
import { silentLogger } from './logger.ts'
import { virtualClock } from './virtual-clock.ts'
import { noon, school } from './wire.ts'

export const marlow: Person = { id: 'marlow', name: 'J. Marlow', role: 'COUNSELOR', school_id: school }
export const osei: Person = { id: 'osei', name: 'A. Osei', role: 'CLINICIAN', school_id: school }

/** `wordsKey` is the school's content key, which this console was given; `key` opens what comes, else one of its own. */
export function openRecord(
  options: { hasAckQueue?: boolean; school?: string; wordsKey?: EvidenceKey; key?: EvidenceKey } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  const file = join(folder, 'console.db')
  const databaseKey = systemRandomness.bytes(32)
  const db = openDatabase(file, databaseKey)
  const key = options.key ?? evidenceKey(systemRandomness.bytes(32))
  const clock = virtualClock(noon)
  const keys = consoleKeys(db, systemRandomness)
  const eventLog = createEventLog(db)
  const ownSchool = { id: options.school ?? school }
  const heard: Change[] = []
  const changes = createChanges(db, silentLogger)
  changes.listen((change) => void heard.push(change))
  const recording = {
    db,
    eventLog,
    changes,
    clock,
    randomness: systemRandomness,
    consoleId: 'console-1',
    keys,
    wordsKey: () => options.wordsKey ?? null,
    hasAckQueue: options.hasAckQueue ?? true,
  }
  const lifecycle = createLifecycle(recording)
  const studentRecords = createStudentRecords(recording)
  const committer = createCommitter({
    db,
    eventLog,
    changes,
    evidenceKey: key,
    clock,
    schoolId: () => ownSchool.id,
  })
  return {
    folder,
    file,
    databaseKey,
    db,
    key,
    /** This console's own. */
    keys,
    clock,
    eventLog,
    lifecycle,
    studentRecords,
    committer,
    changes,
    /** The school of this console; '' = not named yet. */
    ownSchool,
    /** Every change since the record was opened. */
    heard,
    /** Takes in message bodies (objects are written as JSON), as the consumer would. */
    receive: (...bodies: unknown[]) => committer.commit(bodies.map(received)),
    /** Appends one event at a chosen time of receipt. */
    append(body: unknown, receivedAt = clock.now(), origin: 'queue' | 'console' = 'queue') {
      const reading = readBody(JSON.stringify(body), clock.now(), key)
      if (reading.kind !== 'event') throw new Error(`${reading.reason}: ${reading.detail}`)
      const { event, identity } = reading
      return eventLog.append([
        { event, school_id: schoolOf(db, event, ownSchool.id), identity, origin, received_at: receivedAt },
      ])
    },
    count: (from: string) => db.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number,
    rows: (sql: string, ...parameters: unknown[]) => db.prepare(sql).all(...parameters) as Record<string, unknown>[],
    close() {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type OpenRecord = ReturnType<typeof openRecord>

function received(body: unknown): Received {
  return { body: typeof body === 'string' ? body : JSON.stringify(body), receiveCount: 1 }
}

const projections = [
  'sessions', 'messages', 'markers', 'students', 'student_days', 'risk_points', 'clinical_scores', 'triggers',
  'actions', 'alerts', 'alert_keys', 'commitments', 'student_records', 'notifications',
] as const // prettier-ignore

/** Every projection's rows in the order of their keys, without the columns named. */
export function dump(db: Database, without: readonly string[] = []): Record<string, unknown[]> {
  return Object.fromEntries(
    projections.map((table) => [
      table,
      (db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all() as Record<string, unknown>[]).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column))),
      ),
    ]),
  )
}
