import { describe, expect, it } from 'vitest'
import {
  draftOf,
  drawable,
  isSame,
  moved,
  movedRung,
  newRota,
  policyOf,
  problemAt,
  problemsIn,
  unfinishedRotas,
  unusedRotas,
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
    const nights = newRota('nights', 'After hours', '2026-11-24')
    const added = withAfterHours(on_call, { ...nights, rotation: { ...nights.rotation, people: ['p1'] } })
    expect(added.rotas).toMatchObject([{ id: 'nights', hours: 'after hours', rotation: { starts: '2026-11-24' } }])
    expect(added.ladders.crisis.rungs[0]?.to).toEqual([{ kind: 'assigned' }, { kind: 'rota', rota: 'nights' }])
    const policy = policyOnCall({}, { people })
    expect(problemsIn(policy, { ...draftOf(policy), on_call: added }, now)).toEqual([])
    expect(withoutRota(added, 0)).toEqual(on_call)
  })

  it('a new rota has nobody until somebody is chosen: it is not saved, and not drawn', () => {
    const policy = policyOnCall({ rotas: [rotaOf(['p1'])] }, { people })
    const on_call = { ...policy.on_call, rotas: [...policy.on_call.rotas, newRota('nights', 'Nights', '2026-11-24')] }
    const problems = problemsIn(policy, { ...draftOf(policy), on_call }, now)
    expect(problemAt(problems, 'on_call.rotas.1.rotation.people')).toMatchObject({ gap: null })
    expect(drawable({ ...policy, on_call })?.on_call.rotas).toEqual(policy.on_call.rotas)
    expect(unfinishedRotas(on_call)).toEqual(['Nights'])
  })

  it('knows the rotas that no step tells', () => {
    const { on_call } = policyOnCall({ rotas: [rotaOf(['p1']), rotaOf(['p1'], { id: 'used' })] }, { people })
    const { crisis, high } = on_call.ladders
    const told = { ...high, rungs: [...high.rungs, rung(90, [{ kind: 'rota', rota: 'used' }])] }
    expect(unusedRotas({ ...on_call, ladders: { crisis, high: told } }).map(({ id }) => id)).toEqual(['rota-1'])
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
