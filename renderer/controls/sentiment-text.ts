import { sentimentBand } from '../../shared/assessment.ts'
import { opensAlert, type RiskTier } from '../../shared/risk.ts'
import { words } from '../words/index.ts'

/**
 * “sentiment −0.42 negative” of a message or a session; null where its (highest) tier raised an alert, since “0.00
 * neutral” beside what was said there would calm whoever reads it. `sentiment`: −1 to 1, null where there is none.
 */
export function sentimentText(sentiment: number | null, tier: RiskTier): string | null {
  if (sentiment === null || opensAlert(tier)) return null
  return words.sessions.sentiment(sentiment, words.sessions.band[sentimentBand(sentiment)])
}
