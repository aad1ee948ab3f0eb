import type { Person } from '../../../shared/people.ts'
import { peopleOfSchool, personById, savePerson, type Database } from '../../store/console/index.ts'
import { adoptCaseload } from './roster.ts'

export interface People {
  find(id: string): Person | null
  /** Everyone of one school, by name. */
  ofSchool(schoolId: string): Person[]
  /** Creates a person or brings name and role up to date; who is new here gets the students of the name. */
  save(person: Person, now: number): void
}

/** The people of this console, in the encrypted cache. */
export function createPeople(db: Database): People {
  return {
    find: (id) => personById(db, id),
    ofSchool: (schoolId) => peopleOfSchool(db, schoolId),
    save(person, now) {
      const before = personById(db, person.id)
      savePerson(db, person, now)
      if (before?.name !== person.name || before.school_id !== person.school_id) adoptCaseload(db, person)
    },
  }
}
