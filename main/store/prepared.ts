import type { Statement } from 'better-sqlite3'
import type { Database } from './open.ts'

const known = new WeakMap<Database, Map<string, Statement<unknown[]>>>()

/** A statement of this database, compiled once: compiling costs more than most of them take to run. */
export function prepared(db: Database, sql: string): Statement<unknown[]> {
  let statements = known.get(db)
  if (!statements) known.set(db, (statements = new Map()))
  let statement = statements.get(sql)
  if (!statement) statements.set(sql, (statement = db.prepare(sql)))
  return statement
}
