import type { Person } from '../../../shared/people.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

export function personById(db: Database, id: string): Person | null {
  return (
    (prepared(db, 'SELECT id, name, role, school_id FROM people WHERE id = ?').get(id) as Person | undefined) ?? null
  )
}

/** Everyone of one school, by name, but for those whose account has ended: nothing can be given to them. */
export function peopleOfSchool(db: Database, schoolId: string): Person[] {
  return prepared(
    db,
    `SELECT id, name, role, school_id FROM people WHERE school_id = ?
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE person_id = people.id AND ended_at IS NOT NULL)
     ORDER BY name, id`,
  ).all(schoolId) as Person[]
}

/** Creates a person, or brings name, role and school up to date. */
export function savePerson(db: Database, person: Person, now: number): void {
  const { id, name, role, school_id } = person
  prepared(
    db,
    `INSERT INTO people (id, name, role, school_id, created_at) VALUES (@id, @name, @role, @school_id, @now)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role, school_id = excluded.school_id`,
  ).run({ id, name, role, school_id, now })
}
