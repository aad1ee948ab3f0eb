/** Words of the Students screen. */
import type { RiskTier } from '../../shared/risk.ts'
import type { StudentRow } from '../../shared/views.ts'
import { plural } from '../../shared/numbers.ts'
import { tierNames } from '../../shared/risk-words.ts'

/** Beside a risk score, “declining” could mean either; these words cannot. */
const trend: Record<StudentRow['trend'], string> = {
  improving: 'risk falling',
  stable: 'steady',
  declining: 'risk rising',
  unknown: 'not enough data',
}

const filter: Record<RiskTier | 'any', string> = {
  any: 'All tiers',
  ...tierNames,
}

export const students = {
  list: 'Students',
  page: 'Student',
  search: 'Search students',
  searchHint: 'Name, pseudonym, class, counselor',
  tierLabel: 'Tier',
  filter,
  trend,
  columns: {
    tier: 'Tier, 7 days',
    student: 'Student',
    alerts: 'Alerts',
    spark: 'Score, 30 days',
    trend: 'Trend',
    last: 'Last message',
    score: 'Score, 7 days',
    sessions: 'Sessions',
    counselor: 'Counselor',
  },
  back: 'All students',
  total: (count: number) => plural(count, { one: '# student', other: '# students' }),
  order: 'Open alerts first, then by the highest tier of the last 7 days.',
  openAlerts: (count: number) => plural(count, { one: '# open alert', other: '# open alerts' }),
  sessions: (count: number) => plural(count, { one: '# session', other: '# sessions' }),
  lastMessage: 'last message',
  noMessage: 'no message yet',
  score: (score: number) => `score ${score.toFixed(2)}`,
  empty: 'No students yet.',
  emptyHint:
    'Students appear here with their first message. They are shown by pseudonym until an admin imports the roster in Settings.',
  none: 'No matching students.',
  noneHint: 'Try fewer letters, or choose all tiers.',
  tierNotice: 'Highest tier of the last 7 days. An estimate from conversation, not a questionnaire score.',
  counselor: (name: string) => `counselor ${name}`,
  ranges: { label: 'Range', day: '24 h', week: '7 days', month: '30 days', all: 'All' },
  window: 'Window of the estimates',
  windowDays: (days: number) => `${days} days`,
  windowHint: 'The questionnaires themselves ask about the last 14 days.',
  sessionsTitle: 'Sessions',
  sessionsEmpty: 'No sessions yet. Each of the student’s conversations will appear here.',
  sessionsMore: 'Show more sessions',
  alertsTitle: 'Alerts in this range',
  raised: 'raised',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  notAcknowledged: 'not acknowledged yet',
  openAlert: 'Open alert',
  estimates: 'Estimates from conversation',
  recentAlert: 'An alert was raised in the last 7 days.',
  estimatesLower: 'An estimate never makes an alert less serious.',
  loading: 'Opening the student…',
}
