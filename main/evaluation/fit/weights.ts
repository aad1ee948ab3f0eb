/**
 * Weights of the signals, by logistic regression on sentences of writers that neither reader had seen: how much each
 * says beside the others. The history is not in sentences, so that its weight stays the published one.
 */
import { quantile } from '../../../shared/quantile.ts'
import { seeded } from './random.ts'

/** One sentence: its signals, and whether it may call for somebody. */
export interface SignalExample {
  writer: string
  regex: number
  semantic: number
  clinical: number
  positive: boolean
}

const names = ['regex', 'semantic', 'clinical'] as const
export type FittedWeights = Record<(typeof names)[number], { weight: number; ci95: [number, number] }>

/** Published weight of the history. */
const historyWeight = 0.1
const resamples = 200
const rounds = 25

/** The weights with their 95 % intervals, by drawing writers again and again (bootstrap: Efron 1979). */
export function fitWeights(examples: readonly SignalExample[]): FittedWeights {
  const byWriter = [...Map.groupBy(examples, ({ writer }) => writer).values()]
  const random = seeded(20261123)
  const draws = Array.from({ length: resamples }, () =>
    sharesOf(byWriter.flatMap(() => byWriter[Math.floor(random() * byWriter.length)]!)),
  )
  const all = sharesOf(examples)
  return Object.fromEntries(
    names.map((name, at) => {
      const drawn = draws.map((draw) => draw[at]!)
      const bound = (share: number): number => twoPlaces(quantile(drawn, share)!)
      return [name, { weight: twoPlaces(all[at]!), ci95: [bound(0.025), bound(0.975)] }]
    }),
  ) as FittedWeights
}

/** Coefficients, none below 0, as shares of what the history leaves. */
function sharesOf(examples: readonly SignalExample[]): number[] {
  // A column a coefficient, and the intercept last. One that would be negative is left out.
  let kept = [0, 1, 2]
  for (;;) {
    const found = coefficientsOf(examples, kept)
    const negative = kept.find((_, at) => found[at]! < 0)
    if (negative === undefined) {
      const sum = kept.reduce((total, _, at) => total + found[at]!, 0)
      return names.map((_, name) =>
        kept.includes(name) ? (found[kept.indexOf(name)]! / sum) * (1 - historyWeight) : 0,
      )
    }
    kept = kept.filter((name) => name !== negative)
  }
}

/** Newton's method on the likelihood of a logistic regression with a little ridge. */
function coefficientsOf(examples: readonly SignalExample[], kept: readonly number[]): number[] {
  const size = kept.length + 1
  const beta = new Array<number>(size).fill(0)
  for (let round = 0; round < rounds; round += 1) {
    const gradient = beta.map((value) => 1e-3 * value)
    const hessian = beta.map((_, i) => beta.map((__, j) => (i === j ? 1e-3 : 0)))
    for (const example of examples) {
      const x = [...kept.map((name) => example[names[name]!]), 1]
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * beta[i]!, 0)))
      for (let i = 0; i < size; i += 1) {
        gradient[i]! += (p - (example.positive ? 1 : 0)) * x[i]!
        for (let j = 0; j < size; j += 1) hessian[i]![j]! += p * (1 - p) * x[i]! * x[j]!
      }
    }
    const step = solve(hessian, gradient)
    step.forEach((value, i) => (beta[i]! -= value))
  }
  return beta
}

/** Solves a small system by Gaussian elimination; the matrix is positive definite. */
function solve(matrix: number[][], vector: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i]!])
  rows.forEach((row, i) => {
    for (let below = i + 1; below < rows.length; below += 1) {
      const factor = rows[below]![i]! / row[i]!
      for (let j = i; j < rows[below]!.length; j += 1) rows[below]![j]! -= factor * row[j]!
    }
  })
  const solution = new Array<number>(rows.length).fill(0)
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const known = solution.reduce((sum, value, j) => (j > i ? sum + value * rows[i]![j]! : sum), 0)
    solution[i] = (rows[i]![rows.length]! - known) / rows[i]![i]!
  }
  return solution
}

const twoPlaces = (value: number): number => Math.round(value * 100) / 100
