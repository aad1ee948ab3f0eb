import { describe, expect, it } from 'vitest'
import { fitWeights } from '../../../../main/evaluation/fit/weights.ts'

/** Signals of three writers: the clinical one tells most, the semantic one something, the regex one nothing. */
const examples = Array.from({ length: 600 }, (_, i) => {
  const positive = i % 2 === 0
  const turn = Math.floor(i / 2)
  return {
    writer: ['ann', 'bob', 'cho'][turn % 3]!,
    regex: (turn % 5) / 5,
    semantic: positive === (turn % 4 !== 0) ? 0.8 : 0.3,
    clinical: positive === (turn % 10 !== 0) ? 0.9 : 0.2,
    positive,
  }
})

describe('the weights of the signals', () => {
  it('follow what each signal says beside the others, and leave the published share to the history', () => {
    const { regex, semantic, clinical } = fitWeights(examples)
    expect(clinical.weight).toBeGreaterThan(semantic.weight)
    expect(semantic.weight).toBeGreaterThan(regex.weight)
    expect(regex.weight + semantic.weight + clinical.weight).toBeCloseTo(0.9, 1)
  })

  it('lie within their intervals, are never negative and are the same at every fit', () => {
    const fitted = fitWeights(examples)
    for (const { weight, ci95 } of Object.values(fitted)) {
      expect(ci95[0]).toBeGreaterThanOrEqual(0)
      expect(weight).toBeGreaterThanOrEqual(ci95[0])
      expect(weight).toBeLessThanOrEqual(ci95[1])
    }
    expect(fitWeights(examples)).toEqual(fitted)
  })

  it('give none to a signal that speaks against what it should', () => {
    const turned = examples.map((example) => ({ ...example, regex: example.positive ? 0 : 0.9 }))
    expect(fitWeights(turned).regex.weight).toBe(0)
  })
})
