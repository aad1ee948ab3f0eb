/** Whether a probability means what it says: of the messages given 0.8, about 80 in 100 should be what is looked for. */
import { round } from './figures.ts'

export interface ProbabilityPoint {
  /** 0–1. */
  probability: number
  positive: boolean
}

/** Messages whose probability lies in one tenth. */
interface ReliabilityBin {
  from: number
  n: number
  /** Mean probability that was given. */
  given: number
  /** Share that was what is looked for. */
  found: number
}

export interface Reliability {
  n: number
  /** Expected calibration error: mean distance of given and found, weighted by messages (Naeini et al. 2015); null without messages. */
  ece: number | null
  bins: ReliabilityBin[]
}

const tenths = 10

/** The reliability curve of probabilities, in tenths; empty tenths are left out. */
export function reliabilityOf(points: readonly ProbabilityPoint[]): Reliability {
  const byTenth = Map.groupBy(points, ({ probability }) => Math.min(tenths - 1, Math.floor(probability * tenths)))
  const bins = [...byTenth]
    .sort(([a], [b]) => a - b)
    .map(([tenth, those]) => ({
      from: tenth / tenths,
      n: those.length,
      given: round(those.reduce((sum, { probability }) => sum + probability, 0) / those.length),
      found: round(those.filter(({ positive }) => positive).length / those.length),
    }))
  const error = bins.reduce((sum, { n, given, found }) => sum + n * Math.abs(given - found), 0)
  return { n: points.length, ece: points.length === 0 ? null : round(error / points.length), bins }
}

/** One line a curve: given → found by tenth. */
export function printReliability(name: string, { n, ece, bins }: Reliability): string {
  const curve = bins.map((bin) => `${bin.given.toFixed(2)}→${bin.found.toFixed(2)} (${bin.n})`).join('  ')
  return `  ${name.padEnd(34)} expected calibration error ${ece === null ? '–' : ece.toFixed(3)}  n=${n}  ${curve}`
}
