/** How tiers, and what decided them, are named: on the screens and in the terminal alike. */
import type { DecidedBy, RiskTier } from './risk.ts'

export const tierNames: Readonly<Record<RiskTier, string>> = {
  crisis: 'Crisis',
  high: 'High',
  caution: 'Caution',
  ok: 'None seen',
}

export const decidedByWords: Readonly<Record<DecidedBy, string>> = {
  floor: 'decided by this message alone',
  consensus: 'decided by all signals together',
  adapter: 'raised by an added detector',
}
