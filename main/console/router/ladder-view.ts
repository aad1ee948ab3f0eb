import type { Alert } from '../../../shared/alerts.ts'
import { toldFrom } from '../../../shared/escalation/index.ts'
import { clockSkew } from '../../../shared/thresholds.ts'
import type { LadderView, NotificationView } from '../../../shared/views.ts'
import { counselorOf, notificationsOf, type NotificationRow } from '../../store/console/index.ts'
import { colleagues } from './colleague.ts'
import type { Caller } from './context.ts'

/** What the ladder did about an alert, with the names of those whom this console knows, and what it does next. */
export function ladderView(ctx: Caller, alert: Alert): LadderView {
  const rows = notificationsOf(ctx.parts.db, alert)
  const next = nextStep(alert, rows)
  return {
    told: notificationViews(ctx, rows),
    next: next && { at: next.at, who: namesOf(ctx, alert, next) },
  }
}

/** Everything the ladder did about an alert, oldest first. */
export function notificationsAbout(ctx: Caller, alert: Alert): NotificationView[] {
  return notificationViews(ctx, notificationsOf(ctx.parts.db, alert))
}

function notificationViews(ctx: Caller, rows: readonly NotificationRow[]): NotificationView[] {
  if (rows.length === 0) return []
  const names = namesKnown(ctx)
  return rows.map(({ id, escalated, layer, rung, channel, person, at, outcome, outcome_at, reason, ...row }) => ({
    ...{ id, layer, rung, channel, at, outcome, outcome_at, reason },
    escalated: escalated === 1,
    to_name: (person === null ? undefined : names.get(person)) ?? null,
    late_by_ms: row.late === 0 ? null : row.due_at === null ? 0 : Math.max(0, at - row.due_at),
  }))
}

interface NextStep {
  at: number
  /** Of the rung before it; null = that is not known. */
  after: number | null
}

/** The step that the ladder named last, while it still runs: nobody holds the alert, or an urgent hand-off is not answered. */
function nextStep(alert: Alert, rows: readonly NotificationRow[]): NextStep | null {
  const { state, reopened, hand_off } = alert
  const waits = hand_off?.urgent === true
  if (state !== 'open' && !(state === 'acknowledged' && waits)) return null
  // What was said before that is no longer to come.
  const since = Math.max(state === 'open' ? (reopened?.at ?? 0) : (hand_off?.at ?? 0), 0) - clockSkew
  const said = rows
    .filter(({ next_said_at }) => next_said_at !== null && next_said_at >= since)
    .sort((a, b) => (a.next_said_at ?? 0) - (b.next_said_at ?? 0) || (a.next_at ?? 0) - (b.next_at ?? 0))
    .at(-1)
  return said?.next_at == null ? null : { at: said.next_at, after: said.rung }
}

/** Whom the school's own policy tells at the next step, by the ways that its station has; the last rung comes again. */
function namesOf(ctx: Caller, alert: Alert, { at, after }: NextStep): string[] {
  const { parts, person } = ctx
  const policy = parts.directory.view(person).kept?.policy
  if (!policy || after === null) return []
  const rung = Math.min(after + 1, policy.on_call.ladders[alert.tier].rungs.length - 1)
  const student = { school_id: person.school_id, student_hash: alert.student_hash }
  // While an urgent hand-off waits, the ladder is that of whom it was handed to.
  const assigned = (alert.state === 'acknowledged' ? alert.hand_off?.to : undefined) ?? counselorOf(parts.db, student)
  const { tier } = alert
  return toldFrom(policy, rung, at, { tier, assigned, ways: parts.waysOfStation() }).map(({ name }) => name)
}

function namesKnown(ctx: Caller): Map<string, string> {
  const listed = ctx.parts.directory.view(ctx.person).kept?.policy.people ?? []
  return new Map([...listed, ...colleagues(ctx)].map(({ id, name }) => [id, name]))
}
