import type { Migration } from '../../../migrate.ts'

/**
 * Whether a message was told later than it was said: records of a told past cover such messages alone. Nothing
 * is known of those that stand here already, so that no such record covers them. The same in ../postgres.
 */
export const migration: Migration = {
  version: 3,
  up(db) {
    db.exec('ALTER TABLE messages ADD COLUMN told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1))')
  },
}
