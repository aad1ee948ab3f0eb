import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contradictions, followed, type OwnSchool } from '../../../../main/console/policy/index.ts'
import { roles } from '../../../../shared/people.ts'
import type { Policy } from '../../../../shared/policy.ts'
import { emptyPolicy, filledPolicy, listed } from '../../../support/policy-station.ts'
import { testSchool } from '../../../support/sign-in.ts'

const own = (part: Partial<OwnSchool> = {}): OwnSchool => ({
  ...{ school_id: testSchool, people: [], former: [], crisis_numbers: null, time_zone: null },
  ...part,
})
const person = (id: string, name: string, role: (typeof roles)[number] = 'COUNSELOR') => ({
  ...{ id, name, role, school_id: testSchool },
})

it('lists who is new under the same id, follows name and role, and keeps how somebody is reached', () => {
  const people = [person('dean', 'A. Dean-Ruiz', 'ADMIN'), person('osei', 'K. Osei', 'CLINICIAN')]
  const after = followed(filledPolicy, own({ people }))
  expect(after.people).toEqual([
    { ...filledPolicy.people[0], name: 'A. Dean-Ruiz' },
    filledPolicy.people[1],
    listed('osei', 'K. Osei', 'CLINICIAN'),
  ])
  expect(after.calendar).toEqual(filledPolicy.calendar)
})

it('takes out whose account has ended, and nobody else', () => {
  const after = followed(
    filledPolicy,
    own({ people: [person('dean', 'A. Dean', 'ADMIN')], former: ['marlow', 'gone'] }),
  )
  expect(after.people.map(({ id }) => id)).toEqual(['dean'])
})

it('has the crisis numbers of the desk, where it keeps some', () => {
  const crisis_numbers = [{ name: 'Front desk', contact: '555-0100' }]
  expect(followed(filledPolicy, own({ crisis_numbers })).crisis_numbers).toEqual(crisis_numbers)
  expect(followed(filledPolicy, own({ crisis_numbers: [] })).crisis_numbers).toEqual([])
  expect(followed(filledPolicy, own()).crisis_numbers).toEqual(filledPolicy.crisis_numbers)
})

it('is said of whatever contradicts it, so that nothing is saved and then overwritten', () => {
  const crisis_numbers = [{ name: 'Front desk', contact: '555-0100' }]
  const desk = own({ people: [person('dean', 'A. Dean', 'ADMIN')], former: ['marlow'], crisis_numbers })
  expect(contradictions(filledPolicy, desk).map(({ path }) => path)).toEqual([['people', 1], ['crisis_numbers']])
  expect(contradictions({ ...filledPolicy, people: [], crisis_numbers }, desk)).toEqual([
    { path: ['people'], gap: 'A. Dean has an account at the desk and cannot be left out.' },
  ])
  const renamed = { ...filledPolicy, people: [listed('dean', 'D. Ean', 'ADMIN')], crisis_numbers }
  expect(contradictions(renamed, desk)).toMatchObject([{ path: ['people', 0] }])
  expect(contradictions(followed(filledPolicy, desk), desk)).toEqual([])
  // Where the school has not looked at its crisis numbers, the directory may name any.
  expect(contradictions(filledPolicy, own({ people: desk.people }))).toEqual([])
})

it('lists everybody of the desk once, loses nobody else, and changes nothing the second time', () => {
  const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'))
  const role = fc.constantFrom(...roles)
  fc.assert(
    fc.property(ids, ids, ids, role, (before, present, gone, as) => {
      const policy: Policy = { ...emptyPolicy, people: before.map((id) => listed(id, `before ${id}`)) }
      const former = gone.filter((id) => !present.includes(id))
      const desk = own({ people: present.map((id) => person(id, `now ${id}`, as)), former })
      const after = followed(policy, desk)
      const expected = [...before.filter((id) => !former.includes(id)), ...present.filter((id) => !before.includes(id))]
      expect(after.people.map(({ id }) => id)).toEqual(expected)
      for (const { id, name } of after.people) expect(name).toBe(present.includes(id) ? `now ${id}` : `before ${id}`)
      expect(followed(after, desk)).toEqual(after)
    }),
  )
})
