import type { Migration } from '../../migrate.ts'
import { migration as record } from './001-record.ts'
import { migration as intake } from './002-intake.ts'
import { migration as inbox } from './003-inbox.ts'
import { migration as school } from './004-school.ts'

/** Every step of the schema, in order: position + 1 is the version. */
export const migrations: readonly Migration[] = [record, intake, inbox, school]
