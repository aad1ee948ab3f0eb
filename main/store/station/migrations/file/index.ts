import type { Migration } from '../../../migrate.ts'
import { migration as station } from './001-station.ts'

/** Every step of the schema on the encrypted file, in order. */
export const migrations: readonly Migration[] = [station]
