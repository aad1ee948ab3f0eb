import { describe, expect, it } from 'vitest'
import {
  draftOf,
  isSame,
  moved,
  movedRung,
  newRota,
  policyOf,
  problemAt,
  problemsIn,
  withAfterHours,
  withoutRota,
} from '../../../../renderer/settings/on-call/on-call-draft.ts'
import { usualOnCall } from '../../../../shared/on-call.ts'
import { policyOnCall, rotaOf, rung } from '../../../support/on-call.ts'
import { listed } from '../../../support/policies.ts'

const now = Date.UTC(2026, 10, 24, 14)
const people = [listed('admin', { role: 'ADMIN' }), listed('p1')]
const rota = { kind: 'rota' as const, rota: 'rota-1' }

describe('on call as it is edited', () => {
  it('is a policy with these parts, and the same as long as nothing was changed', () => {
    const policy = policyOnCall({ rotas: [rotaOf(['p1'])] }, { people })
    expect(policyOf(policy, draftOf(policy))).toEqual(policy)
    expect(isSame(draftOf(policy), draftOf(structuredClone(policy)))).toBe(true)
    expect(isSame(draftOf(policy), { ...draftOf(policy), hours: [] })).toBe(false)
  })

  it('has what is wrong with it at its place: the form first, then the gaps', () => {
    const policy = policyOnCall({}, { people })
    const draft = (crisis: Parameters<typeof rung>[0]) =>
      draftOf(policyOnCall({ crisis: [rung(crisis, [rota])] }, { people }))
    const faulty = problemsIn(policy, draft(Number.NaN), now)
    const field = 'on_call.ladders.crisis.rungs.0.after_minutes'
    expect(problemAt(faulty, field)).toEqual({
      path: field.split('.').map((step) => (step === '0' ? 0 : step)),
      gap: null,
    })
    const gaps = problemsIn(policy, draft(0), now)
    expect(problemAt(gaps, 'on_call.ladders.crisis.rungs.0.to')?.gap).toBe(
      'Step 1 tells an on-call rota that is not there.',
    )
    // A place within it is no gap of the whole.
    expect(problemAt(gaps, 'on_call.ladders.crisis', true)).toBeUndefined()
    expect(problemAt(gaps, 'on_call.ladders.high')).toBeUndefined()
    expect(problemsIn(policy, draftOf(policy), now)).toEqual([])
  })

  it('has after hours told at the first rung, by one press', () => {
    const { on_call } = policyOnCall({}, { people })
    const added = withAfterHours(on_call, newRota('nights', 'After hours', 'p1', '2026-11-24'))
    expect(added.rotas).toMatchObject([{ id: 'nights', hours: 'after hours', rotation: { starts: '2026-11-24' } }])
    expect(added.ladders.crisis.rungs[0]?.to).toEqual([{ kind: 'assigned' }, { kind: 'rota', rota: 'nights' }])
    const policy = policyOnCall({}, { people })
    expect(problemsIn(policy, { ...draftOf(policy), on_call: added }, now)).toEqual([])
    expect(withoutRota(added, 0)).toEqual(on_call)
  })

  it('keeps the times of the rungs in their places while they are moved', () => {
    const { rungs } = usualOnCall.ladders.crisis
    const next = movedRung(rungs, 2, -1)
    expect(next.map(({ after_minutes }) => after_minutes)).toEqual([0, 5, 10])
    expect(next.map(({ to }) => to)).toEqual([rungs[0]?.to, rungs[2]?.to, rungs[1]?.to])
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
  })
})
