import type { StudentRow } from '../../shared/views.ts'
import { words } from '../words/index.ts'

/**
 * Where a student's risk is going, or nothing. Below caution there is none: “None seen · risk rising” says two
 * things. Beside an open alert only a rise is told: a fall takes back nothing of what was said.
 */
export function trendText({ tier, trend, open_alerts }: Pick<StudentRow, 'tier' | 'trend' | 'open_alerts'>): string {
  if (tier === 'ok' || (open_alerts > 0 && trend !== 'declining')) return ''
  return words.students.trend[trend]
}
