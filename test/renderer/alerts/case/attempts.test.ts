import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attemptSummaries, callsInVain, needsName, whomToCall } from '../../../../renderer/alerts/case/attempts.ts'
import { contactKindSchema, contactOutcomeSchema } from '../../../../shared/actions.ts'
import type { Guardian } from '../../../../shared/guardians.ts'
import type { ActionView } from '../../../../shared/views.ts'
import { actionView } from '../../../support/action-view.ts'

const call = (change: Partial<ActionView>): ActionView =>
  actionView({ kind: 'contact_attempted', contact: 'guardian', who: 'Mother', outcome: 'no answer', ...change })

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

it('lists whom a call may have been to: guardians who may be contacted first, and nobody who must not be', () => {
  const guardian = (change: Partial<Guardian>): Guardian => ({
    ...{ name: '', relation: '', language: '', phones: [], email: '', do_not_contact: null },
    ...change,
  })
  const contacts = {
    guardians: [
      guardian({ name: 'A. Lim', do_not_contact: '' }),
      guardian({ name: 'R. Lim' }),
      guardian({ relation: 'aunt' }),
    ],
    emergency: [{ name: 'Emergency services', contact: '911' }],
    school: [{ name: 'School nurse', contact: '555-0100' }],
  }
  const people = whomToCall({ contacts })
  expect(people.map(({ contact, who }) => `${contact}: ${who}`)).toEqual([
    'guardian: R. Lim', 'guardian: aunt', 'student: ', 'emergency services: Emergency services', 'other: School nurse',
    'guardian: ', 'colleague: ', 'other: ',
  ]) // prettier-ignore
  expect(people.filter(needsName).map(({ contact }) => contact)).toEqual(['guardian', 'colleague', 'other'])
  const nobody = whomToCall({ contacts: { guardians: [], emergency: [], school: [] } })
  expect(nobody[0]).toEqual({ contact: 'student', who: '' })
})
