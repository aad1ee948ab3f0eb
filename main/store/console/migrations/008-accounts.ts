import type { Migration } from '../../migrate.ts'

/** Local accounts: whoever signs in by user name and password. A person without one signs in by token, or not at all. */
export const migration: Migration = {
  version: 8,
  up(db) {
    db.exec(`
      CREATE TABLE accounts (
        person_id TEXT PRIMARY KEY REFERENCES people (id),
        -- As it is compared: capitals and blanks make nobody another person.
        user_name TEXT NOT NULL UNIQUE,
        -- scrypt with its parameters, as JSON.
        password TEXT NOT NULL,
        -- 1 = it was given by somebody else and is good for one sign-in.
        must_change INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        last_sign_in_at INTEGER,
        -- Null = may sign in. An account is never removed: what its person did keeps the name.
        ended_at INTEGER
      ) STRICT, WITHOUT ROWID;
    `)
  },
}
