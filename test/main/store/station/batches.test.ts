/** Group commit on the file: what comes together is committed together, and fails alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DatabaseGone } from '../../../../main/store/station/index.ts'
import { createBatches, type Batches } from '../../../../main/store/station/batches.ts'

let folder: string
let db: Database.Database
let batches: Batches
let statements: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batches-'))
  statements = []
  db = new Database(join(folder, 'test.db'), { verbose: (sql) => void statements.push(String(sql)) })
  db.exec('CREATE TABLE kept (value INTEGER UNIQUE)')
  batches = createBatches(db)
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const keep = (value: number) => async () => {
  db.prepare('INSERT INTO kept VALUES (?)').run(value)
  await Promise.resolve()
  return value
}
const kept = () => db.prepare('SELECT value FROM kept ORDER BY value').pluck().all()
const commits = () => statements.filter((sql) => sql === 'COMMIT').length

it('what comes in one turn of the event loop is one commit', async () => {
  expect(await Promise.all([1, 2, 3, 4, 5].map((value) => batches.run(keep(value))))).toEqual([1, 2, 3, 4, 5])
  expect(kept()).toEqual([1, 2, 3, 4, 5])
  expect(commits()).toBe(1)
})

it('one that fails takes back its own and nothing else', async () => {
  const failing = batches.run(async () => {
    await keep(2)()
    throw new Error('no')
  })
  const outcomes = await Promise.allSettled([batches.run(keep(1)), failing, batches.run(keep(3))])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(kept()).toEqual([1, 3])
})

it('nobody is told before the commit', async () => {
  let told = false
  const first = batches.run(keep(1)).then(() => (told = true))
  await batches.run(async () => expect(told).toBe(false))
  await first
})

it('all that shared a transaction learn when it could not be committed', async () => {
  const first = batches.run(keep(1))
  const lost = batches.run(async () => {
    await keep(2)()
    // As a full disk does: everything since BEGIN is taken back.
    db.prepare('ROLLBACK').run()
    throw new Error('full')
  })
  const outcomes = await Promise.allSettled([first, lost])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(kept()).toEqual([])
  expect(await batches.run(keep(3))).toBe(3)
})

it('what cannot begin is refused, and goes on when it can', async () => {
  const other = new Database(join(folder, 'test.db'), { timeout: 0 })
  db.pragma('busy_timeout = 0')
  other.exec('BEGIN EXCLUSIVE')
  const outcomes = await Promise.allSettled([batches.run(keep(1)), batches.run(keep(2))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  other.close()
  expect(await batches.run(keep(3))).toBe(3)
  expect(kept()).toEqual([3])
})

it('whatever fails among whatever comes in whatever turns: what succeeded is there, and nothing else', async () => {
  const unit = fc.record({ fails: fc.boolean(), turns: fc.nat(2) })
  let next = 0
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { maxLength: 80 }), async (units) => {
      db.exec('DELETE FROM kept')
      const succeeded: number[] = []
      await Promise.allSettled(
        units.map(async ({ fails, turns }) => {
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
          const value = ++next
          await batches.run(async () => {
            await keep(value)()
            if (fails) throw new Error('no')
          })
          succeeded.push(value)
        }),
      )
      expect(kept()).toEqual(succeeded.sort((a, b) => a - b))
    }),
    { numRuns: 30 },
  )
})

it('only units that may be done again are not waited for by the disk, and none of the others is ever among them', async () => {
  const [normal, full] = [1, 2]
  const flushes = () => db.pragma('synchronous', { simple: true }) as number
  const seen: [string, number][] = []
  const unit = (name: string) => async () => void seen.push([name, flushes()])
  let late: Promise<unknown> = Promise.resolve()
  const again = { mayBeDoneAgain: true }
  await batches.run(unit('must stay'))
  await Promise.all([batches.run(unit('again'), again), batches.run(unit('must stay, beside it'))])
  await batches.run(async () => {
    await unit('again')()
    late = batches.run(unit('must stay, while it was under way'))
  }, again)
  await late
  await expect(batches.run(() => Promise.reject(new Error('no')), again)).rejects.toThrow('no')
  expect(seen).toEqual([
    ['must stay', full],
    ['again', full],
    ['must stay, beside it', full],
    ['again', normal],
    ['must stay, while it was under way', full],
  ])
  expect(flushes()).toBe(full)
})

it('a disk that takes neither commit nor rollback lets nobody wait for ever, and nothing of it is kept', async () => {
  const [normal, full] = [1, 2]
  let fails = false
  const disk = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (name === 'prepare')
        return (sql: string) => {
          const statement = target.prepare(sql)
          if (!/^(COMMIT|ROLLBACK)$/.test(sql)) return statement
          const run = () => {
            if (fails) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
            return statement.run()
          }
          return { run }
        }
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value
    },
  })
  batches = createBatches(disk)
  expect(await batches.run(keep(1))).toBe(1)
  fails = true
  const again = { mayBeDoneAgain: true }
  // The first goes without waiting for the disk, which must not outlast it.
  for (const options of [again, {}])
    for (const value of [2, 3]) {
      const outcomes = await Promise.allSettled([
        batches.run(keep(value), options),
        batches.run(() => Promise.reject(new Error('by itself')), options),
      ])
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseGone) as unknown })
    }
  let changed = false
  batches.between(() => (changed = true))
  await batches.idle()
  fails = false
  const flushes = () => db.pragma('synchronous', { simple: true }) as number
  expect(flushes()).toBe(normal)
  expect(await batches.run(async () => [await keep(4)(), flushes()])).toEqual([4, full])
  expect([kept(), flushes(), changed, db.inTransaction]).toEqual([[1, 4], full, true, false])
})
