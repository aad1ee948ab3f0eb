/** Policies and assignments as they are kept: every version stands, and of two that come at once one is told so. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  insertPolicy,
  keepAssignments,
  newestPolicies,
  newestPolicy,
  type StoredPolicy,
} from '../../../../main/store/station/index.ts'
import type { Assignment } from '../../../../shared/policy.ts'
import { otherSchool, school } from '../../../support/intake-school.ts'
import { onEachStore, openTestStore, type TestStore } from '../../../support/test-stores.ts'

onEachStore((kind) => {
  let at: TestStore
  beforeEach(async () => {
    at = await openTestStore(kind)
    for (const id of [school, otherSchool]) await at.run(`INSERT INTO schools VALUES ('${id}', 'salt', 'key')`)
  })
  afterEach(() => at.close())

  const policy = (version: number, more: Partial<StoredPolicy> = {}): StoredPolicy => ({
    ...{ school_id: school, version, event_id: `event-${version}`, document: '{}' },
    ...{ changed_at: version, changed_by: 'admin-1', ...more },
  })
  const keep = (one: StoredPolicy) => at.store.asSchool(one.school_id, (unit) => insertPolicy(unit, one))
  const newest = (id: string) => at.store.asSchool(id, (unit) => newestPolicy(unit, id))

  describe('the policy of a school', () => {
    it('is its newest version, and no other school’s', async () => {
      expect(await newest(school)).toBeNull()
      for (const version of [1, 2, 10]) expect(await keep(policy(version))).toBe(true)
      expect(await newest(school)).toEqual(policy(10))
      expect(await newest(otherSchool)).toBeNull()
      await keep(policy(3, { school_id: otherSchool }))
      const all = await at.store.asStation(newestPolicies)
      expect(all).toEqual([policy(10), policy(3, { school_id: otherSchool })])
    })

    it('keeps every version: none takes the place of another, and none is changed', async () => {
      await keep(policy(1))
      expect(await keep(policy(1, { changed_by: 'admin-2' }))).toBe(false)
      await expect(at.run(`UPDATE policies SET document = 'another'`)).rejects.toThrow(/never changes/)
      await keep(policy(2))
      expect(await at.rows('SELECT * FROM policies ORDER BY version')).toEqual([policy(1), policy(2)])
    })

    it('has one winner where several save the same version at once', async () => {
      const kept = await Promise.all(['1', '2', '3', '4'].map((by) => keep(policy(1, { changed_by: by }))))
      expect(kept.filter(Boolean)).toHaveLength(1)
      expect((await newest(school))?.changed_by).toBe(String(kept.indexOf(true) + 1))
    })
  })

  describe('who looks after a student', () => {
    const assign = (
      assignments: readonly Assignment[],
      more: { school_id?: string; by?: string; now?: number } = {},
    ) => {
      const { school_id = school, by = 'admin-1', now = 1 } = more
      return at.store.asSchool(school_id, (unit) => keepAssignments(unit, { school_id, assignments, by, at: now }))
    }
    const assigned = () => at.rows('SELECT * FROM assignments ORDER BY school_id, student_hash')

    it('is kept with who said so and since when; nobody any more is said too', async () => {
      await assign([
        { student_hash: 'a', person_id: 'p-1' },
        { student_hash: 'b', person_id: 'p-1' },
        { student_hash: 'c', person_id: 'p-1' },
      ])
      await assign([{ student_hash: 'a', person_id: 'p-9' }], { school_id: otherSchool })
      await assign(
        [
          { student_hash: 'a', person_id: 'p-1' },
          { student_hash: 'b', person_id: 'p-2' },
          { student_hash: 'c', person_id: null },
        ],
        { by: 'admin-2', now: 2 },
      )
      expect(await assigned()).toEqual([
        { school_id: school, student_hash: 'a', person_id: 'p-1', assigned_at: 1, assigned_by: 'admin-1' },
        { school_id: school, student_hash: 'b', person_id: 'p-2', assigned_at: 2, assigned_by: 'admin-2' },
        { school_id: school, student_hash: 'c', person_id: null, assigned_at: 2, assigned_by: 'admin-2' },
        { school_id: otherSchool, student_hash: 'a', person_id: 'p-9', assigned_at: 1, assigned_by: 'admin-1' },
      ])
    })

    it('is what was said last, however many are named and how often', async () => {
      const student = fc.integer({ min: 0, max: 1200 }).map(String)
      const assignment = fc.record({ student_hash: student, person_id: fc.constantFrom('p-1', 'p-2', null) })
      const call = fc.array(assignment, { minLength: 0, maxLength: 1500, size: 'max' })
      const expected = new Map<string, string | null>()
      await fc.assert(
        fc.asyncProperty(call, async (assignments) => {
          for (const { student_hash, person_id } of assignments) expected.set(student_hash, person_id)
          await assign(assignments)
          const kept = (await assigned()).map(({ student_hash, person_id }) => [student_hash, person_id])
          expect(new Map(kept as [string, string | null][])).toEqual(expected)
        }),
        { numRuns: 6 },
      )
    })

    it('can be said by several at once, in whatever order', async () => {
      const students = Array.from({ length: 600 }, (_, index) => String(index))
      const call = (person_id: string, order: string[]) =>
        assign(order.map((student_hash) => ({ student_hash, person_id })))
      await Promise.all([call('p-1', students), call('p-2', students.toReversed()), call('p-3', students)])
      expect(await assigned()).toHaveLength(600)
    })
  })
})
