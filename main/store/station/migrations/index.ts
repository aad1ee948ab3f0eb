import type { Migration } from '../../migrate.ts'
import { migration as sessions } from './001-sessions.ts'
import { migration as apiKeys } from './002-api-keys.ts'

/** Every step of the station's schema, in order. */
export const migrations: readonly Migration[] = [sessions, apiKeys]
