/** Who was told the salt of a school: with it every pseudonym can be tried. */
import type { Unit } from './tables.ts'

/** `read_at`: UTC milliseconds. `read_by`: person id; null = the operator. */
export interface SaltRead {
  school_id: string
  read_at: number
  read_by: string | null
}

/** Writes down that a salt is read; it stays written. */
export async function insertSaltRead(unit: Unit, read: SaltRead): Promise<void> {
  await unit.insertInto('salt_reads').values(read).execute()
}
