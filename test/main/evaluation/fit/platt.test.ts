import { describe, expect, it } from 'vitest'
import { calibrated } from '../../../../main/analysis/index.ts'
import { fitPlatt } from '../../../../main/evaluation/fit/platt.ts'

const examples = (slope: number, intercept: number) =>
  Array.from({ length: 4000 }, (_, i) => {
    const number = (i % 80) / 10 - 4
    // Every hundredth of the probability is met once in fifty rounds.
    const positive = Math.floor(i / 80) / 50 < 1 / (1 + Math.exp(-(slope * number + intercept)))
    return { number, positive }
  })

describe('a fit of probabilities', () => {
  it('finds the slope and the intercept that made the examples', () => {
    const { slope, intercept } = fitPlatt(examples(1.5, -0.5))
    expect(slope).toBeCloseTo(1.5, 0)
    expect(intercept).toBeCloseTo(-0.5, 0)
    expect(calibrated({ slope, intercept }, 4)).toBeGreaterThan(0.97)
  })

  it('never turns the reader’s order around', () => {
    const { slope } = fitPlatt([{ number: 1, positive: false }, { number: -1, positive: true }, { number: 0, positive: true }]) // prettier-ignore
    expect(slope).toBe(0)
  })

  it('is finite where the numbers tell everything', () => {
    const { slope, intercept } = fitPlatt([{ number: 3, positive: true }, { number: -3, positive: false }]) // prettier-ignore
    expect(Number.isFinite(slope) && Number.isFinite(intercept)).toBe(true)
  })
})
