import { createHash } from 'node:crypto'
import { actionMessage } from '../../../shared/action-message.ts'
import { kindsOfVersion2, type Action } from '../../../shared/actions.ts'
import { coverageOf, isAnsweredBy, mayWithdraw, type Alert } from '../../../shared/alerts.ts'
import { clockSkew, defaultDueAfter, defaultNextAction, undoAcceptedFor } from '../../../shared/thresholds.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import type { AlertActionEvent } from '../../../shared/events.ts'
import type { Person } from '../../../shared/people.ts'
import { keepRecord, type RecordingOptions } from '../recording.ts'

/** What a person does about an alert. What an acknowledgement says nothing of, the lifecycle fills in. */
export type Doing = Action & {
  /** Trigger ids the person had before them; all of the alert's when absent. */
  trigger_ids?: readonly string[] | undefined
}

export interface Lifecycle {
  /** The alert behind a key or alias, reduced from its session; null when there is none. */
  find(key: string): Alert | null
  /**
   * Records one action: event log, projections, audit and outbox in one transaction, durable when it
   * returns. The same `callId` of the same person is the same action: a second one changes nothing. Throws
   * ConsoleError `alert_unknown` when no such alert exists.
   */
  act(key: string, by: Person, doing: Doing, callId?: string | null): { ackId: string; alert: Alert }
  /** The clock's own action: a plan whose due time passed opens its alert again. */
  reopenOverdue(key: string): void
}

const system: Person = { id: 'system', name: 'The clock', role: 'ADMIN', school_id: '' }

export function createLifecycle(options: RecordingOptions): Lifecycle {
  const { eventLog, clock, randomness, consoleId } = options
  const record = (alert: Alert, by: Person, doing: Doing, { ackId, at }: { ackId: string; at: number }): void => {
    const event = toEvent(alert, by, doing, { ackId, at })
    keepRecord(options, {
      event,
      school_id: alert.school_id ?? '',
      audit: { role: by.role, what: `alert.${event.action}`, subject: `alert ${alert.key}`, why: whyOf(event) },
      // Having looked at an alert concerns nobody else.
      send:
        event.action === 'seen'
          ? null
          : {
              group: alert.session_id,
              message: actionMessage(event),
              keep: publishedWords(event),
              sealedOnly: kindsOfVersion2.has(event.action),
            },
    })
  }

  const toEvent = (
    alert: Alert,
    by: Person,
    { trigger_ids: seen, ...action }: Doing,
    { ackId, at }: { ackId: string; at: number },
  ): AlertActionEvent => {
    const covered = seen ? alert.triggers.filter(({ id }) => seen.includes(id)) : alert.triggers
    // What was on screen is no longer in this alert: acting on the rest would cover what nobody saw.
    if (covered.length === 0) throw alertChanged()
    return {
      schema_version: kindsOfVersion2.has(action.action) ? 2 : 1,
      event_type: 'ALERT_ACTION',
      event_id: ackId,
      idempotency_key: ackId,
      ack_id: ackId,
      timestamp: at,
      at,
      session_id: alert.session_id,
      student_hash: alert.student_hash,
      school_id: alert.school_id ?? undefined,
      alert_key: alert.key,
      covers: [...new Set(covered.map(({ idempotency_key }) => idempotency_key))],
      trigger_ids: covered.map(({ id }) => id),
      covered: coverageOf(covered),
      console_id: consoleId,
      by: by.id,
      by_name: by.name,
      ...completed(action, alert, by, clock.now()),
    }
  }

  return {
    find: (key) => eventLog.alertBehind(key),
    act(key, by, doing, callId = null) {
      const alert = eventLog.alertBehind(key)
      if (!alert) throw unknownAlert()
      // A digest: nobody chooses the id of a record, which may be that of a colleague's.
      const ackId = callId === null ? randomness.uuid() : digestOf(`call ${consoleId} ${by.id} ${callId}`)
      const isNew = !alert.history.some(({ action }) => action.id === ackId)
      if (doing.action === 'withdrawn' && isNew) {
        const said = eventLog.alertsOf(alert.school_id ?? '', alert.session_id).flatMap(({ triggers }) => triggers)
        checkUndo(alert, by, doing.record, { now: clock.now(), lastSaid: Math.max(...said.map(({ at }) => at)) })
      }
      record(alert, by, doing, { ackId, at: timeAfter(alert, clock.now()) })
      return { ackId, alert: eventLog.alertBehind(alert.key) ?? alert }
    },
    reopenOverdue(key) {
      const alert = eventLog.alertBehind(key)
      const now = clock.now()
      if (alert?.state !== 'acknowledged' || alert.due_at === null || alert.due_at > now) return
      const { due_at, acknowledged, history } = alert
      // One that did not take, because the action it answers stands after it, is followed by another.
      const earlier = history.filter(({ action }) => !action.refused && isReopeningByClock(action)).length
      // The same on every console, so that two of them re-open once; one plan may be that of two alerts.
      const answered = `overdue ${alert.key} ${acknowledged?.id} ${due_at} ${earlier}`
      const ackId = digestOf(answered)
      const others = eventLog
        .alertsOf(alert.school_id ?? '', alert.session_id)
        .filter((other) => other.key !== alert.key)
      const at = timeAfterAll(alert, others, now)
      record(alert, system, { action: 'reopened', due_at, reason: 'due time passed' }, { ackId, at })
    },
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Now, but after everything the person could see done already: two clocks, or one millisecond, must not turn it round. */
function timeAfter(alert: Alert, now: number): number {
  const actions = standing(alert)
  // The clock's own word stands after a plan however wrong that one's clock was; an answer to it stands after both.
  const reopened = actions.filter(isReopeningByClock).map(({ at }) => at)
  const horizon = Math.max(now, ...reopened) + clockSkew
  const times = actions.map(({ at }) => at).filter((at) => at >= now && at < horizon)
  return times.reduce((latest, at) => Math.max(latest, at + 1), now)
}

/**
 * Now, but after every action about the alert, however far ahead its clock was: what stands before the
 * plan it re-opens would change nothing. An action stands after what it names of other alerts, too.
 */
function timeAfterAll(alert: Alert, others: readonly Alert[], now: number): number {
  const actions = standing(alert)
  const named = new Set(actions.flatMap(({ covers }) => covers))
  const triggers = others
    .flatMap((other) => other.triggers)
    .filter(({ id, idempotency_key }) => named.has(id) || named.has(idempotency_key))
  return [...actions, ...triggers].reduce((latest, { at }) => Math.max(latest, at + 1), now)
}

/** What was done about an alert, without what a station refused: no clock of a stranger moves ours. */
function standing(alert: Alert): Alert['history'][number]['action'][] {
  return alert.history.map(({ action }) => action).filter(({ refused }) => refused === undefined)
}

function isReopeningByClock({ action, by }: { action: Action['action']; by: string }): boolean {
  return action === 'reopened' && by === system.id
}

/** Who takes an alert has a plan: their own, the one that stands, or the default; never one that is overdue already. */
function completed(action: Action, alert: Alert, by: Person, done: number) {
  const due_at = done + defaultDueAfter
  if (action.action === 'hand_off_accepted') {
    return alert.due_at === null || alert.due_at <= done ? { ...action, due_at } : action
  }
  if (action.action !== 'acknowledged' && action.action !== 'taken_over') return action
  const owner = {
    owner: action.owner ?? by.id,
    owner_name: action.owner === undefined ? by.name : action.owner_name,
  }
  // What was promised for later stays for later: who takes over keeps it as it is.
  const stands = alert.due_at !== null && alert.due_at > done
  const says = action.next_action !== undefined || action.due_at !== undefined
  if (action.action === 'taken_over' && stands && !says) return { ...action, ...owner }
  const overdue = stands ? null : alert.next_action
  return {
    ...action,
    ...owner,
    next_action: action.next_action ?? overdue ?? defaultNextAction,
    due_at: action.due_at ?? due_at,
  }
}

function whyOf(event: AlertActionEvent): string {
  if (event.action === 'resolved') return [event.disposition, event.reason].filter(Boolean).join(': ')
  return event.action === 'reopened' ? (event.reason ?? '') : ''
}

/** The acknowledgement in its published form says the default plan in the clear, which quotes nobody. */
function publishedWords(event: AlertActionEvent): string[] {
  return event.action === 'acknowledged' && event.next_action === defaultNextAction ? ['next_action'] : []
}

/** Undo is for what one did oneself, a moment ago. Throws ConsoleError `undo_over`. */
function checkUndo(
  alert: Alert,
  by: Person,
  record: string,
  { now, lastSaid }: { now: number; lastSaid: number },
): void {
  const done = alert.history.find(({ action, withdrawn }) => action.id === record && !withdrawn)
  if (done && alert.history.some(({ action, applied }) => applied && isAnsweredBy(done.action, action)))
    throw answered()
  if (done?.action.action === 'resolved' && lastSaid > done.action.at) throw saidSince()
  if (done && mayWithdraw(done.action) && done.action.by === by.id && now - done.action.at <= undoAcceptedFor) return
  throw new ConsoleError({
    code: 'undo_over',
    happened: 'This can no longer be undone.',
    safe: 'What was recorded stands, and nothing was changed.',
    todo: 'Add a note or a correction; it is shown beside what it corrects.',
  })
}

function answered(): ConsoleError {
  return new ConsoleError({
    code: 'undo_over',
    happened: 'A colleague has acted on this since, so it can no longer be undone.',
    safe: 'What you and they recorded stands, and nothing was changed.',
    todo: 'Look at who holds the alert now, and talk to them.',
  })
}

function saidSince(): ConsoleError {
  return new ConsoleError({
    code: 'undo_over',
    happened: 'The student has said more since, so this can no longer be undone.',
    safe: 'The new alert stands open, and nothing was changed.',
    todo: 'Open the new alert. Reopen this one if it is needed.',
  })
}

function alertChanged(): ConsoleError {
  return new ConsoleError({
    code: 'alert_changed',
    happened: 'The alert changed while you were looking at it.',
    safe: 'Nothing was recorded.',
    todo: 'Look at it again; it now shows the latest.',
  })
}

function unknownAlert(): ConsoleError {
  return new ConsoleError({
    code: 'alert_unknown',
    happened: 'This alert no longer exists here.',
    safe: 'Nothing was changed.',
    todo: 'Check the list; it may have been merged with an earlier alert from the same session.',
  })
}
