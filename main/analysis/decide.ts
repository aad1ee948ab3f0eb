/** The decision: weighted consensus of the signals that arrived, and the rules the formula alone gets wrong. */
import type { RiskLevel, RiskTier, DecidedBy, SignalName } from '../../shared/risk.ts'
import { signalNames, worseTier } from '../../shared/risk.ts'
import type { Detection } from './detection.ts'

export interface Finding {
  /** Tier the floor demands, from what was matched. */
  floor: RiskTier
  /** Score the floor demands: the confidence of the match behind it, 0–1. */
  floorScore: number
  /** Tier demanded by concerning affect or drift. */
  affect: RiskTier
  /** Whether the floor stands on the message read as a whole, and on no listed phrase. */
  read: boolean
}

export interface Decision {
  score: number
  level: RiskLevel
  tier: RiskTier
  decided_by: DecidedBy
}

/** Weighted mean of the signals that arrived, 0–1; weights are renormalised over them. */
export function weigh(
  signals: Readonly<Record<SignalName, number | null>>,
  weights: Readonly<Record<SignalName, number>>,
): number {
  let sum = 0
  let weight = 0
  for (const name of signalNames) {
    const value = signals[name]
    if (value === null) continue
    sum += value * weights[name]
    weight += weights[name]
  }
  return weight === 0 ? 0 : sum / weight
}

/** Decides. `blind`: the patterns could not read this message, so nothing less than CAUTION may be said. */
export function decide(
  { weights, thresholds }: Detection['consensus'],
  signals: Readonly<Record<SignalName, number | null>>,
  finding: Finding,
  blind: boolean,
): Decision {
  const consensus = round(weigh(signals, weights))
  const byConsensus: RiskTier =
    consensus >= thresholds.crisis ? 'crisis' : consensus >= thresholds.caution ? 'caution' : 'ok'
  const demanded = worseTier(finding.floor, finding.affect)
  let tier = worseTier(byConsensus, demanded)
  if (blind) tier = worseTier(tier, 'caution')
  const floorDecides = finding.floor !== 'ok' && worseTier(finding.floor, byConsensus) !== byConsensus
  const level: RiskLevel =
    tier === 'crisis'
      ? 'CRISIS'
      : blind || byConsensus === 'caution' || tier === 'high' || finding.floor === 'caution'
        ? 'CAUTION'
        : 'SAFE'
  const least = level === 'CRISIS' ? thresholds.crisis : level === 'CAUTION' ? thresholds.caution : 0
  const score = Math.max(consensus, least, finding.floor === 'crisis' ? finding.floorScore : 0)
  return { score: round(score), level, tier, decided_by: floorDecides ? 'floor' : 'consensus' }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
