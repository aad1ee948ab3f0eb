/** One session that goes on and on: what an event costs when its alert has thousands of triggers already. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBody } from '../../main/console/event-queue/index.ts'
import { evidenceKey } from '../../main/platform/envelope.ts'
import { createEventLog, openDatabase, type Appending, type Database } from '../../main/store/console/index.ts'
import { crisisDetected, studentHash } from './events.ts'
import { figure, type Bench, type Figure } from './figures.ts'

export function measureLongSession(bench: Bench, now: number): Figure[] {
  const count = bench.quick ? 200 : 2_000
  bench.progress(`${count} triggers in one session`)
  const items = triggers(count, now)
  const { bare, single } = inDatabase((bareDb) =>
    inDatabase((db) => {
      const log = createEventLog(db)
      return sideBySide(items, insertOnly(bareDb), (some) => log.append(some))
    }),
  )
  const batched = inDatabase((db) => {
    const log = createEventLog(db)
    const started = performance.now()
    for (let from = 0; from < count; from += 100) log.append(items.slice(from, from + 100))
    return (performance.now() - started) / count
  })
  const name = `${count} triggers in one session: per event`
  const lastTenth = `the last tenth ${single.lastTenth.toFixed(2)} ms an event`
  return [
    figure(name, single.each, 'ms', { most: 3 }, lastTenth),
    figure(
      `${name}, to a loop that only inserts`,
      single.each / bare.each,
      '×',
      null,
      `${bare.each.toFixed(2)} ms bare`,
    ),
    figure(`${name}, a hundred to a commit`, batched, 'ms'),
  ]
}

/** Crises half a second apart: every one of them within the window of one alert. */
function triggers(count: number, now: number): Appending[] {
  const key = evidenceKey(Buffer.alloc(32))
  const start = now - count * 500
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * 500
    const event = { ...crisisDetected('one-session', studentHash(1), at), idempotency_key: `trigger-${index}` }
    const reading = readBody(JSON.stringify(event), now, key)
    if (reading.kind !== 'event') throw new Error(reading.detail)
    return { event: reading.event, school_id: '', identity: reading.identity, origin: 'queue', received_at: at + 400 }
  })
}

/** The least that keeps an event and its trigger: two rows and one commit. */
function insertOnly(db: Database): (items: readonly Appending[]) => void {
  const event = db.prepare(
    `INSERT INTO events (identity, origin, event_type, idempotency_key, school_id, session_id, at, received_at, body)
     VALUES (@identity, @origin, 'CRISIS_DETECTED', @identity, '', 'one-session', @received_at, @received_at, @body)`,
  )
  const alias = db.prepare(
    `INSERT INTO alert_keys (alias, key, school_id, session_id) VALUES (?, 'key', '', 'one-session')`,
  )
  return db.transaction((items: readonly Appending[]) => {
    for (const { identity, origin, received_at, event: body } of items) {
      event.run({ identity, origin, received_at, body: JSON.stringify(body) })
      alias.run(identity)
    }
  }).immediate
}

/** Mean milliseconds of an item, over all and over the last tenth: one after the other, so that noise meets both. */
function sideBySide<T>(items: readonly T[], ...both: [Take<T>, Take<T>]): { bare: Timing; single: Timing } {
  const took: [number[], number[]] = [[], []]
  for (const item of items) {
    both.forEach((take, side) => {
      const started = performance.now()
      take([item])
      took[side]?.push(performance.now() - started)
    })
  }
  const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length
  const [bare, single] = took.map((times) => ({
    each: mean(times),
    lastTenth: mean(times.slice(Math.floor(times.length * 0.9))),
  })) as [Timing, Timing]
  return { bare, single }
}

type Take<T> = (some: readonly T[]) => void

interface Timing {
  each: number
  lastTenth: number
}

function inDatabase<T>(work: (db: Database) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'psyflo-bench-session-'))
  const db = openDatabase(join(folder, 'console.db'), Buffer.alloc(32, 1))
  try {
    return work(db)
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
