/** What the engine is told of a message. */
import type { DetectionChoice } from '../../shared/detection.ts'
import type { PatternCategory, RiskTier } from '../../shared/risk.ts'
import type { DatedMarker } from './signals/index.ts'

export interface ConversationMessage {
  role: 'student' | 'assistant'
  text: string
}

export interface AssessmentInput {
  text: string
  /** When it was said, UTC milliseconds. */
  at: number
  /** Up to the last `recentMessages` messages before it. */
  recent: readonly ConversationMessage[]
  /** The student's markers of the last 30 days. */
  history: readonly DatedMarker[]
  /** Student messages of the rolling window, oldest first. */
  previous: readonly { tier: RiskTier; sentiment: number; categories: readonly PatternCategory[] }[]
  /** What the student's school has chosen; absent = what the engine was made with. */
  detection?: DetectionChoice | undefined
}

/** Messages of the conversation that are read beside the new one. */
export const recentMessages = 3

/** Student messages of a session that the rolling window holds. */
export const rollingWindow = 10
