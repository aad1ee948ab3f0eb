/**
 * The fitted reader of item markers: for each item of the PHQ-9 and the GAD-7 a logistic model over hashed features,
 * for what students say of their symptoms in words that no phrase foresees. Items do not exclude each other.
 */
import { markerTypes, type MarkerType } from '../../../shared/estimates.ts'
import type { MarkerModel } from '../data/index.ts'
import { eachFeatureAt, hashTokens, longestReach, type Stemmer, type TokenHashes } from '../intent/index.ts'
import type { Span, TokenizedMessage } from '../text/index.ts'
import { windowsOf } from './windows.ts'

/** What the reader makes of one item: where the message speaks most for it, and how surely. */
export interface ItemReading extends Span {
  item: MarkerType
  /** Calibrated probability, 0–1. */
  probability: number
}

export interface MarkerReader {
  /** For every item the window that speaks most for it; none where a message has no words. */
  read(message: TokenizedMessage): ItemReading[]
}

const itemCount = markerTypes.length

/** Builds the reader of a fitted model. `read` is linear in the length of a message and never throws. */
export function createMarkerReader(model: MarkerModel, stem: Stemmer): MarkerReader {
  const { buckets, bias, scale, weights, calibration } = model
  return {
    read: (message) => {
      const windows = windowsOf(message)
      if (windows.length === 0) return []
      const sums = prefixSums(hashTokens(message.tokens, buckets, stem), buckets, weights)
      const best = markerTypes.map(() => ({ logit: -Infinity, from: 0, to: 0 }))
      const totals = new Float64Array(itemCount)
      for (const { from, to } of windows) {
        totals.fill(0)
        const root = Math.sqrt(sums.addTo(totals, from, to))
        for (let each = 0; each < itemCount; each += 1) {
          const logit = bias[each]! + (totals[each]! * scale) / root
          if (logit > best[each]!.logit) best[each] = { logit, from, to }
        }
      }
      return markerTypes.map((item, each) => {
        const { logit, from, to } = best[each]!
        const { slope, offset } = calibration[item]
        // Rounded, so that the last bits of a platform's arithmetic decide nothing.
        const probability = Math.round(1e6 / (1 + Math.exp(-(slope * logit + offset)))) / 1e6
        return { item, from, to, probability }
      })
    },
  }
}

/** Sums of weights up to every token, by the reach of the features, so that no window is walked through again. */
function prefixSums(hashes: readonly TokenHashes[], buckets: number, weights: Int8Array) {
  const sums = Array.from({ length: longestReach + 1 }, () => new Int32Array((hashes.length + 1) * itemCount))
  const counts = Array.from({ length: longestReach + 1 }, () => new Int32Array(hashes.length + 1))
  let token = 0
  const add = (reach: number, bucket: number): void => {
    const into = sums[reach]!
    const row = token * itemCount
    const first = bucket * itemCount
    for (let each = 0; each < itemCount; each += 1) into[row + each]! += weights[first + each]!
    counts[reach]![token]! += 1
  }
  for (token = 1; token <= hashes.length; token += 1) {
    const row = token * itemCount
    for (const into of sums) into.copyWithin(row, row - itemCount, row)
    for (const count of counts) count[token] = count[token - 1]!
    eachFeatureAt(hashes, token - 1, buckets, add)
  }
  return {
    /** Adds the weights of tokens `from`..`to` and answers how many features they have. */
    addTo(totals: Float64Array, from: number, to: number): number {
      let count = 0
      for (let reach = 0; reach <= longestReach && from + reach <= to; reach += 1) {
        const into = sums[reach]!
        const [start, end] = [(from + reach) * itemCount, (to + 1) * itemCount]
        for (let each = 0; each < itemCount; each += 1) totals[each]! += into[end + each]! - into[start + each]!
        count += counts[reach]![to + 1]! - counts[reach]![from + reach]!
      }
      return count
    },
  }
}
