/** The end-of-session summary: figures and names of categories, never a student's words. */
import { sentimentBand, type SentimentBand } from '../../shared/assessment.ts'
import type { MarkerType } from '../../shared/estimates.ts'
import type { SessionSummary } from '../../shared/events.ts'
import { plural } from '../../shared/numbers.ts'
import { worseTier, type PatternCategory, type RiskTier } from '../../shared/risk.ts'
import type { DetectionData } from './data/index.ts'
import { mean, trendNotes } from './signals/index.ts'

export interface SummaryInput {
  session_id: string
  user_id: string
  /** UTC milliseconds. */
  started_at: number
  ended_at: number
  messages: {
    sequence: number
    role: 'student' | 'assistant'
    at: number
    tier: RiskTier
    sentiment: number
    categories: PatternCategory[]
    markers: { marker_type: MarkerType }[]
  }[]
}

/** Sums up a session from the assessments of its messages. */
export function summarize(resources: DetectionData['resources'], session: SummaryInput): SessionSummary {
  const student = session.messages.filter(({ role }) => role === 'student')
  const sentiments = student.map(({ sentiment }) => sentiment)
  const bands: Record<SentimentBand, number> = { positive: 0, neutral: 0, negative: 0 }
  for (const sentiment of sentiments) bands[sentimentBand(sentiment)] += 1
  const tier_counts: Record<RiskTier, number> = { ok: 0, caution: 0, high: 0, crisis: 0 }
  for (const { tier } of student) tier_counts[tier] += 1
  const categories = [...new Set(student.flatMap((message) => message.categories))]
  const items = [...new Set(student.flatMap(({ markers }) => markers.map(({ marker_type }) => marker_type)))]
  return {
    session_id: session.session_id,
    user_id: session.user_id,
    duration_seconds: Math.max(0, Math.round((session.ended_at - session.started_at) / 1000)),
    message_count: session.messages.length,
    sentiment: { average: round(mean(sentiments)), trend: trendOf(sentiments), bands, top: topTurns(student) },
    risk: {
      highest_tier: student.reduce<RiskTier>((worst, { tier }) => worseTier(worst, tier), 'ok'),
      tier_counts,
      flagged_keywords: [...categories, ...items],
    },
    suggested_resources: suggest(resources, categories, items),
    notes: [...new Set([...trendNotes(student), ...escalationNotes(student)])],
  }
}

/** Compares the halves of the session; fewer than four turns show no trend. */
function trendOf(sentiments: readonly number[]): 'improving' | 'stable' | 'declining' {
  if (sentiments.length < 4) return 'stable'
  const half = Math.floor(sentiments.length / 2)
  const change = mean(sentiments.slice(half)) - mean(sentiments.slice(0, half))
  return change > 0.2 ? 'improving' : change < -0.2 ? 'declining' : 'stable'
}

function topTurns(student: SummaryInput['messages']): { sequence: number; sentiment: number }[] {
  const sorted = student
    .filter(({ sentiment }) => sentiment !== 0)
    .sort((a, b) => Math.abs(b.sentiment) - Math.abs(a.sentiment) || a.sequence - b.sequence)
  return sorted.slice(0, 5).map(({ sequence, sentiment }) => ({ sequence, sentiment }))
}

function escalationNotes(student: SummaryInput['messages']): string[] {
  const crises = student.filter(({ tier }) => tier === 'crisis')
  const high = student.filter(({ tier }) => tier === 'high')
  const notes: string[] = []
  if (crises.length > 0) notes.push(`crisis in ${messageCount(crises)}, first in message ${crises[0]!.sequence}`)
  if (high.length > 0) notes.push(`high risk in ${messageCount(high)}`)
  return notes
}

const messageCount = ({ length }: readonly unknown[]): string =>
  plural(length, { one: '# message', other: '# messages' })

/** Resources of the keyword map for categories and items, each once, in the order of severity given. */
function suggest(
  { resources, by_category, by_item }: DetectionData['resources'],
  categories: readonly PatternCategory[],
  items: readonly MarkerType[],
): SessionSummary['suggested_resources'] {
  const names = [
    ...categories.flatMap((category) => by_category[category] ?? []),
    ...items.flatMap((item) => by_item[item] ?? []),
  ]
  return [...new Set(names)].map((name) => {
    const { type, label, link } = resources[name]!
    return link === undefined ? { type, label } : { type, label, link }
  })
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000 || 0
