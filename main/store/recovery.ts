/** What can still be read of a damaged database, in a new one. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { isDamage, openEncrypted, type Database } from './open.ts'
import { newerData, versionAfter, type Migration } from './migrate.ts'

/** What became of the rows of one table. */
interface RecoveredTable {
  table: string
  /** Rows that were copied. */
  rows: number
  /** Rows that could not be read, at most; null = some, and nobody can say how many. */
  lost: number | null
}

export interface Recovery {
  tables: RecoveredTable[]
  /** Path of the damaged file, which is kept. */
  kept: string
}

export interface RecoveryOptions {
  file: string
  key: Buffer
  migrations: readonly Migration[]
  /** Tables that are made anew from others, and not copied. */
  derived: readonly string[]
  /** Completes the new database, whose schema is the newest, before it takes the place of the damaged one. */
  complete(db: Database, tables: readonly RecoveredTable[]): void
  /** Added to the name of the damaged file, e.g. a time. */
  mark: string
}

/** Rows read at once where nothing is damaged. */
const atOnce = 500

/**
 * Copies what can be read of an encrypted database into a new one with the same key, which then takes its place; the
 * damaged file is kept beside it. Until the last step nothing of it is changed. Nobody else may have it open. Throws
 * what `openEncrypted` throws, `wrong_key` too where not even its first page can be read.
 */
export function recoverDatabase({ file, key, migrations, derived, complete, mark }: RecoveryOptions): Recovery {
  const fresh = `${file}.recovered`
  const kept = `${file}.damaged-${mark}`
  removeDatabase(fresh)
  const from = openEncrypted(file, key, migrations, { readonly: true })
  let tables: RecoveredTable[]
  try {
    const version = from.pragma('user_version', { simple: true }) as number
    if (version > versionAfter(migrations)) throw newerData(version, versionAfter(migrations))
    // In the form in which it was written; newer steps come after the rows.
    const to = openEncrypted(
      fresh,
      key,
      migrations.filter((step) => step.version <= version),
    )
    try {
      to.pragma('foreign_keys = OFF')
      tables = tablesOf(to)
        .filter((table) => !derived.includes(table))
        .map((table) => copyTable(from, to, table))
    } finally {
      to.close()
    }
  } finally {
    from.close()
  }
  const db = openEncrypted(fresh, key, migrations)
  try {
    complete(db, tables)
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  for (const part of parts) if (existsSync(file + part)) copyFileSync(file + part, kept + part)
  // The log of the old file must not be read with the new one.
  for (const part of parts.slice(1)) rmSync(file + part, { force: true })
  renameSync(fresh, file)
  removeDatabase(fresh)
  return { tables, kept }
}

/** The file, and what SQLite keeps beside it. */
const parts = ['', '-wal', '-shm']
/** Removes it with what SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const part of parts) rmSync(file + part, { force: true })
}

function tablesOf(db: Database): string[] {
  return db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all() as string[]
}

function copyTable(from: Database, to: Database, table: string): RecoveredTable {
  const columns = (to.pragma(`table_info(${table})`) as { name: string; pk: number }[]).filter(
    ({ name }) => name !== '',
  )
  const names = columns.map(({ name }) => name).join(', ')
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${table} (${names}) VALUES (${columns.map(({ name }) => `@${name}`).join(', ')})`,
  )
  let rows = 0
  const keep = (row: unknown): void => {
    rows += insert.run(row).changes
  }
  const copy = to.transaction((): number | null => {
    // What the schema brings with it is what the damaged database has, or had changed.
    to.exec(`DELETE FROM ${table}`)
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    return hasRowNumbers(from, table)
      ? copyByNumber(from, table, names, keep)
      : copyFromBothEnds(
          from,
          table,
          names,
          key.map(({ name }) => name),
          keep,
        )
  })
  return { table, lost: copy(), rows }
}

function hasRowNumbers(db: Database, table: string): boolean {
  try {
    db.prepare(`SELECT rowid FROM ${table}`)
    return true
  } catch {
    return false
  }
}

/** By row numbers, in ever smaller parts where something cannot be read. Answers how many rows that are, at most. */
function copyByNumber(db: Database, table: string, names: string, keep: (row: unknown) => void): number {
  const last = lastNumber(db, table)
  if (last === null) return 0
  const some = db.prepare(`SELECT ${names} FROM ${table} NOT INDEXED WHERE rowid BETWEEN ? AND ?`)
  let lost = 0
  const copy = (first: number, end: number): void => {
    const found = readable(() => some.all(first, end))
    if (found !== null) found.forEach(keep)
    else if (first === end) lost += 1
    else {
      const middle = Math.floor((first + end) / 2)
      copy(first, middle)
      copy(middle + 1, end)
    }
  }
  for (let first = 1; first <= last; first += atOnce) copy(first, Math.min(last, first + atOnce - 1))
  return lost
}

/** The highest row number, from the table or else from one of its indexes; null of an empty table. */
function lastNumber(db: Database, table: string): number | null {
  const indexes = (db.pragma(`index_list(${table})`) as { name: string; partial: number }[]).filter(
    (one) => !one.partial,
  )
  for (const how of ['NOT INDEXED', ...indexes.map(({ name }) => `INDEXED BY "${name}"`)]) {
    const found = readable(() => db.prepare(`SELECT max(rowid) AS last FROM ${table} ${how}`).all())
    if (found !== null) return (found[0] as { last: number | null }).last
  }
  // Everything up to what cannot be read is better than nothing.
  let last: number | null = null
  try {
    for (const row of db.prepare(`SELECT rowid AS number FROM ${table} NOT INDEXED ORDER BY rowid`).iterate())
      last = (row as { number: number }).number
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  return last
}

/** In the order of the key from its beginning, and where that ends too soon from its end. */
function copyFromBothEnds(
  db: Database,
  table: string,
  names: string,
  key: readonly string[],
  keep: (row: unknown) => void,
): number | null {
  let whole = true
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((name) => `${name} ${direction}`).join(', ')
    try {
      for (const row of db.prepare(`SELECT ${names} FROM ${table} ORDER BY ${order}`).iterate()) keep(row)
      break
    } catch (error) {
      if (!isDamage(error)) throw error
      whole = false
    }
  }
  return whole ? 0 : null
}

/** Null where a part of what is asked for is damaged. */
function readable(ask: () => unknown[]): unknown[] | null {
  try {
    return ask()
  } catch (error) {
    if (!isDamage(error)) throw error
    return null
  }
}
