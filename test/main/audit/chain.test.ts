import type { AuditEntry } from '../../../main/audit/index.ts'
import { appendAudit, verifyAudit } from '../../../main/store/console/index.ts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { migrations } from '../../../main/store/console/migrations/index.ts'
import { migrate } from '../../../main/store/migrate.ts'

let db: Database.Database
const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1, who: 'marlow', role: 'COUNSELOR', what: 'alert.acknowledged', subject: 'alert a', why: '', console_id: 'c', ...changes,
}) // prettier-ignore

beforeEach(() => {
  db = new Database(':memory:')
  migrate(db, migrations)
  for (let at = 1; at <= 5; at++) appendAudit(db, entry({ at }))
  db.exec('DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete')
})

it('holds from the first entry to the last', () => {
  expect(verifyAudit(db)).toEqual({ ok: true, entries: 5, broken_at: null })
})

it('is well when it is empty', () => {
  db.exec('DELETE FROM audit')
  expect(verifyAudit(db)).toEqual({ ok: true, entries: 0, broken_at: null })
})

it.each(['at', 'who', 'role', 'what', 'subject', 'why', 'console_id', 'previous', 'hash'])(
  'names the entry whose “%s” was changed',
  (column) => {
    db.exec(`UPDATE audit SET ${column} = ${column === 'at' ? 99 : `'x'`} WHERE seq = 3`)
    expect(verifyAudit(db)).toEqual({ ok: false, entries: 2, broken_at: 3 })
  },
)

it('names the entry after a gap', () => {
  db.exec('DELETE FROM audit WHERE seq = 2')
  expect(verifyAudit(db)).toMatchObject({ ok: false, broken_at: 3 })
})

it('names the entry that was moved', () => {
  db.exec('UPDATE audit SET seq = 9 WHERE seq = 1')
  expect(verifyAudit(db)).toMatchObject({ ok: false, broken_at: 2 })
})

it('tells entries apart whose words only meet at another place', () => {
  const hashes = new Set<unknown>()
  const one = new Database(':memory:')
  const other = new Database(':memory:')
  migrate(one, migrations)
  migrate(other, migrations)
  appendAudit(one, entry({ who: 'a', role: 'bc' }))
  appendAudit(other, entry({ who: 'ab', role: 'c' }))
  for (const each of [one, other]) hashes.add(each.prepare('SELECT hash FROM audit').pluck().get())
  expect(hashes.size).toBe(2)
})

it('holds for any words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ who: fc.string(), subject: fc.string(), why: fc.string({ unit: 'grapheme' }) }), {
        maxLength: 5,
      }),
      (some) => {
        some.forEach((changes) => appendAudit(db, entry(changes)))
        expect(verifyAudit(db).ok).toBe(true)
      },
    ),
    { numRuns: 30 },
  )
})
