import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultGuide, guideSchema, guideStepSchema, missingSteps, stepsFor } from '../../shared/guide.ts'
import { patternCategories, type PatternCategory } from '../../shared/risk.ts'

const ids = (steps: readonly { id: string }[]) => steps.map(({ id }) => id)
const crisis = { tier: 'crisis' as const, categories: ['suicidal_intent'] satisfies PatternCategory[] }
const friend = { tier: 'high' as const, categories: ['hopelessness'] satisfies PatternCategory[] }
const categories = Object.keys(patternCategories) as PatternCategory[]
const someAlert = fc.record({
  tier: fc.constantFrom('high' as const, 'crisis' as const),
  categories: fc.subarray(categories),
})

describe('the guide that a school begins with', () => {
  it('is a guide that could be saved', () => {
    expect(guideSchema.parse(defaultGuide)).toEqual(defaultGuide)
  })

  it('goes through the hour after a crisis, and asks for what may not be left out', () => {
    expect(ids(stepsFor(defaultGuide, crisis))).toEqual(ids(defaultGuide))
    expect(ids(missingSteps(defaultGuide, crisis, new Set()))).toEqual([
      ...['be-with-student', 'ask-directly', 'call-guardian', 'follow-up'],
    ])
  })

  it('shows a milder alert what concerns it, and requires nothing of it', () => {
    expect(ids(stepsFor(defaultGuide, friend))).toEqual(['call-guardian', 'safety-plan', 'follow-up'])
    expect(missingSteps(defaultGuide, friend, new Set())).toEqual([])
  })

  it('asks directly about suicide where suicide was spoken of, and nowhere else', () => {
    const asks = (named: PatternCategory[]) => ids(stepsFor(defaultGuide, { ...crisis, categories: named }))
    expect(asks(['self_harm'])).not.toContain('ask-directly')
    expect(asks(['self_harm', 'suicidal_ideation'])).toContain('ask-directly')
    // A crisis of which no category is known still asks for everything that is for all.
    expect(asks([])).toEqual(ids(defaultGuide).filter((id) => id !== 'ask-directly'))
  })
})

describe('steps that are missing', () => {
  it('are those required and not done, in the order of the guide', () => {
    expect(ids(missingSteps(defaultGuide, crisis, new Set(['call-guardian', 'safety-plan', 'no step'])))).toEqual([
      ...['be-with-student', 'ask-directly', 'follow-up'],
    ])
  })

  it('are steps of the alert, required at its tier, and none that is done, whatever the guide', () => {
    const step = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      title: fc.constant('Do it'),
      hint: fc.constant(''),
      tiers: fc.subarray(['high', 'crisis'] as const, { minLength: 1 }),
      categories: fc.subarray(categories, { maxLength: 2 }),
      required: fc.subarray(['high', 'crisis'] as const),
    })
    const guide = fc.uniqueArray(step, { selector: ({ id }) => id })
    fc.assert(
      fc.property(guide, someAlert, fc.subarray(['a', 'b', 'c', 'd']), (steps, alert, done) => {
        const shown = stepsFor(steps, alert)
        const missing = missingSteps(steps, alert, new Set(done))
        expect(missing).toEqual(shown.filter(({ id, required }) => required.includes(alert.tier) && !done.includes(id)))
        // What is required at a tier where it is not shown holds nobody up.
        for (const { tiers } of missing) expect(tiers).toContain(alert.tier)
      }),
    )
  })
})

describe('a guide', () => {
  const [first] = defaultGuide

  it('names no step twice, and has room for thirty', () => {
    expect(guideSchema.safeParse([first, first]).success).toBe(false)
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...first, id: `step-${index}` }))
    expect([30, 31].map((count) => guideSchema.safeParse(many(count)).success)).toEqual([true, false])
    expect(guideSchema.safeParse([]).success).toBe(true)
  })

  it.each([
    ['an id with a capital', { id: 'Call' }],
    ['an id that is empty', { id: '' }],
    ['an id that begins with a hyphen', { id: '-call' }],
    ['no title', { title: '  ' }],
    ['a title of a page', { title: 'a'.repeat(121) }],
    ['no tier', { tiers: [] }],
    ['a tier that opens no alert', { tiers: ['caution'] }],
    ['a category that nobody knows', { categories: ['sadness'] }],
  ])('refuses %s', (_, change) => {
    expect(guideStepSchema.safeParse({ ...first, ...change }).success).toBe(false)
  })
})
