/** A database of which a page is damaged: nothing is lost to it that the queue still has, and what can be read is recovered. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChanges } from '../../main/console/changes.ts'
import { createCommitter } from '../../main/console/event-queue/index.ts'
import { recover } from '../../main/doctor/index.ts'
import { evidenceKey } from '../../main/platform/envelope.ts'
import { passphraseProvider } from '../../main/platform/key-providers.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import {
  appendAudit,
  createEventLog,
  isUndamaged,
  lockDataDir,
  openDatabase,
  openKeys,
  savePerson,
  storageProblem,
  verifyAudit,
  writeSetting,
  type Database,
  type Keys,
} from '../../main/store/console/index.ts'
import { openStationFile } from '../../main/store/station/index.ts'
import { damagePage, pagesOf } from '../support/damage.ts'
import { silentLogger } from '../support/logger.ts'
import { dump, marlow } from '../support/record.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { analyzed, crisis, noon, school } from '../support/wire.ts'

const passphrase = 'correct horse battery staple'
const clock = virtualClock(noon)
let folder: string
let whole: string
let keys: Keys
const bodies = Array.from({ length: 120 }, (_, index) => [
  crisis({ session_id: `session-${index % 40}`, reasoning: 'x'.repeat(400), at: noon + index }),
  analyzed({ session_id: `session-${index}`, message_id: `m-${index}`, at: noon + index }),
])
  .flat()
  .map((event) => JSON.stringify(event))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-'))
  whole = join(folder, 'whole')
  const cheap = passphraseProvider(passphrase, systemRandomness, { N: 1024, r: 8, p: 1 })
  keys = await openKeys(whole, cheap, systemRandomness)
  const db = openDatabase(join(whole, 'console.db'), keys.database)
  await receive(db, bodies)
  savePerson(db, marlow, noon)
  writeSetting(db, 'console_id', 'console-1')
  for (let entry = 0; entry < 60; entry++)
    appendAudit(db, { at: noon, who: 'marlow', role: 'COUNSELOR', what: 'alert.seen', subject: `${entry}`, why: '', console_id: 'console-1' }) // prettier-ignore
  db.close()
  openStationFile(join(whole, 'station.db'), keys.stationDatabase).close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function receive(db: Database, some: readonly string[]): Promise<void> {
  const committer = createCommitter({
    db,
    eventLog: createEventLog(db),
    changes: createChanges(db, silentLogger),
    evidenceKey: evidenceKey(keys.evidence),
    clock,
    schoolId: () => school,
  })
  return committer.commit(some.map((body) => ({ body, receiveCount: 1 })))
}

/** The same data directory, one page of whose database is damaged. */
function withDamage(page: number): string {
  const dir = mkdtempSync(join(folder, 'page-'))
  for (const name of readdirSync(whole)) copyFileSync(join(whole, name), join(dir, name))
  damagePage(join(dir, 'console.db'), page)
  return dir
}

const recoverAt = (dataDir: string, typed: string | null = passphrase) =>
  recover({ dataDir, passphrase: typed, clock, randomness: systemRandomness })
const count = (db: Database, from: string) => db.prepare(`SELECT count(*) FROM ${from}`).pluck().get()

describe('while it is damaged', () => {
  it('events are stored whole or stay in the queue; none is put aside for it', async () => {
    const pages = pagesOf(join(whole, 'console.db'))
    let refused = 0
    for (let page = 2; page <= pages; page += 11) {
      const dir = withDamage(page)
      try {
        const db = openDatabase(join(dir, 'console.db'), keys.database)
        const error: unknown = await receive(db, [
          JSON.stringify(crisis({ session_id: 'session-1' })),
          'not JSON',
        ]).then(
          () => null,
          (reason: unknown) => reason,
        )
        if (error !== null) {
          refused += 1
          expect(storageProblem(error)?.code).toBe('database_damaged')
        }
        // Where that part can be read at all.
        const kept = tried(() => count(db, `quarantine WHERE reason <> 'not JSON'`))
        if (kept !== null) expect(kept).toBe(0)
        db.close()
      } catch (error) {
        refused += 1
        expect(error).toMatchObject({ code: expect.stringMatching(/^(database_damaged|SQLITE_CORRUPT)/) })
      }
      rmSync(dir, { recursive: true })
    }
    expect(refused).toBeGreaterThan(3)
  })
})

describe('recovery', () => {
  it('keeps what can be read, whichever page is damaged; what comes again from the queue fills the hole', async () => {
    const original = openDatabase(join(whole, 'console.db'), keys.database)
    const expected = Object.fromEntries(
      ['events', 'alerts', 'triggers', 'messages'].map((table) => [table, count(original, table)]),
    )
    const root = original.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'events'`).pluck().get()
    original.close()
    const pages = pagesOf(join(whole, 'console.db'))
    let recovered = 0
    for (let page = 2; page <= pages; page += 43) {
      const dir = withDamage(page)
      const file = join(dir, 'console.db')
      const isReadable = opens(file)
      const [line] = await recoverAt(dir)
      if (!isReadable) {
        expect(line).toMatchObject({ status: 'failed', todo: expect.stringContaining('backup') })
        rmSync(dir, { recursive: true })
        continue
      }
      recovered += 1
      const about = `page ${page} of ${pages}: ${line?.sentence}`
      expect(['ok', 'warning'], about).toContain(line?.status)
      const db = openDatabase(file, keys.database)
      expect(isUndamaged(db), about).toBe(true)
      // Whatever stands under the page that all others of the log are found by is out of reach; it comes again.
      if (page !== root) expect(Number(count(db, 'events')), about).toBeGreaterThan(bodies.length * 0.8)
      const before = dump(db)
      createEventLog(db).rebuild()
      expect(dump(db), about).toEqual(before)
      if (line?.status === 'ok' && line.sentence.includes('Nothing was lost')) {
        expect(verifyAudit(db).ok).toBe(true)
        expect(count(db, `settings WHERE name = 'console_id' AND value = 'console-1'`)).toBe(1)
      }
      await receive(db, bodies)
      for (const [table, rows] of Object.entries(expected)) expect(count(db, table), about).toBe(rows)
      expect(count(db, `audit WHERE what = 'database.recovered'`)).toBe(1)
      db.close()
      expect(existsSync(`${file}.damaged-${noon}`) || line?.sentence.startsWith('It is undamaged')).toBe(true)
      rmSync(dir, { recursive: true })
    }
    expect(recovered).toBeGreaterThan((pages / 43) * 0.8)
  })

  it('leaves alone what is whole, and what a program uses', async () => {
    expect((await recoverAt(whole)).map(({ status, sentence }) => `${status}: ${sentence}`)).toEqual([
      'ok: It is undamaged; nothing was changed.',
      'ok: It is undamaged; nothing was changed.',
    ])
    const release = lockDataDir(whole)
    await expect(recoverAt(whole)).rejects.toMatchObject({ code: 'data_dir_in_use' })
    release()
    await expect(recoverAt(whole, null)).rejects.toMatchObject({ code: 'passphrase_needed' })
  })

  it('says plainly that nothing can be read where the very first page is damaged, and changes nothing', async () => {
    const dir = withDamage(1)
    const [line] = await recoverAt(dir)
    expect(line).toMatchObject({ status: 'failed', todo: expect.stringContaining('backup') })
    expect(readdirSync(dir).filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('recovers the station’s file, too', async () => {
    const dir = withDamage(2)
    const file = join(dir, 'station.db')
    const db = openStationFile(file, keys.stationDatabase)
    const insert = db.prepare(
      `INSERT INTO outbox (id, school_id, group_id, event_type, body, created_at, next_attempt_at) VALUES (?, ?, 'g', 'HEARTBEAT', ?, 0, 0)`,
    )
    for (let row = 0; row < 300; row++) insert.run(`event-${row}`, school, 'y'.repeat(300))
    db.close()
    damagePage(file, pagesOf(file) - 3)
    const [, line] = await recoverAt(dir)
    expect(line?.sentence).toContain('outbox')
    const again = openStationFile(file, keys.stationDatabase)
    expect(isUndamaged(again)).toBe(true)
    expect(Number(again.prepare('SELECT count(*) FROM outbox').pluck().get())).toBeGreaterThan(200)
    again.close()
  })
})

/** Whether the list of its tables can be read: without it nobody knows where anything stands. */
function opens(file: string): boolean {
  return tried(() => openDatabase(file, keys.database, { readonly: true }).close() !== null) !== null
}

function tried<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
