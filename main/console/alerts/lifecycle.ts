import { createHash } from 'node:crypto'
import { coverageOf, defaultDueAfter, defaultNextAction, reduceAlerts, type Alert } from '../../../shared/alerts.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import type { AlertActionEvent, AlertActionKind, Disposition } from '../../../shared/events.ts'
import type { Person } from '../../../shared/people.ts'
import { appendAudit } from '../../audit/index.ts'
import { minutes } from '../../../shared/time.ts'
import type { Clock, Randomness } from '../../platform/ports.ts'
import type { Database, EventLog } from '../../store/console/index.ts'
import { sessionReader } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import { acknowledgementMessage } from './wire-message.ts'
import { enqueue } from '../../store/console/index.ts'

/** What a person does about an alert. */
export interface ActionInput {
  kind: AlertActionKind
  /** Trigger ids the person had before them; all of the alert's when absent. */
  trigger_ids?: readonly string[] | undefined
  next_action?: string | undefined
  due_at?: number | undefined
  owner?: Pick<Person, 'id' | 'name'> | undefined
  to?: Pick<Person, 'id' | 'name'> | undefined
  note?: string | undefined
  disposition?: Disposition | undefined
  reason?: string | undefined
  /** When it was done; now when absent. */
  at?: number | undefined
}

export interface Lifecycle {
  /** The alert behind a key or alias, reduced from its session; null when there is none. */
  find(key: string): Alert | null
  /** Every alert of a session; school '' = unknown. */
  ofSession(schoolId: string, sessionId: string): Alert[]
  /**
   * Records one action: log, projections, audit and outbox in one transaction, durable when it
   * returns. Throws ConsoleError `alert_unknown` when no such alert exists.
   */
  act(key: string, by: Person, input: ActionInput): { ackId: string; alert: Alert }
  /** The clock's own action: a plan whose due time passed opens its alert again. */
  reopenOverdue(key: string): void
}

export interface LifecycleOptions {
  db: Database
  eventLog: EventLog
  changes: Changes
  clock: Clock
  randomness: Randomness
  consoleId: string
  /** False where no acknowledgement queue is configured: actions stay here. */
  hasAckQueue: boolean
}

const system: Person = { id: 'system', name: 'The clock', role: 'ADMIN', school_id: '' }

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { db, eventLog, changes, clock, randomness, consoleId } = options
  const readSession = sessionReader(db)
  const aliasOf = db.prepare('SELECT key, school_id, session_id FROM alert_keys WHERE alias = ?')

  const ofSession = (schoolId: string, sessionId: string): Alert[] => {
    const { triggers, actions } = readSession(schoolId, sessionId)
    return reduceAlerts(triggers, actions)
  }
  const find = (key: string): Alert | null => {
    const row = aliasOf.get(key) as { key: string; school_id: string; session_id: string } | undefined
    return row ? (ofSession(row.school_id, row.session_id).find((alert) => alert.key === row.key) ?? null) : null
  }

  const record = (alert: Alert, by: Person, input: ActionInput, ackId: string): void => {
    const event = toEvent(alert, by, input, ackId)
    const school_id = alert.school_id ?? ''
    changes.commit((altered) => {
      altered.add(
        eventLog.append([
          { event, school_id, identity: `console:${ackId}`, origin: 'console', received_at: clock.now() },
        ]),
      )
      appendAudit(db, {
        at: event.at,
        who: by.id,
        role: by.role,
        what: `alert.${input.kind}`,
        subject: `alert ${alert.key}`,
        why: input.disposition ?? input.reason ?? '',
        console_id: consoleId,
      })
      // Having looked at an alert concerns nobody else.
      if (input.kind !== 'seen' && options.hasAckQueue) {
        const message = acknowledgementMessage(event)
        enqueue(db, {
          id: ackId,
          group: alert.session_id,
          event_type: message.event_type,
          body: JSON.stringify(message),
          at: clock.now(),
        })
        altered.add({ queued: true })
      }
    })
  }

  const toEvent = (alert: Alert, by: Person, input: ActionInput, ackId: string): AlertActionEvent => {
    const at = input.at ?? timeAfter(alert, clock.now())
    const covered = input.trigger_ids
      ? alert.triggers.filter(({ id }) => input.trigger_ids?.includes(id))
      : alert.triggers
    // What was on screen is no longer in this alert: acting on the rest would cover what nobody saw.
    if (covered.length === 0) throw alertChanged()
    const triggers = covered
    const plan = input.kind === 'acknowledged' || input.kind === 'taken_over'
    return {
      schema_version: 1,
      event_type: 'ALERT_ACTION',
      event_id: ackId,
      idempotency_key: ackId,
      ack_id: ackId,
      action: input.kind,
      timestamp: at,
      at,
      session_id: alert.session_id,
      student_hash: alert.student_hash,
      ...(alert.school_id !== null && { school_id: alert.school_id }),
      alert_key: alert.key,
      covers: [...new Set(triggers.map(({ idempotency_key }) => idempotency_key))],
      trigger_ids: triggers.map(({ id }) => id),
      covered: coverageOf(triggers),
      console_id: consoleId,
      by: by.id,
      by_name: by.name,
      ...given({
        next_action: input.next_action ?? (plan ? (alert.next_action ?? defaultNextAction) : undefined),
        due_at: input.due_at ?? (plan ? at + defaultDueAfter : undefined),
        owner: input.owner?.id ?? (plan ? by.id : undefined),
        owner_name: input.owner?.name ?? (plan ? by.name : undefined),
        to: input.to?.id,
        to_name: input.to?.name,
        note: input.note,
        disposition: input.disposition,
        reason: input.reason,
      }),
    }
  }

  return {
    find,
    ofSession,
    act(key, by, input) {
      const alert = find(key)
      if (!alert) throw unknownAlert()
      const ackId = randomness.uuid()
      record(alert, by, input, ackId)
      return { ackId, alert: find(alert.key) ?? alert }
    },
    reopenOverdue(key) {
      const alert = find(key)
      if (alert?.state !== 'acknowledged' || alert.due_at === null || alert.due_at > clock.now()) return
      // The same on every console, so that two of them re-open once.
      const ackId = createHash('sha256').update(`overdue ${alert.acknowledged?.id} ${alert.due_at}`).digest('hex')
      record(alert, system, { kind: 'reopened', due_at: alert.due_at, reason: 'due time passed' }, ackId)
    },
  }
}

/** How far another console's clock may run ahead of ours before its times are not followed. */
const clockSkew = minutes(1)

/** Now, but after everything the person could see done already: two clocks, or one millisecond, must not turn it round. */
function timeAfter(alert: Alert, now: number): number {
  const times = alert.history.map(({ action }) => action.at).filter((at) => at >= now && at < now + clockSkew)
  return times.reduce((latest, at) => Math.max(latest, at + 1), now)
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function alertChanged(): ConsoleError {
  return new ConsoleError({
    code: 'alert_changed',
    happened: 'The alert has changed while you looked at it.',
    safe: 'Nothing was recorded.',
    todo: 'Look at it again; it shows what is there now.',
  })
}

function unknownAlert(): ConsoleError {
  return new ConsoleError({
    code: 'alert_unknown',
    happened: 'This alert is not known here any more.',
    safe: 'Nothing was changed.',
    todo: 'Look at the list again; it may have been merged with an earlier alert of the same session.',
  })
}
