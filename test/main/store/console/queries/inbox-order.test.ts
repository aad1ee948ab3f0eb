import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  alertCounts,
  inboxPage,
  openCounts,
  openDatabase,
  studentByHash,
  studentPage,
  unseenAlerts,
} from '../../../../../main/store/console/index.ts'
import type { Database } from '../../../../../main/store/console/index.ts'
import { compareInbox } from '../../../../../shared/inbox-order.ts'
import type { AlertFilter } from '../../../../../shared/views.ts'
import { alertsOn } from '../../../../support/alert-row.ts'

const dir = mkdtempSync(join(tmpdir(), 'psyflo-inbox-'))
const now = Date.UTC(2026, 0, 20)
let db: Database

interface Made {
  key: string
  school: string
  rank: number
  state: number
  at: number
  owner: string | null
  handed: string | null
  seen: number | null
  reopened: number | null
  due: number | null
}
const states = ['open', 'acknowledged', 'resolved'] as const
const made = Array.from({ length: 600 }, (_, index): Made => ({
  key: `key-${(index * 7919) % 600}`,
  school: ['ours', '', 'theirs'][index % 3] as string,
  rank: 2 + (index % 2),
  state: Math.floor(index / 5) % 3,
  at: now - ((index * 31) % 50) * 1000,
  due: index % 4 === 0 ? null : now + ((index * 17) % 40) * 60_000,
  owner: index % 7 === 0 ? 'me' : index % 5 === 0 ? 'she' : null,
  handed: index % 11 === 0 ? 'me' : null,
  seen: index % 2 === 0 ? now : null,
  reopened: index % 13 === 0 ? now - ((index * 7) % 60) * 1000 : null,
}))

beforeAll(() => {
  db = openDatabase(join(dir, 'console.db'), Buffer.alloc(32, 1))
  const insert = db.prepare(
    `INSERT INTO alerts (key, session_id, student_hash, school_id, tier, tier_rank, state, state_rank, score, categories, about_other,
       opened_at, received_at, last_trigger_at, again_count, owner_id, hand_off_to, first_seen_at, reopened_at, reopened_reason, due_at, turn)
     VALUES (@key, @key, @hash, @school, CASE @rank WHEN 3 THEN 'crisis' ELSE 'high' END, @rank, @name, @state, 1, '[]', 0, @at, @at, @at, 0, @owner, @handed, @seen, @reopened, iif(@reopened IS NULL, NULL, 'worse'), @due, @turn)`,
  )
  const student = db.prepare(
    `INSERT OR IGNORE INTO students (student_hash, school_id, last_message_at) VALUES (?, ?, ?)`,
  )
  const day = db.prepare(
    `INSERT OR IGNORE INTO student_days (school_id, student_hash, day, messages, tier_rank, score) VALUES (?, ?, ?, 1, ?, 0.5)`,
  )
  made.forEach((alert, index) => {
    const hash = `student-${index % 30}`
    insert.run({ ...alert, hash, name: states[alert.state], turn: turn(alert) })
    student.run(hash, alert.school, alert.at)
    day.run(alert.school, hash, now - (index % 20) * 86_400_000, index % 3)
  })
})
afterAll(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Open ones by how long they wait, since they were received or opened again; held ones by their due time; resolved ones the newest first. */
function turn({ state, at, due, reopened }: Made): number {
  return [reopened ?? at, due ?? Number.MAX_SAFE_INTEGER, -at][state] as number
}

/** What nobody holds, what is held, what is resolved; in each by severity, then by turn. */
function inOrder(a: Made, b: Made): number {
  return a.state - b.state || b.rank - a.rank || turn(a) - turn(b) || (a.key < b.key ? -1 : 1)
}

function expected(filter: AlertFilter): string[] {
  return made
    .filter(({ school }) => school !== 'theirs')
    .filter((alert) => filter === 'all' || alert.state < 2)
    .filter((alert) => filter !== 'mine' || alert.owner === 'me' || alert.handed === 'me')
    .sort(inOrder)
    .map(({ key }) => key)
}

test.each(['open', 'mine', 'all'] as const)('“%s” holds what it should, in the order of the inbox', (filter) => {
  const keys = expected(filter)
  const read: string[] = []
  for (let offset = 0; offset < keys.length; offset += 50) {
    const page = inboxPage(db, { school: 'ours', person: 'me', filter, offset, limit: 50, now })
    expect(page.total).toBe(keys.length)
    read.push(...alertsOn(page).map(({ key }) => key))
  }
  expect(read).toEqual(keys)
})

test('rows put into a list by themselves stand where the query puts them', () => {
  const all = (['open', 'mine', 'all'] as const).map((filter) =>
    [0, 200, 400].flatMap((offset) =>
      alertsOn(inboxPage(db, { school: 'ours', person: 'me', filter, offset, limit: 200, now })),
    ),
  )
  const seen = new Set(all.flat().map((row) => `${row.tier} ${row.state}`))
  expect(seen.size).toBe(6)
  for (const rows of all)
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: 2 }), (some) => {
        const kept = new Set(some)
        expect(some.sort(compareInbox)).toEqual(rows.filter((row) => kept.has(row)))
      }),
    )
})

test('a console without a school sees the alerts of every school, each once and labelled', () => {
  const page = (offset: number) => inboxPage(db, { school: '', person: 'me', filter: 'all', offset, limit: 200, now })
  const rows = [0, 200, 400].flatMap((offset) => alertsOn(page(offset)))
  expect(page(0).total).toBe(600)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(600)
  expect(new Set(rows.map(({ student }) => student.school))).toEqual(new Set(['ours', '', 'theirs']))
  expect(alertCounts(db, '', 'me', now)).toMatchObject({
    all: 600,
    open: made.filter(({ state }) => state !== 2).length,
    unacknowledged: made.filter(({ state }) => state === 0).length,
  })
})

test.each([
  ['a school', 'ours', (school: string) => school !== 'theirs'],
  ['a console without a school', '', () => true],
])('what %s has not seen yet, or again, begins with the most urgent', (_, school, sees) => {
  const unseen = made
    .filter((alert) => sees(alert.school) && alert.state === 0 && (alert.seen === null || alert.reopened !== null))
    .sort(inOrder)
    .map(({ key }) => key)
  expect(unseenAlerts(db, school, 1000)).toEqual(unseen)
  expect(unseenAlerts(db, school, 10)).toEqual(unseen.slice(0, 10))
})

test('counts agree with the lists', () => {
  expect(alertCounts(db, 'ours', 'me', now)).toMatchObject({
    open: expected('open').length,
    mine: expected('mine').length,
    all: expected('all').length,
    unacknowledged: made.filter(({ school, state }) => school !== 'theirs' && state === 0).length,
  })
})

test('counts follow every change, also one that is undone', () => {
  const before = openCounts(db, 'ours')
  const resolveOne = () =>
    db.prepare(`UPDATE alerts SET state = 'resolved', state_rank = 2 WHERE key = ?`).run(expected('open')[0])
  const inside = vi.fn(() => openCounts(db, 'ours').open)
  expect(() =>
    db.transaction(() => {
      resolveOne()
      inside()
      throw new Error('undone')
    })(),
  ).toThrow('undone')
  expect(inside).toHaveReturnedWith(before.open - 1)
  expect(openCounts(db, 'ours')).toEqual(before)
  resolveOne()
  expect(openCounts(db, 'ours').open).toBe(before.open - 1)
})

test('one student looked up is the same row as in the caseload', () => {
  const { rows, total } = studentPage(db, { school: 'ours', offset: 0, limit: 200, now })
  expect(total).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) expect(studentByHash(db, 'ours', row.student.student_hash, now)).toMatchObject(row)
})
