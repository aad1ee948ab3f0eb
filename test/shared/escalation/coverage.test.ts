import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageNow, instantOf, isSchoolTime, whoIsTold } from '../../../shared/escalation/index.ts'
import { usualOnCall, type Channel, type Rota, type Rung } from '../../../shared/on-call.ts'
import type { Policy } from '../../../shared/policy.ts'
import { minutes } from '../../../shared/time.ts'
import { anyOnCall, policyOnCall, rotaOf, rung } from '../../support/on-call.ts'
import { listed } from '../../support/policies.ts'

const zone = 'America/New_York'
const people = [listed('admin', { role: 'ADMIN' }), listed('p1'), listed('p2'), listed('p3')]
const rota = { kind: 'rota' as const, rota: 'rota-1' }
const at = (wall: string) => instantOf(wall, zone)
const various = { version: 7, assigned: 'various' as const }

describe('coverage', () => {
  it('names who would be told when, of the policy of that version', () => {
    const policy = policyOnCall(
      {
        rotas: [rotaOf(['p1', 'p2'])],
        crisis: [
          rung(0, [{ kind: 'assigned' }]),
          rung(5, [rota]),
          rung(10, [{ kind: 'role', role: 'ADMIN' }], ['desktop', 'email']),
        ],
      },
      { people },
    )
    expect(coverageNow(policy, at('2026-11-10T09:00'), various)).toEqual({
      rungs: [
        { after_s: 0, to: ['assigned'], channels: ['desktop'] },
        { after_s: 300, to: ['p2'], channels: ['desktop'] },
        { after_s: 600, to: ['admin'], channels: ['desktop'] },
      ],
      policy_version: 7,
    })
  })

  it('looks up each rung at its own time', () => {
    const policy = policyOnCall(
      { rotas: [rotaOf(['p1', 'p2'])], crisis: [rung(0, [rota]), rung(10, [rota])] },
      { people },
    )
    const { rungs } = coverageNow(policy, at('2026-11-09T07:55'), various)
    expect(rungs.map(({ to }) => to)).toEqual([['p1'], ['p2']])
  })

  it('leaves out a rung that tells nobody, for the next one comes at its time and the rest keep their distance', () => {
    const policy = policyOnCall(
      {
        crisis: [
          rung(0, [{ kind: 'assigned' }]),
          rung(5, [{ kind: 'person', person: 'p1' }], ['sms']),
          rung(10, [{ kind: 'person', person: 'p2' }]),
          rung(20, [{ kind: 'role', role: 'ADMIN' }]),
        ],
      },
      { people },
    )
    expect(coverageNow(policy, at('2026-11-10T09:00'), { version: 1, assigned: null }).rungs).toEqual([
      { after_s: 0, to: ['p2'], channels: ['desktop'] },
      { after_s: 600, to: ['admin'], channels: ['desktop'] },
    ])
  })

  it('is of nobody where nobody would be told, and says that it is so now', () => {
    const policy = policyOnCall(
      { rotas: [rotaOf(['p1'], { hours: 'school hours' })], crisis: [rung(0, [rota])] },
      { people },
    )
    const now = at('2026-11-10T20:00')
    expect(coverageNow(policy, now, various)).toEqual({ rungs: [], next_gap: now, policy_version: 7 })
  })

  it('claims no rung whose only way the station has not', () => {
    const texts = (after: number, person: string) => rung(after, [{ kind: 'person', person }], ['sms'])
    const numbered = people.map((each) => ({ ...each, channels: { ...each.channels, sms: '+15550100' } }))
    const policy = policyOnCall(
      { crisis: [texts(0, 'p1'), texts(5, 'p2'), rung(10, [{ kind: 'role', role: 'ADMIN' }], ['desktop', 'sms'])] },
      { people: numbered },
    )
    const now = at('2026-11-10T09:00')
    const told = (ways: Channel[]) => coverageNow(policy, now, { ...various, ways }).rungs
    expect(told(['desktop', 'sms']).map(({ after_s }) => after_s)).toEqual([0, 300, 600])
    expect(told(['desktop'])).toEqual([{ after_s: 0, to: ['admin'], channels: ['desktop'] }])
  })

  it('claims no way to a counselor that no counselor has', () => {
    const crisis = [rung(0, [{ kind: 'assigned' }], ['desktop', 'sms'])]
    const now = at('2026-11-10T02:00')
    const told = (who: Policy['people']) => coverageNow(policyOnCall({ crisis }, { people: who }), now, various).rungs
    expect(told(people)).toEqual([{ after_s: 0, to: ['assigned'], channels: ['desktop'] }])
    const one = listed('p1', { channels: { sms: '+15550100', voice: null, email: null } })
    expect(told([one, ...people.slice(2)])).toMatchObject([{ channels: ['desktop', 'sms'] }])
  })

  it('has no gap by the usual policy', () => {
    const policy = policyOnCall(usualOnCall, { people })
    for (const assigned of ['various', null, 'p1'])
      for (const ways of [null, ['desktop' as const]])
        expect(coverageNow(policy, at('2026-11-10T09:00'), { version: 1, assigned, ways })).not.toHaveProperty(
          'next_gap',
        )
  })
})

describe('the next gap', () => {
  const gapOf = (parts: Parameters<typeof policyOnCall>[0], from = '2026-11-24T09:00') =>
    coverageNow(policyOnCall(parts, { people }), at(from), various).next_gap

  it('is when whoever has the rota goes away', () => {
    const away = [{ person: 'p2', from: '2026-11-28T02:00', to: '2026-11-28T06:00' }]
    const turns = { rotas: [rotaOf(['p1', 'p2'])], away, crisis: [rung(0, [rota])] }
    expect(gapOf(turns)).toBe(at('2026-11-28T02:00'))
    const covered = [
      rotaOf(['p1', 'p2'], { overrides: [{ person: 'p3', from: '2026-11-27T20:00', to: '2026-11-28T08:00' }] }),
    ]
    expect(gapOf({ ...turns, rotas: covered })).toBeUndefined()
  })

  it('is when school closes, where a rung is of school hours alone', () => {
    const crisis = [rung(0, [{ kind: 'assigned' }]), rung(5, [rota])]
    expect(gapOf({ rotas: [rotaOf(['p1'], { hours: 'school hours' })], crisis })).toBe(at('2026-11-24T16:00'))
  })

  it('is none where an after-hours rota rests in school hours and somebody else is told', () => {
    const rotas = [rotaOf(['p1'], { hours: 'after hours' })]
    expect(gapOf({ rotas, crisis: [rung(0, [{ kind: 'assigned' }]), rung(5, [rota])] })).toBeUndefined()
    expect(gapOf({ rotas, crisis: [rung(0, [rota])] }, '2026-11-24T20:00')).toBe(at('2026-11-25T08:00'))
  })

  it('is none beyond two weeks', () => {
    const away = [{ person: 'p1', from: '2026-12-09T00:00', to: '2026-12-10T00:00' }]
    expect(gapOf({ rotas: [rotaOf(['p1'])], away, crisis: [rung(0, [rota])] })).toBeUndefined()
  })

  it('is the one that looking every half hour finds', () => {
    fc.assert(
      fc.property(
        anyOnCall,
        fc.integer({ min: 0, max: 48 * 45 }),
        fc.constantFrom(null, 'various', 'p2'),
        (policy, half, assigned) => {
          const now = Date.UTC(2026, 8, 25) + half * minutes(30)
          expect(coverageNow(policy, now, { version: 1, assigned }).next_gap).toBe(bySampling(policy, now, assigned))
        },
      ),
      { numRuns: 25 },
    )
  })

  it('is found in 20 ms for twenty rotas', () => {
    const crowd = Array.from({ length: 60 }, (_, index) => listed(`p${index}`, { role: index ? 'COUNSELOR' : 'ADMIN' }))
    const rotas = Array.from({ length: 20 }, (_, index) => {
      const hours: Rota['hours'] = index % 2 ? 'after hours' : 'school hours'
      const overrides = [{ person: 'p50', from: '2026-11-28T02:00', to: '2026-11-29T06:00' }]
      const turns = { turn_days: 1, hands_over_at: `0${index % 10}:${10 + index}`, hours, overrides }
      return rotaOf(['p1', 'p2', 'p3', 'p4', `p${10 + index}`], { id: `rota-${index}`, ...turns })
    })
    const away = Array.from({ length: 100 }, (_, index) => ({
      person: `p${index % 60}`,
      from: `2026-11-${10 + (index % 20)}T08:${10 + (index % 40)}`,
      to: `2026-12-${10 + (index % 20)}T08:00`,
    }))
    const policy = policyOnCall(
      {
        rotas,
        away,
        crisis: [0, 5, 10].map((after) =>
          rung(
            after,
            rotas.map(({ id }) => ({ kind: 'rota', rota: id })),
          ),
        ),
      },
      { people: crowd },
    )
    const took = Array.from({ length: 40 }, (_, index) => {
      const begun = performance.now()
      coverageNow(policy, at('2026-11-24T09:00') + minutes(index), various)
      return performance.now() - begun
    })
    // The least of them: others work on this machine, too.
    expect(Math.min(...took)).toBeLessThan(20)
  })
})

/** The same, slowly: every full and half hour of two weeks. */
function bySampling(policy: Policy, from: number, assigned: string | null): number | undefined {
  const { crisis } = policy.on_call.ladders
  const tells = (each: Rung, instant: number) =>
    (assigned === 'various' && each.to.some(({ kind }) => kind === 'assigned')) ||
    whoIsTold(policy, each, instant, { assigned: assigned === 'various' ? null : assigned }).people.length > 0
  const instants = Array.from({ length: 14 * 48 }, (_, half) => from + half * minutes(30))
  const told = instants.map((instant) => crisis.rungs.map((each) => tells(each, instant)))
  const afterHoursOnly = crisis.rungs.map(({ to }) =>
    to.every(
      (target) =>
        target.kind === 'rota' && policy.on_call.rotas.find(({ id }) => id === target.rota)?.hours === 'after hours',
    ),
  )
  const index = told.findIndex((now, place) =>
    now.some((tellsNow, which) => {
      if (tellsNow || !told.some((each) => each[which])) return false
      const rests = afterHoursOnly[which] && isSchoolTime(policy.calendar, instants[place] ?? 0)
      return !(rests && now.includes(true))
    }),
  )
  return instants[index]
}
