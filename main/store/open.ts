import { mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from './sqlite.ts'
import { ConsoleError } from '../../shared/errors.ts'
import { migrate, type Migration } from './migrate.ts'

export type { Database } from 'better-sqlite3'

export interface OpenOptions {
  /** Reads only: the file must exist, and its schema stays as it is. */
  readonly?: boolean
}

/**
 * Opens (or creates) an encrypted database and brings it to its newest migration. The whole file is
 * encrypted with AEGIS-256, an authenticated cipher (of those the library has, the only one that costs
 * less than a tenth of a commit). Throws ConsoleError `wrong_key`, `database_newer`, `database_locked`,
 * `database_damaged`, `disk_full` or `database_unreadable`.
 */
export function openEncrypted(
  file: string,
  key: Buffer,
  migrations: readonly Migration[],
  options: OpenOptions = {},
): Database.Database {
  let db: Database.Database | undefined
  try {
    if (!options.readonly) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    db = new Database(file, {
      timeout: 5000,
      readonly: options.readonly ?? false,
      fileMustExist: options.readonly ?? false,
    })
    // Set explicitly: plain SQLite answers PRAGMA key with silence and writes plaintext.
    if (db.pragma(`cipher = 'aegis'`, { simple: true }) !== 'aegis') throw new Error('this SQLite cannot encrypt')
    db.pragma(`key = "x'${key.toString('hex')}'"`)
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    if (options.readonly) return db
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // Else REPLACE would delete past the triggers that keep the log and the audit append-only.
    db.pragma('recursive_triggers = ON')
    db.pragma('temp_store = MEMORY')
    db.pragma('cache_size = -65536')
    migrate(db, migrations)
    return db
  } catch (error) {
    db?.close()
    throw explain(error, basename(file))
  }
}

function explain(error: unknown, file: string): unknown {
  if (error instanceof ConsoleError) return error
  const code = (error as { code?: string }).code ?? ''
  if (code === 'SQLITE_NOTADB') {
    return new ConsoleError(
      {
        code: 'wrong_key',
        happened: `The database ${file} does not open with its key, or it is damaged.`,
        safe: 'Nothing was changed.',
        todo: 'Restore the whole data directory from a backup, or choose another one with --data-dir.',
      },
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new ConsoleError(
      {
        code: 'database_locked',
        happened: `Another program is using the database ${file}.`,
        safe: 'Nothing was changed.',
        todo: 'Close the other console (or the tool that holds the file), then start again.',
      },
      { cause: error },
    )
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return diskFull(error)
  if (isDamage(error)) return damaged(error)
  return new ConsoleError(
    {
      code: 'database_unreadable',
      happened: `The database ${file} cannot be opened (${code || 'unknown reason'}).`,
      safe: 'Nothing was changed.',
      todo: 'Check that the data directory exists, that you can write to it, and that there is free space.',
    },
    { cause: error },
  )
}

/** Whether an error means that the disk is full or refuses writes. */
function isDiskError(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code ?? ''
  return (
    code === 'SQLITE_FULL' || code === 'ENOSPC' || code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_READONLY')
  )
}

/** Whether an error means that a part of the file does not pass its check: it is damaged. */
export function isDamage(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code ?? ''
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}

/**
 * What a database that is open can do nothing about: a full or refusing disk, another program that holds the file,
 * damage. No event is to blame; what could not be stored waits where it is. Null for every other error.
 */
export function storageProblem(error: unknown): ConsoleError | null {
  if (isDiskError(error)) return diskFull(error)
  if (isDamage(error)) return damaged(error)
  const code = (error as { code?: string } | null)?.code ?? ''
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED') ? inUse(error) : null
}

function damaged(cause: unknown): ConsoleError {
  return new ConsoleError(
    {
      code: 'database_damaged',
      happened: 'A part of the database on this computer is damaged and cannot be read.',
      safe: 'Nothing was taken off the queue that is not stored; what can still be read was not changed.',
      todo: 'Close this program, then run “npm run doctor -- --recover”: it copies what can be read into a new database and keeps the damaged one.',
    },
    { cause },
  )
}

function inUse(cause: unknown): ConsoleError {
  return new ConsoleError(
    {
      code: 'database_locked',
      happened: 'Another program is using this computer’s database, so that nothing can be stored.',
      safe: 'Nothing is lost: what was recorded is kept, and events that cannot be stored wait in the queue.',
      todo: 'Close the other program (a backup or a tool that holds the file); the console continues by itself.',
    },
    { cause },
  )
}

function diskFull(cause: unknown): ConsoleError {
  return new ConsoleError(
    {
      code: 'disk_full',
      happened: 'This computer’s disk is full or cannot be written to.',
      safe: 'Nothing is lost: what was recorded is kept, and events that cannot be stored wait in the queue.',
      todo: 'Free some space; the console continues by itself.',
    },
    { cause },
  )
}

/**
 * Whether a commit waits until the disk has it. Only data that can be made anew may do without: a power
 * cut may then take the last of them, or the file.
 */
export function waitForDisk(db: Database.Database, wait: boolean): void {
  db.pragma(`synchronous = ${wait ? 'FULL' : 'OFF'}`)
}
