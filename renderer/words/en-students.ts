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
  unknown: 'too little to say',
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
    tier: 'Tier',
    student: 'Student',
    alerts: 'Alerts',
    spark: 'Daily highest',
    trend: 'Trend',
    last: 'Last message',
    score: 'Score',
    sessions: 'Sessions',
    counselor: 'Counselor',
  },
  back: 'All students',
  total: (count: number) => plural(count, { one: '# student', other: '# students' }),
  order: 'Open alerts first, then by the worst of the last 7 days.',
  openAlerts: (count: number) => plural(count, { one: '# open alert', other: '# open alerts' }),
  sessions: (count: number) => plural(count, { one: '# session', other: '# sessions' }),
  lastMessage: 'last message',
  noMessage: 'no message yet',
  score: (score: number) => `score ${score.toFixed(2)}`,
  empty: 'No students yet.',
  emptyHint:
    'A student appears here with the first message of a session. Students are pseudonyms until an admin imports the roster in Settings.',
  none: 'No student matches.',
  noneHint: 'Try fewer letters, or all tiers.',
  tierNotice: 'Highest tier of the last 7 days. An estimate from conversation, not a questionnaire score.',
  counselor: (name: string) => `counselor ${name}`,
  ranges: { label: 'Range', day: '24 h', week: '7 days', month: '30 days', all: 'All' },
  window: 'Window of the estimates',
  windowDays: (days: number) => `${days} days`,
  windowHint: 'The instruments themselves ask about 14 days.',
  sessionsTitle: 'Sessions',
  sessionsEmpty: 'No sessions yet. Each conversation of the student will appear here.',
  sessionsMore: 'Show more sessions',
  alertsTitle: 'Alerts in this range',
  raised: 'raised',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  notAcknowledged: 'not acknowledged yet',
  openAlert: 'Open alert',
  estimates: 'Estimates from conversation',
  loading: 'Opening the student…',
}
