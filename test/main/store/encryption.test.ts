import { createHash } from 'node:crypto'
import Plain from 'better-sqlite3'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { newestVersion, openDatabase, type Database } from '../../../main/store/console/index.ts'

const marks = ['MARKED-session', 'MARKED-student-name', 'MARKED-words', 'MARKED-counselor']
let folder: string
let file: string
let key: Buffer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encryption-'))
  file = join(folder, 'console.db')
  key = systemRandomness.bytes(32)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Enough rows that pages spill, sorts are large, and an index is built over them. */
function fill(db: Database): void {
  db.transaction(() => {
    for (let row = 0; row < 3000; row++) {
      db.prepare(
        `INSERT INTO events (identity, origin, event_type, idempotency_key, session_id, at, received_at, body)
         VALUES (?, 'queue', 'CRISIS_DETECTED', ?, 'MARKED-session', 1, ?, ?)`,
      ).run(`identity-${row}`, `MARKED-session-${row}`, row, 'MARKED-words '.repeat(40))
    }
    db.prepare(
      `INSERT INTO roster (school_id, student_hash, student_id, name, grade, class, counselor, guardian_contact, imported_at)
       VALUES ('s', 'hash', 'id', 'MARKED-student-name', '', '', 'MARKED-counselor', '', 1)`,
    ).run()
  })()
  db.exec('CREATE INDEX large ON events (body, received_at DESC)')
  db.prepare('SELECT body FROM events ORDER BY body || received_at DESC').all()
  db.prepare(`UPDATE roster SET class = 'MARKED-words'`).run()
}

/** Names of files anywhere under a folder that hold one of the marks, or what SQLite writes in the clear. */
function revealing(root: string): string[] {
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return all
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return [...marks, 'SQLite format 3', 'CREATE TABLE'].some((mark) => bytes.includes(mark))
    })
}

describe('the database on disk', () => {
  it('shows nothing in the file, its log or any temporary file, while open and before a checkpoint', () => {
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    process.env['SQLITE_TMPDIR'] = temporary
    const db = openDatabase(file, key)
    db.pragma('wal_autocheckpoint = 0')
    fill(db)
    expect(readdirSync(folder).sort()).toEqual(['console.db', 'console.db-shm', 'console.db-wal', 'temporary'])
    expect(readFileSync(`${file}-wal`).length).toBeGreaterThan(1_000_000)
    expect(revealing(folder)).toEqual([])
    db.pragma('wal_checkpoint(TRUNCATE)')
    expect(readFileSync(file).length).toBeGreaterThan(1_000_000)
    expect(revealing(folder)).toEqual([])
    db.close()
    expect(revealing(folder)).toEqual([])
  })

  it('would be found out: the same rows without a key show', () => {
    const db = new Plain(file)
    db.exec(`CREATE TABLE events (body TEXT); INSERT INTO events VALUES ('MARKED-words')`)
    db.close()
    expect(revealing(folder)).toEqual([file])
  })

  it('stays encrypted in a copy made with VACUUM INTO, under the same key', () => {
    const db = openDatabase(file, key)
    fill(db)
    const copy = join(folder, 'copy.db')
    db.prepare('VACUUM INTO ?').run(copy)
    db.close()
    expect(revealing(folder)).toEqual([])
    const opened = openDatabase(copy, key)
    expect(opened.prepare('SELECT count(*) FROM events').pluck().get()).toBe(3000)
    opened.close()
    expect(() => openDatabase(copy, systemRandomness.bytes(32))).toThrow(expect.objectContaining({ code: 'wrong_key' }))
  })
})

describe('a database that cannot be opened is left as it is', () => {
  const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex')
  const refusal = (otherKey = key) => {
    try {
      openDatabase(file, otherKey).close()
      return 'opened'
    } catch (error) {
      return (error as { code?: string }).code
    }
  }

  it('with another key', () => {
    openDatabase(file, key).close()
    const before = digest()
    expect(refusal(systemRandomness.bytes(32))).toBe('wrong_key')
    expect(digest()).toBe(before)
    expect(refusal()).toBe('opened')
  })

  it('when a newer program wrote it', () => {
    const db = openDatabase(file, key)
    db.pragma(`user_version = ${newestVersion + 1}`)
    db.close()
    const before = digest()
    expect(refusal()).toBe('database_newer')
    expect(digest()).toBe(before)
  })

  it('when a byte of it was changed', () => {
    openDatabase(file, key).close()
    const bytes = readFileSync(file)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const before = digest()
    expect(refusal()).not.toBe('opened')
    expect(digest()).toBe(before)
  })

  it('when it is no database at all', () => {
    writeFileSync(file, 'MARKED-words, but no database. '.repeat(400))
    expect(refusal()).toBe('wrong_key')
  })

  it('when a folder stands in its place', () => {
    mkdirSync(file)
    expect(refusal()).toBe('database_unreadable')
  })
})

it('refuses writes through a connection that only reads', () => {
  openDatabase(file, key).close()
  const db = openDatabase(file, key, { readonly: true })
  expect(() => db.prepare(`INSERT INTO settings VALUES ('a', 'b')`).run()).toThrow('readonly')
  expect(db.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(0)
  db.close()
})
