/** One logistic regression an item over hashed features, all in one pass, by AdaGrad with a little L2 in a seeded order. */
import { markerTypes } from '../../../shared/estimates.ts'
import { seeded } from './random.ts'

export const markerBuckets = 1 << 16
const epochs = 6
const epochsOfFirstPass = 3
const learningRate = 0.4
const biasRate = 0.02
const decay = 3e-5
/** Smaller errors are not worth a step. */
const leastError = 2e-3

const itemCount = markerTypes.length

export interface MarkerWeights {
  /** For each bucket one weight an item. */
  table: Float32Array
  bias: Float64Array
}

/** A text as features: the buckets of each of its windows. */
export interface MarkerExample {
  /** For each item 1 where the text speaks of it, 0 where not, −1 where nobody knows. */
  targets: readonly number[]
  weight: { present: number; absent: number }
  windows: readonly (readonly number[])[]
}

/** Logit of every item for one window. */
export function itemLogits({ table, bias }: MarkerWeights, features: readonly number[]): Float64Array {
  const logits = new Float64Array(itemCount)
  for (const bucket of features) {
    const row = bucket * itemCount
    for (let each = 0; each < itemCount; each += 1) logits[each]! += table[row + each]!
  }
  const root = Math.sqrt(features.length)
  for (let each = 0; each < itemCount; each += 1) logits[each] = bias[each]! + logits[each]! / root
  return logits
}

/**
 * Fits on the examples. Of a text of several windows that speaks of an item only the one that says it most is an
 * example of it, so a first pass on the longest windows finds it.
 */
export function fitMarkerWeights(examples: readonly MarkerExample[]): MarkerWeights {
  const samplesOf = (known: MarkerWeights | null): MarkerExample[] =>
    examples.flatMap((example): MarkerExample[] => {
      const { targets, weight, windows } = example
      if (windows.length < 2) return windows.length === 0 ? [] : [example]
      const first = targets.indexOf(1)
      if (first === -1) return windows.map((features) => ({ targets, weight, windows: [features] }))
      const rank = (features: readonly number[]): number => (known ? itemLogits(known, features)[first]! : features.length)
      const best = windows.reduce((most, features) => (rank(features) > rank(most) ? features : most))
      return [{ targets, weight, windows: [best] }]
    })
  return train(samplesOf(train(samplesOf(null), epochsOfFirstPass)), epochs)
} // prettier-ignore

function train(samples: readonly MarkerExample[], rounds: number): MarkerWeights {
  const weights: MarkerWeights = {
    table: new Float32Array(markerBuckets * itemCount),
    bias: new Float64Array(itemCount).fill(-3),
  }
  const squares = new Float32Array(markerBuckets * itemCount).fill(1e-2)
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

function step(weights: MarkerWeights, squares: Float32Array, { targets, weight, windows }: MarkerExample): void {
  const features = windows[0]!
  const logits = itemLogits(weights, features)
  const root = Math.sqrt(features.length)
  for (let each = 0; each < itemCount; each += 1) {
    const target = targets[each]!
    if (target < 0) continue
    const error = (1 / (1 + Math.exp(-logits[each]!)) - target) * (target === 1 ? weight.present : weight.absent)
    if (Math.abs(error) < leastError) continue
    weights.bias[each]! -= biasRate * error
    const slope = error / root
    for (const bucket of features) {
      const at = bucket * itemCount + each
      const gradient = slope + decay * weights.table[at]!
      squares[at]! += gradient * gradient
      weights.table[at]! -= (learningRate * gradient) / Math.sqrt(squares[at]!)
    }
  }
}
