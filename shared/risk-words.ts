/** How tiers, categories, and what decided a tier are named: on the screens and in the terminal alike. */
import type { DecidedBy, PatternCategory, RiskTier } from './risk.ts'

export const tierNames: Readonly<Record<RiskTier, string>> = {
  crisis: 'Crisis',
  high: 'High',
  caution: 'Caution',
  ok: 'None seen',
}

/** A category by its wire name with spaces; “self-harm” as English spells it. */
export const categoryNames: Readonly<Record<PatternCategory, string>> = {
  suicidal_intent: 'suicidal intent',
  suicidal_ideation: 'suicidal ideation',
  harm_to_others: 'harm to others',
  self_harm: 'self-harm',
  abuse_disclosure: 'abuse disclosure',
  coded_language: 'coded language',
  hopelessness: 'hopelessness',
  disordered_eating: 'disordered eating',
  running_away: 'running away',
}

export const decidedByWords: Readonly<Record<DecidedBy, string>> = {
  floor: 'decided by this message alone',
  consensus: 'decided by all signals together',
  adapter: 'raised by an added detector',
}
