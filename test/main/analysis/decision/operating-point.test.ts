import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withOperatingPoint } from '../../../../main/analysis/decision/index.ts'
import { createEngine } from '../../../../main/analysis/index.ts'
import { operatingPointNames } from '../../../../shared/detection.ts'
import { tierRank } from '../../../../shared/risk.ts'
import { assess, detectionData, engine, said } from '../../../evaluation/engine.ts'

const fitted = detectionData.intentModel.calibration
const shift = fc.double({ min: -3, max: 3, noNaN: true })
const points = fc.record({ caution: shift, high: shift, crisis: shift })
const balanced = { caution: 0, high: 0, crisis: 0 }
const logit = (p: number): number => Math.log(p / (1 - p))

describe('an operating point', () => {
  it('that is balanced leaves every threshold as it was fitted', () => {
    expect(withOperatingPoint(fitted, balanced)).toEqual(fitted)
  })

  it('moves a threshold by its shift in log-odds', () => {
    const { long } = withOperatingPoint(fitted, { ...balanced, high: 0.5 })
    expect(logit(long.high) - logit(fitted.long.high)).toBeCloseTo(0.5, 9)
    expect(long.crisis).toBe(fitted.long.crisis)
  })

  it('keeps every threshold one that a calibration may have, and leaves alone what takes phrases less literally', () => {
    fc.assert(
      fc.property(points, (point) => {
        const { short, long, discounted, reinterpretation } = withOperatingPoint(fitted, point)
        expect(reinterpretation).toEqual(fitted.reinterpretation)
        for (const { other, joking, ...sure } of [short, long]) {
          for (const value of [...Object.values(sure), ...Object.values(discounted)])
            expect(value).toBeGreaterThanOrEqual(0.5)
          for (const value of [other, joking]) expect(value).toBeGreaterThanOrEqual(0.4)
          for (const value of [other, joking, ...Object.values(sure), ...Object.values(discounted)])
            expect(value).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('never lowers what the phrases demand, however few alarms are asked for', () => {
    const quietest = createEngine(detectionData, { operatingPoint: { caution: 3, high: 3, crisis: 3 } })
    for (const text of ['I want to end my life', 'i am going to kill myself tonight', 'I cut myself again last night'])
      expect(quietest.assess(said(text)).tier, text).toBe(assess(text).tier)
  })
})

describe('the committed operating points', () => {
  const texts = [
    'it would be easier for everyone if i just was not around anymore',
    'i wrote the letters and gave my dog to my cousin',
    'i keep thinking that nobody would even notice if i was gone',
    'I had a good day today',
  ]

  it('ask for more the more cautious they are', () => {
    for (const text of texts) {
      const tiers = operatingPointNames.map((operating_point) =>
        tierRank(assess(text, { detection: { operating_point, weights: null } }).tier),
      )
      expect(tiers, text).toEqual(tiers.toSorted((a, b) => a - b))
    }
  })

  it('are named in what was read by them, and only there', () => {
    for (const operating_point of operatingPointNames)
      expect(assess(texts[0]!, { detection: { operating_point, weights: 'refitted' } })).toMatchObject({
        operating_point,
      })
    expect(assess(texts[0]!)).not.toHaveProperty('operating_point')
  })

  it('that is balanced reads as the engine does where nothing is chosen', () => {
    const { operating_point: _, ...read } = assess(texts[1]!, {
      detection: { operating_point: 'balanced', weights: null },
    })
    expect(read).toEqual(assess(texts[1]!))
  })

  it('tell what each costs and misses', () => {
    expect(Object.keys(engine.detection.operating_points)).toEqual(operatingPointNames)
  })
})

describe('the weights', () => {
  it('are those that were asked for, else those of the files', () => {
    const only = { regex: 1, semantic: 0, clinical: 0, history: 0 }
    const { consensus } = detectionData
    const data = {
      ...detectionData,
      consensus: {
        ...consensus,
        weights: 'published' as const,
        weight_sets: { ...consensus.weight_sets, refitted: { weights: only } },
      },
    }
    const scoreBy = (weights: 'published' | 'refitted' | null) =>
      createEngine(data).assess(said('nothing matters', { detection: { operating_point: 'balanced', weights } })).score
    expect(scoreBy('refitted')).not.toBe(scoreBy('published'))
    expect(scoreBy(null)).toBe(scoreBy('published'))
    expect(createEngine(data, { weights: 'refitted' }).assess(said('nothing matters')).score).toBe(scoreBy('refitted'))
  })
})
