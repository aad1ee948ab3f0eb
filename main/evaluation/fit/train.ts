/** Multinomial logistic regression over hashed features, by AdaGrad with a little L2 in a seeded order. */
import { intentClasses } from '../../analysis/index.ts'

export const buckets = 1 << 18
const epochs = 20
const epochsOfFirstPass = 4
const learningRate = 0.5
const biasRate = 0.02
const decay = 3e-5
/** Smaller errors are not worth a step. */
const leastError = 1e-4

const classCount = intentClasses.length

export interface Weights {
  /** For each bucket one weight a class. */
  table: Float32Array
  bias: Float64Array
}

/** A text as features: the hash buckets of each of its passages. */
export interface Example {
  /** Index of its class. */
  intent: number
  weight: number
  passages: readonly (readonly number[])[]
}

/** Probability of every class for one passage. */
export function probabilitiesOf({ table, bias }: Weights, features: readonly number[]): number[] {
  const totals = Array.from({ length: classCount }, () => 0)
  for (const bucket of features)
    for (let each = 0; each < classCount; each += 1) totals[each]! += table[bucket * classCount + each]!
  const root = Math.sqrt(features.length)
  const logits = totals.map((total, each) => bias[each]! + total / root)
  const highest = Math.max(...logits)
  const exponentials = logits.map((value) => Math.exp(value - highest))
  const sum = exponentials.reduce((total, value) => total + value, 0)
  return exponentials.map((value) => value / sum)
}

/**
 * Fits on the examples. Of a long text that is not neutral only the most probable passage is an example, so a first
 * pass over the short ones finds it.
 */
export function fit(examples: readonly Example[]): Weights {
  const neutral = intentClasses.indexOf('neutral')
  const samplesOf = (known: Weights | null): Sample[] =>
    examples.flatMap(({ intent, weight, passages }): Sample[] => {
      if (passages.length < 2 || intent === neutral) return passages.map((features) => ({ features, intent, weight }))
      if (!known) return []
      const ranked = passages.toSorted((a, b) => probabilitiesOf(known, b)[intent]! - probabilitiesOf(known, a)[intent]!)
      return [{ features: ranked[0]!, intent, weight }]
    })
  return train(samplesOf(train(samplesOf(null), epochsOfFirstPass)), epochs)
} // prettier-ignore

interface Sample {
  features: readonly number[]
  intent: number
  weight: number
}

function train(samples: readonly Sample[], rounds: number): Weights {
  const weights: Weights = { table: new Float32Array(buckets * classCount), bias: new Float64Array(classCount) }
  const squares = new Float32Array(buckets * classCount).fill(1e-2)
  const random = seeded(20260120)
  const order = samples.map((_, index) => index)
  for (let round = 0; round < rounds; round += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1))
      ;[order[i], order[j]] = [order[j]!, order[i]!]
    }
    for (const index of order) step(weights, squares, samples[index]!)
  }
  return weights
}

function step(weights: Weights, squares: Float32Array, { features, intent, weight }: Sample): void {
  const found = probabilitiesOf(weights, features)
  const root = Math.sqrt(features.length)
  for (let each = 0; each < classCount; each += 1) {
    const error = (found[each]! - (each === intent ? 1 : 0)) * weight
    if (Math.abs(error) < leastError) continue
    weights.bias[each]! -= biasRate * error
    const slope = error / root
    for (const bucket of features) {
      const at = bucket * classCount + each
      const gradient = slope + decay * weights.table[at]!
      squares[at]! += gradient * gradient
      weights.table[at]! -= (learningRate * gradient) / Math.sqrt(squares[at]!)
    }
  }
}

/** Mulberry32, for the order of examples only. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
