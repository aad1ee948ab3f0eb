import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readDraft, draftOf } from '../../../renderer/settings/directory-draft.ts'
import { moved, withTiers } from '../../../renderer/settings/guide-list.ts'
import { defaultGuide } from '../../../shared/guide.ts'
import { filledPolicy } from '../../support/policy-station.ts'
import { testSchool } from '../../support/sign-in.ts'

it('a step moves by one place, stops at either end, and none is lost', () => {
  const ids = defaultGuide.map(({ id }) => id)
  expect(moved(defaultGuide, 1, -1).map(({ id }) => id)).toEqual([ids[1], ids[0], ...ids.slice(2)])
  fc.assert(
    fc.property(fc.nat({ max: ids.length - 1 }), fc.constantFrom(1 as const, -1 as const), (index, by) => {
      const after = moved(defaultGuide, index, by).map(({ id }) => id)
      expect(after.toSorted()).toEqual(ids.toSorted())
      expect(after.indexOf(ids[index] ?? '')).toBe(Math.min(ids.length - 1, Math.max(0, index + by)))
    }),
  )
})

it('a step that is no longer shown for a tier is not required there', () => {
  const [step] = defaultGuide
  expect(step && withTiers({ ...step, required: ['crisis', 'high'] }, ['high'])).toEqual({
    tiers: ['high'],
    required: ['high'],
  })
})

it('a step without a name is a problem at its own field', () => {
  const draft = draftOf(filledPolicy)
  const step = { id: 'call-home', title: ' ', hint: '', tiers: [], categories: [], required: [] }
  const { problems } = readDraft({ ...draft, guide: [...defaultGuide, step] }, testSchool)
  expect([...problems.keys()].toSorted()).toEqual(['step-call-home.tiers', 'step-call-home.title'])
})
