/** The decision: weighted consensus of the signals that arrived, and the floor where the formula alone goes wrong. */
import { levelThresholds, scoreWithin, signalNames, worseTier, type DecidedBy, type RiskLevel, type RiskTier, type SignalName } from '../../../shared/risk.ts' // prettier-ignore
import type { FloorEvidence } from './floor.ts'

export interface Decision {
  score: number
  level: RiskLevel
  tier: RiskTier
  decided_by: DecidedBy
}

type Weights = Readonly<Record<SignalName, number>>

/** Weighted mean of the signals that arrived, 0–1; weights are renormalized over them. */
function weightedMean(signals: Readonly<Record<SignalName, number | null>>, weights: Weights): number {
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

/**
 * Without the floor a crisis takes phrases that say as much: by the published weights 0.90 cannot be reached below this.
 * Under other weights likeness and reading alone, which despair or worry about a friend has too, must not decide one.
 */
const regexOfConsensusCrisis = 0.75

/** Decides. `uncovered`: the patterns could not read this message, so nothing less than CAUTION may be said. */
export function reachConsensus(
  weights: Weights,
  signals: Readonly<Record<SignalName, number | null>>,
  { floor, floorScore, concern }: FloorEvidence,
  uncovered: boolean,
): Decision {
  const consensus = round(weightedMean(signals, weights))
  const phrasesAgree = signals.regex === null || signals.regex >= regexOfConsensusCrisis
  const byConsensus: RiskTier =
    consensus >= levelThresholds.CRISIS && phrasesAgree
      ? 'crisis'
      : consensus >= levelThresholds.CAUTION
        ? 'caution'
        : 'ok'
  let tier = worseTier(byConsensus, worseTier(floor, concern))
  if (uncovered) tier = worseTier(tier, 'caution')
  const floorDecides = floor !== 'ok' && worseTier(floor, byConsensus) !== byConsensus
  const level: RiskLevel =
    tier === 'crisis'
      ? 'CRISIS'
      : uncovered || byConsensus === 'caution' || tier === 'high' || floor === 'caution'
        ? 'CAUTION'
        : 'SAFE'
  const score = scoreWithin(tier, level, Math.max(consensus, floor === 'crisis' ? floorScore : 0))
  return { score, level, tier, decided_by: floorDecides ? 'floor' : 'consensus' }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
