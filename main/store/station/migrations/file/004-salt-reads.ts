import type { Migration } from '../../../migrate.ts'

/** Who was told the salt of a school's pseudonyms, and when (UTC milliseconds). */
export const migration: Migration = {
  version: 4,
  up(db) {
    db.exec(`
      CREATE TABLE salt_reads (
        position INTEGER PRIMARY KEY,
        school_id TEXT NOT NULL REFERENCES schools (school_id),
        read_at INTEGER NOT NULL,
        -- Person id; null = the operator.
        read_by TEXT
      ) STRICT;
      CREATE TRIGGER salt_reads_no_update BEFORE UPDATE ON salt_reads
        BEGIN SELECT RAISE(ABORT, 'who read a salt stays written'); END;
      CREATE TRIGGER salt_reads_no_delete BEFORE DELETE ON salt_reads
        BEGIN SELECT RAISE(ABORT, 'who read a salt stays written'); END;
    `)
  },
}
