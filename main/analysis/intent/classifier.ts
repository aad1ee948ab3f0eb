/**
 * The intent classifier: a fitted linear model of how a passage is meant (in danger, joking, quoting, about another …),
 * for what no list of phrases foresees. Logits are sums of signed bytes over hashed features; softmax makes
 * probabilities of them.
 */
import { intentClasses, type IntentCalibration, type IntentClass, type IntentModel } from '../data/index.ts'
import type { Span, TokenizedMessage } from '../text/index.ts'
import { eachFeatureAt, hashTokens, longestReach, passageFeatures, type Stemmer, type TokenHashes } from './features.ts'
import { passagesOf } from './passages.ts'

/** Probability of every class; they sum to 1. */
type IntentProbabilities = Readonly<Record<IntentClass, number>>

export interface ClassifiedPassage extends Span {
  probabilities: IntentProbabilities
  /** The run of tokens that speaks most for a class. */
  strongestSpan(intent: IntentClass): Span
}

export interface IntentClassifier {
  calibration: IntentCalibration
  /** Every passage of a message, classified. */
  classify(message: TokenizedMessage): ClassifiedPassage[]
}

const classCount = intentClasses.length

export function createIntentClassifier(model: IntentModel, stem: Stemmer): IntentClassifier {
  const { buckets, bias, scale, weights, calibration } = model
  return {
    calibration,
    classify: (message) => {
      const passages = passagesOf(message)
      if (passages.length === 0) return []
      const sums = prefixSums(hashTokens(message.tokens, buckets, stem), buckets, weights)
      return passages.map(({ from, to }) => {
        const whole = passageFeatures(message, { from, to }, buckets, stem)
        const totals = new Float64Array(classCount)
        for (const bucket of whole)
          for (let each = 0; each < classCount; each += 1) totals[each]! += weights[bucket * classCount + each]!
        const count = whole.length + sums.addTo(totals, from, to)
        const logits = bias.map((value, each) => value + (totals[each]! * scale) / Math.sqrt(count))
        return {
          from,
          to,
          probabilities: softmax(logits),
          strongestSpan: (intent) => sums.strongestSpan(intentClasses.indexOf(intent), from, to),
        }
      })
    },
  }
}

/** Tokens marked as what a probability stands on, at most. */
const longestStrongestSpan = 8

/** Sums of weights up to every token, by the reach of the features, so that no passage is walked through again. */
function prefixSums(hashes: readonly TokenHashes[], buckets: number, weights: Int8Array) {
  const sums = Array.from({ length: longestReach + 1 }, () => new Int32Array((hashes.length + 1) * classCount))
  const counts = Array.from({ length: longestReach + 1 }, () => new Int32Array(hashes.length + 1))
  let row = 0
  let token = 0
  const add = (reach: number, bucket: number): void => {
    const into = sums[reach]!
    const first = bucket * classCount
    for (let each = 0; each < classCount; each += 1) into[row + each]! += weights[first + each]!
    counts[reach]![token]! += 1
  }
  for (token = 1; token <= hashes.length; token += 1) {
    row = token * classCount
    for (const into of sums) into.copyWithin(row, row - classCount, row)
    for (const count of counts) count[token] = count[token - 1]!
    eachFeatureAt(hashes, token - 1, buckets, add)
  }
  return {
    /** Adds the weights of tokens `from`..`to` and answers how many features they have. */
    addTo(totals: Float64Array, from: number, to: number): number {
      let count = 0
      for (let reach = 0; reach <= longestReach && from + reach <= to; reach += 1) {
        const into = sums[reach]!
        const [start, end] = [(from + reach) * classCount, (to + 1) * classCount]
        for (let each = 0; each < classCount; each += 1) totals[each]! += into[end + each]! - into[start + each]!
        count += counts[reach]![to + 1]! - counts[reach]![from + reach]!
      }
      return count
    },
    /** The run of a few tokens with the highest sum of their contributions to a class. */
    strongestSpan(intent: number, from: number, to: number): Span {
      let best = { from, to: from, sum: -Infinity }
      for (let start = from; start <= to; start += 1) {
        let sum = 0
        for (let end = start; end <= Math.min(to, start + longestStrongestSpan - 1); end += 1) {
          sum += contribution(sums, intent, end)
          const shorter = sum === best.sum && end - start < best.to - best.from
          if (sum > best.sum || shorter) best = { from: start, to: end, sum }
        }
      }
      return { from: best.from, to: best.to }
    },
  }
}

/** What one token, with those before it, adds to a class above what it adds to all of them on average. */
function contribution(sums: readonly Int32Array[], intent: number, token: number): number {
  let sum = 0
  for (const into of sums) {
    const row = token * classCount
    for (let each = 0; each < classCount; each += 1) {
      const weight = into[row + classCount + each]! - into[row + each]!
      sum += each === intent ? weight : -weight / classCount
    }
  }
  return sum
}

function softmax(logits: readonly number[]): IntentProbabilities {
  const highest = Math.max(...logits)
  const exponentials = logits.map((value) => Math.exp(value - highest))
  const sum = exponentials.reduce((total, value) => total + value, 0)
  // Rounded, so that the last bits of a platform's arithmetic decide nothing.
  return Object.fromEntries(
    intentClasses.map((name, each) => [name, Math.round((exponentials[each]! / sum) * 1e6) / 1e6]),
  ) as Record<IntentClass, number>
}
