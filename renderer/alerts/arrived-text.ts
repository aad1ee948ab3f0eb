/** What is said aloud about alerts that have come: who and why, by categories alone. Times are UTC milliseconds. */
import { saysLateAfter } from '../../shared/thresholds.ts'
import { tierRank } from '../../shared/risk.ts'
import type { AlertRow } from '../../shared/views.ts'
import { spokenLength, studentName } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { reopenedText, whyText } from './row-text.ts'

const text = words.alerts.arrived

/** As many are said one by one; of more, the worst is said and the rest counted. */
const few = 3

/** One sentence for alerts that came together: crises first, then the latest. `rows` is not empty. */
export function arrivalSentence(rows: readonly AlertRow[], now: number): string {
  const sorted = rows.toSorted((a, b) => tierRank(b.tier) - tierRank(a.tier) || b.last_trigger_at - a.last_trigger_at)
  if (sorted.length <= few) return sorted.map((row) => alertSentence(row, now)).join('. ')
  const [worst, ...rest] = sorted as [AlertRow, ...AlertRow[]]
  const crises = rest.filter(({ tier }) => tier === 'crisis').length
  return `${alertSentence(worst, now)}${text.more(rest.length, crises)}`
}

/** One alert. A late one says so first, and so does one that waited unheard. */
function alertSentence(row: AlertRow, now: number): string {
  const crisis = row.tier === 'crisis'
  const student = studentName(row.student)
  // What somebody holds is news to its receiver, or to its giver once the receiver has declined.
  if (row.state === 'acknowledged')
    return row.hand_off_to
      ? (crisis ? text.crisisHanded : text.highHanded)(row.owner?.name ?? '', student, whyText(row))
      : text.declined(student, whyText(row))
  if (row.reopened !== null)
    return (crisis ? text.crisisAgain : text.highAgain)(student, whyText(row), reopenedText(row.reopened.reason))
  const sentence = (crisis ? text.crisis : text.high)(student, whyText(row))
  if (row.late_by_ms !== null) return `${words.alerts.row.late(spokenLength(row.late_by_ms))}. ${sentence}`
  return now - row.received_at > saysLateAfter
    ? `${text.waiting(spokenLength(now - row.received_at))}. ${sentence}`
    : sentence
}
