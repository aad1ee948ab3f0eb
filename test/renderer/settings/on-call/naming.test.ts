import { expect, it } from 'vitest'
import { assignedIn } from '../../../../renderer/settings/on-call/naming.ts'
import { coverageNow } from '../../../../shared/escalation/index.ts'
import type { Policy } from '../../../../shared/policy.ts'
import { policyOnCall, rotaOf, rung } from '../../../support/on-call.ts'
import { listed } from '../../../support/policies.ts'

const admin = listed('a1', { role: 'ADMIN' })
const policyOf = (people: Policy['people']) =>
  policyOnCall(
    {
      rotas: [rotaOf(['a1'], { hours: 'after hours' })],
      crisis: [rung(0, [{ kind: 'assigned' }, { kind: 'rota', rota: 'rota-1' }])],
    },
    { people },
  )

it('takes nobody for the counselor of a student where the directory has none, one where it has one', () => {
  expect(assignedIn(policyOf([admin]))).toBeNull()
  expect(assignedIn(policyOf([admin, listed('c1')]))).toBe('c1')
  expect(assignedIn(policyOf([admin, listed('c1'), listed('c2', { role: 'CLINICIAN' })]))).toBe('various')
})

it('finds a gap in school hours where only an admin is there, and none with counselors', () => {
  // A Sunday evening in New York.
  const at = Date.UTC(2026, 10, 23, 1)
  const gapOf = (policy: Policy) => coverageNow(policy, at, { version: 0, assigned: assignedIn(policy) }).next_gap
  expect(gapOf(policyOf([admin]))).toBeGreaterThan(at)
  expect(gapOf(policyOf([admin, listed('c1'), listed('c2')]))).toBeUndefined()
})
