/** Half a million sessions are paged and filtered by an index, on either database. */
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sessionPage } from '../../../../main/store/station/index.ts'
import { school } from '../../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

onEachStore((kind) => {
  let at: TestStore
  beforeEach(async () => {
    at = await openTestStore(kind)
    await at.run(`INSERT INTO schools VALUES ('${school}', 'salt', 'key')`)
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)`
    await at.run(`INSERT INTO sessions (school_id, session_id, student_hash, status, started_at, metadata)
      ${numbers} SELECT '${school}', 'session-' || i, 'student-' || (i % 100), CASE WHEN i % 7 = 0 THEN 'ended' ELSE 'active' END, i, '{}' FROM n`)
    await at.run(kind === 'file' ? 'ANALYZE' : 'ANALYZE sessions')
  })
  afterEach(() => at.close())

  const planOf = (filter: object) =>
    at.store.asSchool(school, async (unit) => {
      const { sql, parameters } = sessionPage(
        unit,
        { school_id: school, ...filter },
        { limit: 50, offset: 20 },
      ).compile()
      const explain = kind === 'file' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
      const { rows } = await unit.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
      )
      return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
    })

  it.each([
    ['every session', {}, 'sessions_by_time'],
    ['those of a status', { status: 'ended' }, 'sessions_by_status'],
    ['those of a student', { student_hash: 'student-7' }, 'sessions_by_student'],
    ['those of a student and status', { student_hash: 'student-7', status: 'active' }, 'sessions_by_'],
  ])('a page of %s comes from its index, in its order', async (_, filter, index) => {
    const plan = await planOf(filter)
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/SCAN sessions|Seq Scan|TEMP B-TREE/)
    // A student has few enough to be put in order.
    if (!('student_hash' in filter)) expect(plan).not.toContain('Sort')
  })
})
