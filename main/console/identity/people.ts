import type { Person } from '../../../shared/people.ts'
import { peopleOfSchool, personById, savePerson, type Database } from '../../store/console/index.ts'

export interface People {
  find(id: string): Person | null
  /** Everyone of one school, by name. */
  ofSchool(schoolId: string): Person[]
  /** Creates a person or brings name and role up to date. */
  save(person: Person, now: number): void
}

/** The people of this console, in the encrypted cache. */
export function createPeople(db: Database): People {
  return {
    find: (id) => personById(db, id),
    ofSchool: (schoolId) => peopleOfSchool(db, schoolId),
    save: (person, now) => savePerson(db, person, now),
  }
}
