import type { Person } from '../../../shared/people.ts'
import type { Database } from '../../store/console/index.ts'

export interface People {
  find(id: string): Person | null
  /** Everyone of one school, by name. */
  ofSchool(schoolId: string): Person[]
  /** Creates a person or brings name and role up to date. */
  save(person: Person, now: number): void
}

/** The people of this console, in the encrypted cache. */
export function createPeople(db: Database): People {
  const one = db.prepare('SELECT id, name, role, school_id FROM people WHERE id = ?')
  const school = db.prepare('SELECT id, name, role, school_id FROM people WHERE school_id = ? ORDER BY name')
  const save = db.prepare(
    `INSERT INTO people (id, name, role, school_id, created_at) VALUES (@id, @name, @role, @school_id, @now)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role, school_id = excluded.school_id`,
  )
  return {
    find: (id) => (one.get(id) as Person | undefined) ?? null,
    ofSchool: (schoolId) => school.all(schoolId) as Person[],
    save: (person, now) => void save.run({ ...person, now }),
  }
}
