import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attemptSummaries, callsInVain, knownGuardian } from '../../../../renderer/alerts/case/attempts.ts'
import { contactKindSchema, contactOutcomeSchema } from '../../../../shared/actions.ts'
import type { ActionView, AlertDetail } from '../../../../shared/views.ts'
import { actionView } from '../../../support/action-view.ts'

const call = (change: Partial<ActionView>): ActionView =>
  actionView({ kind: 'contact_attempted', contact: 'guardian', who: 'Mother', outcome: 'no answer', ...change })
const rosterWith = (guardian_contact: string) => ({ roster: { guardian_contact } as AlertDetail['roster'] })

it('counts calls by person, the latest called first and of each the latest outcome', () => {
  const calls = [
    call({ at: 10 }),
    call({ at: 20, who: ' mother ' }),
    call({ at: 30, who: 'Father' }),
    call({ at: 40, outcome: 'left a message' }),
  ]
  expect(attemptSummaries(calls)).toEqual([
    {
      contact: 'guardian', who: 'Mother', count: 3, last_at: 40,
      outcomes: [{ outcome: 'left a message', count: 1 }, { outcome: 'no answer', count: 2 }],
    },
    { contact: 'guardian', who: 'Father', count: 1, last_at: 30, outcomes: [{ outcome: 'no answer', count: 1 }] },
  ]) // prettier-ignore
})

it('does not count what was taken back or refused', () => {
  expect(
    attemptSummaries([call({ withdrawn_at: 5, applied: false }), call({ refused: true, applied: false })]),
  ).toEqual([])
})

it('says how many calls reached nobody, and nothing once somebody was reached', () => {
  expect(callsInVain(attemptSummaries([]))).toBe(0)
  expect(callsInVain(attemptSummaries([call({}), call({ who: 'Father' })]))).toBe(2)
  expect(callsInVain(attemptSummaries([call({}), call({ who: 'Father', outcome: 'reached' })]))).toBe(0)
})

it('counts every call once, whatever their order', () => {
  const any = fc.record({
    at: fc.integer({ min: 0, max: 100 }),
    contact: fc.constantFrom(...contactKindSchema.options),
    who: fc.constantFrom(null, 'Mother', 'mother ', 'Father'),
    outcome: fc.constantFrom(...contactOutcomeSchema.options),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (calls) => {
      const people = attemptSummaries(calls.map(call))
      expect(people.reduce((sum, { count }) => sum + count, 0)).toBe(calls.length)
      for (const { outcomes, count } of people) expect(outcomes.reduce((sum, each) => sum + each.count, 0)).toBe(count)
      expect(people.map(({ last_at }) => last_at)).toEqual(people.map(({ last_at }) => last_at).sort((a, b) => b - a))
    }),
  )
})

it('knows the guardian of the roster by name, without the number', () => {
  const who = (given: string) => knownGuardian(rosterWith(given))?.who
  expect(who('Mr Testwell (father), 555-0199')).toBe('Mr Testwell (father)')
  expect(who('R. Lim, +1 (555) 014-2000')).toBe('R. Lim')
  expect(who('555-0142')).toBe('')
  expect(knownGuardian(rosterWith(' '))).toBeNull()
  expect(knownGuardian({ roster: null })).toBeNull()
})
