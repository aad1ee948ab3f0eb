/** Directories and calendars of schools, every version of them, and who looks after which student. */
import type { Assignment } from '../../../shared/policy.ts'
import type { Unit } from './tables.ts'

/** One version of a school's policy. */
export interface StoredPolicy {
  school_id: string
  /** From 1, without a gap. */
  version: number
  /** Id of the event that tells of it. */
  event_id: string
  /** The envelope around it, as JSON. */
  document: string
  /** UTC milliseconds. */
  changed_at: number
  /** Id of the person who saved it. */
  changed_by: string
}

/** The policy of a school as it stands; null where nobody has saved one. */
export async function newestPolicy(unit: Unit, schoolId: string): Promise<StoredPolicy | null> {
  const row = await unit
    .selectFrom('policies')
    .selectAll()
    .where('school_id', '=', schoolId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The policy of every school that has one, as it stands. */
export async function newestPolicies(unit: Unit): Promise<StoredPolicy[]> {
  return unit
    .selectFrom('policies')
    .selectAll()
    .where(({ eb, selectFrom }) =>
      eb(
        'version',
        '=',
        selectFrom('policies as newest')
          .select(({ fn }) => fn.max('newest.version').as('version'))
          .whereRef('newest.school_id', '=', 'policies.school_id'),
      ),
    )
    .orderBy('school_id')
    .execute()
}

/** Keeps a version. False where that version is there already: another station was first, and its own stands. */
export async function insertPolicy(unit: Unit, policy: StoredPolicy): Promise<boolean> {
  const kept = await unit
    .insertInto('policies')
    .values(policy)
    .onConflict((conflict) => conflict.columns(['school_id', 'version']).doNothing())
    .returning('version')
    .executeTakeFirst()
  return kept !== undefined
}

/**
 * Keeps who looks after students, and since when (`at`, UTC milliseconds); where nothing changes, that time stays.
 * Of several for one student the last counts.
 */
export async function keepAssignments(
  unit: Unit,
  change: { school_id: string; assignments: readonly Assignment[]; by: string; at: number },
): Promise<void> {
  const { school_id, by, at } = change
  const personOf = new Map(change.assignments.map(({ student_hash, person_id }) => [student_hash, person_id]))
  // In one order everywhere: two stations that assign at once never wait for each other in a circle.
  const rows = [...personOf]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([student_hash, person_id]) => ({ school_id, student_hash, person_id, assigned_at: at, assigned_by: by }))
  for (const part of inParts(rows))
    await unit
      .insertInto('assignments')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['school_id', 'student_hash'])
          .doUpdateSet((row) => ({
            person_id: row.ref('excluded.person_id'),
            assigned_at: row.ref('excluded.assigned_at'),
            assigned_by: row.ref('excluded.assigned_by'),
          }))
          .whereRef('assignments.person_id', 'is distinct from', 'excluded.person_id'),
      )
      .execute()
}

/** Who looks after a student; null = nobody. */
export async function assignedTo(
  unit: Unit,
  { school_id, student_hash }: { school_id: string; student_hash: string },
): Promise<string | null> {
  const row = await unit
    .selectFrom('assignments')
    .select('person_id')
    .where('school_id', '=', school_id)
    .where('student_hash', '=', student_hash)
    .executeTakeFirst()
  return row?.person_id ?? null
}

/** Most rows of one statement: neither database takes any number of parameters. */
const largestPart = 512

/** A list in parts whose lengths are powers of two: every length is a statement of its own, which is kept compiled. */
function inParts<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = []
  for (let start = 0, length = largestPart; start < rows.length;) {
    while (length > rows.length - start) length /= 2
    parts.push(rows.slice(start, start + length))
    start += length
  }
  return parts
}
