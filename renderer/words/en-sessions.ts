/** Words of the Sessions screen and of session review. */
import type { SentimentBand } from '../../shared/assessment.ts'
import type { SessionRow } from '../../shared/views.ts'
import { plural } from '../../shared/numbers.ts'

const status: Record<SessionRow['status'], string> = { active: 'In progress', ended: 'Ended', escalated: 'Escalated' }
const band: Record<SentimentBand, string> = { positive: 'positive', neutral: 'neutral', negative: 'negative' }

export const sessions = {
  list: 'Sessions',
  review: 'Session review',
  search: 'Search sessions',
  searchHint: 'Name or pseudonym',
  back: 'All sessions',
  openStudent: 'Student page',
  columns: {
    student: 'Student',
    started: 'Started',
    status: 'Status',
    messages: 'Messages',
    tier: 'Highest tier',
    sentiment: 'Sentiment',
    length: 'Length',
  },
  total: (count: number) => plural(count, { one: '# session', other: '# sessions' }),
  empty: 'No sessions yet.',
  emptyHint: 'A session appears here as soon as a student starts a chat.',
  none: 'No matching sessions.',
  noneHint: 'Try fewer letters.',
  messages: (count: number) => plural(count, { one: '# message', other: '# messages' }),
  status,
  /** Of a session that raised an alert. */
  escalated: { active: 'Escalated, in progress', ended: 'Escalated, ended' },
  started: 'started',
  recorded: 'Opening a transcript is recorded.',
  transcript: 'Transcript',
  markers: 'Markers',
  summary: 'Summary',
  loading: 'Opening the session…',
  role: { student: 'Student', assistant: 'Assistant' },
  messageName: (role: string, number: number) => `${role}, message ${number}`,
  sentiment: (value: number, name: string) =>
    `sentiment ${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)} ${name}`,
  band,
  score: (score: number) => `score ${score.toFixed(2)}`,
  aboutOther: 'about someone else',
  noText: 'The words of this message are not kept here.',
  noTranscript:
    'This school does not send transcripts to consoles. Tier, score, markers, and summary are shown; the words stay at the school.',
  noMessages: 'No messages yet. They appear here as they are analyzed.',
  flagged: (category: string, meaning: string | null) => (meaning ? `${category}: ${meaning}` : category),
  setAside: 'set aside',
  legend: 'Solid underline: words that matched a pattern. Dotted: a match set aside because of its context.',
  markersEmpty:
    'No markers. A phrase about sleep, worry, mood, or another PHQ-9 or GAD-7 item will appear here, with the words themselves.',
  markersNote: 'What the words may say about a questionnaire item. An estimate from conversation.',
  confidence: (confidence: number) => `confidence ${confidence.toFixed(2)}`,
  jump: (number: number) => `Go to message ${number}`,
  noEvidenceText: 'the words are not stored here',
  unopenedText: 'the words cannot be opened here',
  summaryWaiting: 'The summary will appear when the session ends.',
  summaryMissing: 'This session ended without a summary.',
  duration: 'Duration',
  messageCount: 'Messages',
  sentimentTitle: 'Sentiment',
  sentimentWithheld: 'Not shown, because an alert was raised in this session.',
  average: 'average',
  trend: { improving: 'improving', stable: 'stable', declining: 'declining' },
  bands: (positive: number, neutral: number, negative: number) =>
    `${positive} positive, ${neutral} neutral, ${negative} negative`,
  top: 'Strongest messages',
  topTurn: (number: number, value: string) => `message ${number}: ${value}`,
  highest: 'Highest tier',
  tierCounts: 'Messages by tier',
  flaggedCategories: 'Flagged',
  noFlagged: 'nothing flagged',
  resources: 'Suggested resources',
  noResources: 'none',
  notes: 'Notes',
  noNotes: 'none',
  metadata: 'Channel',
  estimateNotice: 'An estimate from conversation, not a questionnaire score.',
}
