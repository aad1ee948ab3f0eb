import type { Person } from '../../../shared/people.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Database } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import { cachedPolicy } from './cached-policy.ts'

/**
 * The people of the console's school: those of its directory as this console heard of it last, and of people whom it
 * knows besides. Read again only where that may have changed, for the strip asks at every commit.
 */
export function peopleListed(options: {
  db: Database
  changes: Changes
  evidenceKey: EvidenceKey
  schoolId(): string
  known: { ofSchool(schoolId: string): Person[] }
}): () => readonly Pick<Person, 'id' | 'name' | 'role'>[] {
  const { db, changes, evidenceKey, schoolId, known } = options
  let read: { school: string; people: Pick<Person, 'id' | 'name' | 'role'>[] } | null = null
  changes.listen(({ policy, every_student, school_changed }) => {
    if (policy || every_student || school_changed) read = null
  })
  return () => {
    const school = schoolId()
    if (read?.school === school) return read.people
    const listed = cachedPolicy(db, evidenceKey, school).kept?.policy.people ?? []
    const ids = new Set(listed.map(({ id }) => id))
    const people = [...listed, ...known.ofSchool(school).filter(({ id }) => !ids.has(id))]
    read = { school, people }
    return people
  }
}
