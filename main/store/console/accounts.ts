/** Local accounts: who may sign in by user name and password. Times are UTC milliseconds. */
import type { Role } from '../../../shared/people.ts'
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'

export interface StoredAccount {
  person_id: string
  user_name: string
  /** scrypt with its parameters, as JSON. */
  password: string
  must_change: boolean
  created_at: number
  last_sign_in_at: number | null
  /** Null = it may sign in. */
  ended_at: number | null
}

interface AccountRow extends Omit<StoredAccount, 'must_change'> {
  must_change: number
}

const columns = 'person_id, user_name, password, must_change, created_at, last_sign_in_at, ended_at'

export function accountByUserName(db: Database, userName: string): StoredAccount | null {
  return read(prepared(db, `SELECT ${columns} FROM accounts WHERE user_name = ?`).get(userName))
}

export function accountOf(db: Database, personId: string): StoredAccount | null {
  return read(prepared(db, `SELECT ${columns} FROM accounts WHERE person_id = ?`).get(personId))
}

function read(row: unknown): StoredAccount | null {
  if (row === undefined) return null
  const account = row as AccountRow
  return { ...account, must_change: account.must_change === 1 }
}

/** Adds the account of a person who is known here and has none. The user name must be free. */
export function insertAccount(
  db: Database,
  account: Pick<StoredAccount, 'person_id' | 'user_name' | 'password' | 'must_change' | 'created_at'>,
): void {
  prepared(
    db,
    `INSERT INTO accounts (person_id, user_name, password, must_change, created_at)
     VALUES (@person_id, @user_name, @password, @must_change, @created_at)`,
  ).run({ ...account, must_change: Number(account.must_change) })
}

export function savePassword(db: Database, personId: string, password: string, mustChange: boolean): void {
  prepared(db, 'UPDATE accounts SET password = ?, must_change = ? WHERE person_id = ?').run(
    password,
    Number(mustChange),
    personId,
  )
}

/** Ends an account, or, with null, opens it again. */
export function endAccount(db: Database, personId: string, endedAt: number | null): void {
  prepared(db, 'UPDATE accounts SET ended_at = ? WHERE person_id = ?').run(endedAt, personId)
}

export function noteSignIn(db: Database, personId: string, at: number): void {
  prepared(db, 'UPDATE accounts SET last_sign_in_at = ? WHERE person_id = ?').run(at, personId)
}

/** An account with the person it belongs to. */
export interface AccountEntry {
  person_id: string
  name: string
  role: Role
  user_name: string
  must_change: number
  last_sign_in_at: number | null
  ended_at: number | null
}

/** Every account of a school, those that are in use first, by name. */
export function accountsOfSchool(db: Database, schoolId: string): AccountEntry[] {
  return prepared(
    db,
    `SELECT person_id, name, role, user_name, must_change, last_sign_in_at, ended_at
     FROM accounts JOIN people ON people.id = accounts.person_id
     WHERE school_id = ? ORDER BY ended_at IS NOT NULL, name, person_id`,
  ).all(schoolId) as AccountEntry[]
}

/** Whether an admin other than this person can sign in; a one-time password that waits may be in nobody's hands. */
export function hasAnotherAdmin(db: Database, personId: string): boolean {
  const found = prepared(
    db,
    `SELECT 1 FROM accounts JOIN people ON people.id = accounts.person_id
     WHERE role = 'ADMIN' AND ended_at IS NULL AND must_change = 0 AND person_id <> ?`,
  ).get(personId)
  return found !== undefined
}
