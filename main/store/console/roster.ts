import { guardianOfContact, type Guardian } from '../../../shared/guardians.ts'
import type { RosterEntry, RosterImported } from '../../../shared/views.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

/** What is stored of one student beside the entry of the file. */
export interface RosterRow extends RosterEntry {
  student_hash: string
  /** The person whom the counselor's name means; null = nobody known here by that name. */
  counselor_id: string | null
}

type StoredEntry = Omit<RosterEntry, 'guardians'> & { guardians: string }

const entryColumns = 'student_id, name, grade, class, counselor, guardian_contact, guardians'

/** The roster of one school, as it was imported. */
export function rosterOfSchool(db: Database, schoolId: string): RosterEntry[] {
  const rows = db.prepare(`SELECT ${entryColumns} FROM roster WHERE school_id = ?`).all(schoolId) as StoredEntry[]
  return rows.map(toEntry)
}

/** The roster's entry of one student of this school; null when the roster does not know the hash. */
export function rosterEntry(db: Database, school: string, student_hash: string): RosterEntry | null {
  const row = prepared(
    db,
    `SELECT ${entryColumns} FROM roster WHERE student_hash = @student_hash AND school_id = nullif(@school, '')`,
  ).get({ school, student_hash }) as StoredEntry | undefined
  return row ? toEntry(row) : null
}

/** A row that was imported before guardians were kept one by one has whom to call in one column. */
function toEntry(row: StoredEntry): RosterEntry {
  const kept = JSON.parse(row.guardians) as Guardian[]
  const one = kept.length === 0 ? guardianOfContact(row.guardian_contact) : null
  return { ...row, guardians: one ? [one] : kept }
}

/** When a roster was imported last, UTC milliseconds; null = never. */
export function newestImport(db: Database): number | null {
  return db.prepare('SELECT max(imported_at) FROM roster').pluck().get() as number | null
}

/** When a school's roster was imported last (UTC milliseconds), and with how many students; null = never. */
export function lastImport(db: Database, schoolId: string): RosterImported | null {
  const found = db
    .prepare(
      `SELECT imported_at AS at, count(*) AS students FROM roster WHERE school_id = ?
       GROUP BY imported_at ORDER BY imported_at DESC LIMIT 1`,
    )
    .get(schoolId) as RosterImported | undefined
  return found ?? null
}

/**
 * Writes rows of one school's roster, of which its station is then told; a row of another school is never touched.
 * `guardians`: false = the file says nothing of any, and those known before stay.
 */
export function saveRoster(
  db: Database,
  schoolId: string,
  rows: readonly RosterRow[],
  now: number,
  { guardians } = { guardians: true },
): void {
  const save = db.prepare(
    `INSERT INTO roster (school_id, student_hash, student_id, name, grade, class, counselor, counselor_id, guardian_contact, guardians, imported_at)
     VALUES (@school_id, @student_hash, @student_id, @name, @grade, @class, @counselor, @counselor_id, @guardian_contact, @guardians, @imported_at)
     ON CONFLICT (school_id, student_hash) DO UPDATE SET name = excluded.name, grade = excluded.grade, class = excluded.class,
       counselor = excluded.counselor, counselor_id = excluded.counselor_id,
       ${guardians ? 'guardian_contact = excluded.guardian_contact, guardians = excluded.guardians,' : ''}
       imported_at = excluded.imported_at, assignment_sent = 0`,
  )
  db.transaction(() => {
    for (const row of rows)
      save.run({ ...row, guardians: JSON.stringify(row.guardians), school_id: schoolId, imported_at: now })
  })()
}

/** Counselors' names on a school's roster that mean nobody known here. */
export function unknownCounselors(db: Database, schoolId: string): string[] {
  return prepared(
    db,
    `SELECT DISTINCT counselor FROM roster WHERE school_id = ? AND counselor_id IS NULL AND counselor <> ''`,
  )
    .pluck()
    .all(schoolId) as string[]
}

/** Gives the students of a counselor's name, as it stands on the roster, to a person; answers with how many. */
export function giveCaseload(db: Database, schoolId: string, counselor: string, personId: string): number {
  return prepared(
    db,
    'UPDATE roster SET counselor_id = @personId WHERE school_id = @schoolId AND counselor = @counselor AND counselor_id IS NULL',
  ).run({ schoolId, counselor, personId }).changes
}

/** Id of the person to whom the school's roster gives this student; null = nobody. */
export function counselorOf(db: Database, of: { school_id: string; student_hash: string }): string | null {
  const found = prepared(
    db,
    'SELECT counselor_id FROM roster WHERE school_id = @school_id AND student_hash = @student_hash',
  )
  return (found.pluck().get(of) as string | null | undefined) ?? null
}

/** Whether the school's roster gives this student to this person. */
export function isOnCaseload(db: Database, of: { school_id: string; student_hash: string }, personId: string): boolean {
  const { school_id, student_hash } = of
  return (
    prepared(
      db,
      'SELECT 1 FROM roster WHERE school_id = @school_id AND student_hash = @student_hash AND counselor_id = @personId',
    ).get({ school_id, student_hash, personId }) !== undefined
  )
}
