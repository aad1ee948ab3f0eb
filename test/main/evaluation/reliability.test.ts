import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printReliability, reliabilityOf } from '../../../main/evaluation/index.ts'

describe('the reliability of probabilities', () => {
  it('is perfect where of those given 0.8 four in five are found', () => {
    const points = Array.from({ length: 10 }, (_, i) => ({ probability: 0.8, positive: i < 8 }))
    expect(reliabilityOf(points)).toEqual({ n: 10, ece: 0, bins: [{ from: 0.8, n: 10, given: 0.8, found: 0.8 }] })
  })

  it('weighs the distance of every tenth by its messages', () => {
    const sure = Array.from({ length: 30 }, () => ({ probability: 1, positive: false }))
    const unsure = Array.from({ length: 10 }, (_, i) => ({ probability: 0.05, positive: i === 0 }))
    const { ece, bins } = reliabilityOf([...sure, ...unsure])
    expect(bins.map(({ from, n }) => [from, n])).toEqual([[0, 10], [0.9, 30]]) // prettier-ignore
    expect(ece).toBeCloseTo((30 * 1 + 10 * 0.05) / 40, 4)
  })

  it('says nothing of no messages', () => {
    expect(reliabilityOf([])).toEqual({ n: 0, ece: null, bins: [] })
    expect(printReliability('a signal', reliabilityOf([]))).toContain('error –')
  })

  it('is an error between 0 and 1 that counts every message once', () => {
    const point = fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), positive: fc.boolean() })
    fc.assert(
      fc.property(fc.array(point, { minLength: 1 }), (points) => {
        const { ece, bins, n } = reliabilityOf(points)
        expect(ece).toBeGreaterThanOrEqual(0)
        expect(ece).toBeLessThanOrEqual(1)
        expect(bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(n)
      }),
    )
  })
})
