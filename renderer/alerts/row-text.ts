/** What a row of the inbox says. Pure: times are UTC milliseconds, `now` is passed in. */
import type { ReopenReason } from '../../shared/alerts.ts'
import { waitsSince } from '../../shared/inbox-order.ts'
import { acknowledgeTarget } from '../../shared/thresholds.ts'
import type { AlertDetail, AlertRow } from '../../shared/views.ts'
import { countdownText, lengthText, whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** Why it is an alert, in one line: its categories, most severe first. */
export function whyText(row: Pick<AlertRow, 'categories' | 'about_other'>): string {
  const said = row.categories.map((name) => words.category[name])
  const why = said.length > 0 ? words.common.list(said) : words.alerts.row.noCategory
  return row.about_other ? `${words.alerts.row.aboutOther}: ${why}` : why
}

/** The clock of an unacknowledged alert against the target; null when it has none, as what was only told of a past. */
export function countdown(
  row: Pick<AlertRow, 'state' | 'received_at' | 'reopened' | 'only_past'>,
  now: number,
): { text: string; over: boolean } | null {
  if (row.state !== 'open' || row.only_past) return null
  // A clock that was set back gives nobody more time than there ever was.
  const left = Math.min(waitsSince(row) + acknowledgeTarget - now, acknowledgeTarget)
  return left >= 0
    ? { text: words.alerts.row.within(countdownText(left)), over: false }
    : { text: words.alerts.row.over(countdownText(-left)), over: true }
}

/** Who holds it and until when, or how it ended. Null while nobody holds it. */
export function holderText(row: AlertRow, me: string, now: number): string | null {
  const text = words.alerts.row
  if (row.state === 'resolved') return text.resolved(row.disposition ? words.alerts.disposition[row.disposition] : '')
  if (row.only_past) return text.onlyPast
  if (row.hand_off_to?.id === me && row.owner) return text.handedToMe(row.owner.name)
  if (row.hand_off_to && row.owner) return `${row.owner.name} → ${text.handOffTo(row.hand_off_to.name)}`
  if (row.state === 'open' || !row.owner) return null
  const holder = row.owner.id === me ? text.mine : text.heldBy(row.owner.name)
  if (row.due_at === null) return holder
  return `${holder} · ${row.due_at >= now ? text.due(whenText(row.due_at, now)) : text.overdue(lengthText(now - row.due_at))}`
}

export function reopenedText(reason: ReopenReason): string {
  return words.alerts.reopened[reason]
}

/** The same of an alert whose actions are known: by whom, too, where a person did it. `me`: their own id. Null = it was not. */
export function reopenedByText(
  { reopened, actions }: Pick<AlertDetail, 'reopened' | 'actions'>,
  me: string,
): string | null {
  if (reopened === null) return null
  if (reopened.reason !== 'by a person') return reopenedText(reopened.reason)
  const done = actions.find(({ kind, at, applied }) => kind === 'reopened' && applied && at === reopened.at)
  if (!done) return reopenedText(reopened.reason)
  return words.alerts.reopenedBy(done.by === me ? null : done.by_name)
}
