/** Probabilities from a reader's own numbers (Platt 1999). */
import type { Platt } from '../../analysis/index.ts'

/** Steps of Newton's method, far more than it takes. */
const rounds = 100
/** So little curvature is added that a step is always possible. */
const ridge = 1e-6

/** Fits slope and intercept by the greatest likelihood, with Platt's targets a little inside of 0 and 1. */
export function fitPlatt(examples: readonly { number: number; positive: boolean }[]): Platt {
  const positives = examples.filter(({ positive }) => positive).length
  const high = (positives + 1) / (positives + 2)
  const low = 1 / (examples.length - positives + 2)
  let slope = 0
  let intercept = Math.log((positives + 1) / (examples.length - positives + 1))
  for (let round = 0; round < rounds; round += 1) {
    let [g0, g1, h00, h01, h11] = [0, 0, ridge, 0, ridge]
    for (const { number, positive } of examples) {
      const p = 1 / (1 + Math.exp(-(slope * number + intercept)))
      const error = p - (positive ? high : low)
      const curvature = p * (1 - p)
      g0 += error
      g1 += error * number
      h00 += curvature
      h01 += curvature * number
      h11 += curvature * number * number
    }
    const determinant = h00 * h11 - h01 * h01
    const stepOfSlope = (h00 * g1 - h01 * g0) / determinant
    const stepOfIntercept = (h11 * g0 - h01 * g1) / determinant
    slope -= stepOfSlope
    intercept -= stepOfIntercept
    if (Math.abs(stepOfSlope) + Math.abs(stepOfIntercept) < 1e-9) break
  }
  return { slope: Math.max(0, fourPlaces(slope)), intercept: fourPlaces(intercept) }
}

const fourPlaces = (value: number): number => Math.round(value * 1e4) / 1e4
