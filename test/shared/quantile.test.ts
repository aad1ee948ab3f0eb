import { describe, expect, it } from 'vitest'
import { quantile } from '../../shared/quantile.ts'

describe('a quantile', () => {
  it('is the value that the share of the values does not exceed', () => {
    const tens = [100, 30, 10, 90, 20, 80, 40, 70, 50, 60]
    expect([0, 0.1, 0.5, 0.51, 0.95, 1].map((share) => quantile(tens, share))).toEqual([10, 10, 50, 60, 100, 100])
  })
  it('orders by size, not by the first digit, and leaves the values as they are', () => {
    const values = [9, 100, 11]
    expect(quantile(values, 0.5)).toBe(11)
    expect(values).toEqual([9, 100, 11])
  })
  it('of nothing is unknown', () => {
    expect(quantile([], 0.5)).toBeNull()
  })
})
