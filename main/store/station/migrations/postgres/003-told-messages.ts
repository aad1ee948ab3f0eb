import type { PostgresMigration } from './migrate.ts'

/** The column of ../file/003-told-messages.ts. */
export const migration: PostgresMigration = {
  version: 3,
  up: 'ALTER TABLE messages ADD COLUMN told bigint NOT NULL DEFAULT 0 CHECK (told IN (0, 1))',
}
