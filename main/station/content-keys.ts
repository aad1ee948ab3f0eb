import { hkdfSync } from 'node:crypto'

/**
 * The key under which each school's words are sealed, 32 bytes. `given` is the one with which a desk's own console
 * reads, and of its school alone; every other school's is its own, and follows from the key of this station's database.
 */
export function contentKeys(options: {
  databaseKey: Buffer
  ownSchool: string
  given: Buffer | null
}): (schoolId: string) => Buffer {
  const { databaseKey, ownSchool, given } = options
  return (schoolId) =>
    given !== null && schoolId === ownSchool
      ? given
      : Buffer.from(hkdfSync('sha256', databaseKey, schoolId, 'psyflo content key', 32))
}
