import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sentimentBand } from '../../shared/assessment.ts'
import { roles } from '../../shared/people.ts'
import { may, type Permission } from '../../shared/permissions.ts'
import {
  isPatternCategory,
  patternCategories,
  riskTiers,
  tierRank,
  worseTier,
  worstCategory,
} from '../../shared/risk.ts'

it('orders tiers from none seen to crisis', () => {
  expect(riskTiers.map(tierRank)).toEqual([0, 1, 2, 3])
  fc.assert(
    fc.property(fc.constantFrom(...riskTiers), fc.constantFrom(...riskTiers), (a, b) => {
      expect(tierRank(worseTier(a, b))).toBe(Math.max(tierRank(a), tierRank(b)))
      expect(worseTier(a, b)).toBe(worseTier(b, a))
    }),
  )
})

it('weighs categories by their confidence', () => {
  expect(worstCategory([])).toBe(0)
  expect(worstCategory(['hopelessness', 'suicidal_ideation', 'self_harm'])).toBe(0.95)
  expect(Object.values(patternCategories)).toEqual([...Object.values(patternCategories)].sort((a, b) => b - a))
})

it('takes no name but its own for a category, not even those every object has', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '', 'Suicidal_Intent'])
    expect(isPatternCategory(name)).toBe(false)
  expect(isPatternCategory('suicidal_intent')).toBe(true)
})

it('bands sentiment, with −0.2 to 0.2 neutral', () => {
  expect([-1, -0.21, -0.2, 0, 0.2, 0.21, 1].map(sentimentBand)).toEqual([
    'negative', 'negative', 'neutral', 'neutral', 'neutral', 'positive', 'positive',
  ]) // prettier-ignore
})

it('keeps evidence from admins, and the roster from everybody else', () => {
  const allowed = (permission: Permission) => roles.filter((role) => may(role, permission))
  expect(allowed('alerts.act')).toEqual(['COUNSELOR', 'CLINICIAN', 'ADMIN'])
  expect(allowed('evidence.reveal')).toEqual(['COUNSELOR', 'CLINICIAN'])
  expect(allowed('transcript.read')).toEqual(['COUNSELOR', 'CLINICIAN'])
  expect(allowed('roster.manage')).toEqual(['ADMIN'])
})
