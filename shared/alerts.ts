/**
 * Alerts as a pure reduction over the set of a session's triggers and actions. The same set gives
 * the same alerts in any order of arrival, on every console; the database row is only a cache of it.
 */
import type { AlertActionKind, Disposition } from './events.ts'
import { coverageOf, isWorse, joinCoverage, type Coverage } from './coverage.ts'
import { patternCategories, worseTier, type PatternCategory } from './risk.ts'
import { minutes } from './time.ts'

export { coverageOf, isWorse, worseByScore, type Coverage } from './coverage.ts'

/** Triggers within this time of an alert's first trigger belong to it (milliseconds). */
export const groupingWindow = minutes(30)
/** Default plan of an acknowledgement. */
export const defaultNextAction = 'Contact the student'
export const defaultDueAfter = minutes(15)
/** The published target from notified to acknowledged (milliseconds). */
export const acknowledgeTarget = minutes(5)

/** One crisis event that opens or joins an alert. Times are UTC milliseconds. */
export interface Trigger {
  /** Identity: digest of the idempotency key and the canonical body, hex. */
  id: string
  idempotency_key: string
  session_id: string
  student_hash: string
  school_id: string | null
  at: number
  received_at: number
  tier: 'high' | 'crisis'
  score: number
  categories: PatternCategory[]
  about_other: boolean
  /** The message it speaks of; two events about one message are one moment. Null on legacy events. */
  message_id: string | null
  /** When the student said it, where the sender tells. */
  occurred_at: number | null
}

/** One thing a person (or the clock) did about an alert. */
export interface AlertAction {
  id: string
  kind: AlertActionKind
  at: number
  by: string
  by_name: string
  /** Trigger ids, or idempotency keys where the sender knew no ids. */
  covers: string[]
  covered: Coverage
  next_action?: string | undefined
  due_at?: number | undefined
  owner?: string | undefined
  owner_name?: string | undefined
  to?: string | undefined
  to_name?: string | undefined
  note?: string | undefined
  disposition?: Disposition | undefined
  reason?: string | undefined
}

export type AlertState = 'open' | 'acknowledged' | 'resolved'

export type ReopenReason = 'worse' | 'unseen when acknowledged' | 'due time passed' | 'by a person'

export interface Alert {
  /** Digest of the earliest trigger; may change when an earlier one arrives late. */
  key: string
  /** Every key this alert has or may have been known by. */
  aliases: string[]
  session_id: string
  student_hash: string
  school_id: string | null
  state: AlertState
  tier: 'high' | 'crisis'
  score: number
  categories: PatternCategory[]
  about_other: boolean
  triggers: Trigger[]
  opened_at: number
  received_at: number
  occurred_at: number | null
  last_trigger_at: number
  /** Times of triggers that came after an acknowledgement and were no worse (“again 10:42”). */
  again_at: number[]
  first_seen_at: number | null
  acknowledged: { id: string; at: number; by: string; by_name: string; covered: Coverage } | null
  /** When somebody first took it, whatever happened to it since: what the 5 minutes are measured to. */
  first_acknowledged_at: number | null
  owner: { id: string; name: string } | null
  next_action: string | null
  due_at: number | null
  hand_off: { to: string; to_name: string; by: string; by_name: string; at: number } | null
  reopened: { at: number; reason: ReopenReason } | null
  resolved: { at: number; by: string; by_name: string; disposition: Disposition; note: string } | null
  /** Keys of this session's earlier alerts, oldest first. */
  earlier: string[]
  /** Every action that names one of its triggers, in order; `applied` false = kept and shown, changed nothing. */
  history: { action: AlertAction; applied: boolean }[]
}

/** The key by which an alert that begins with this trigger is known. */
export function alertKey(earliest: Pick<Trigger, 'id'>): string {
  return earliest.id.slice(0, 32)
}

/**
 * The alerts of one session, oldest first, from the set of its triggers and actions in any order.
 * Duplicates (by id) count once. Actions that name no known trigger wait until one arrives.
 */
export function reduceAlerts(triggers: readonly Trigger[], actions: readonly AlertAction[]): Alert[] {
  // Two students under one session id are two alerts: neither may stand under the other's name.
  const students = new Set(triggers.map(({ student_hash }) => student_hash))
  const alerts = [...students].flatMap((student) =>
    reduceStudent(
      triggers.filter(({ student_hash }) => student_hash === student),
      actions,
    ),
  )
  alerts.sort((a, b) => a.opened_at - b.opened_at || compareText(a.key, b.key))
  alerts.forEach((alert, index) => {
    alert.earlier = alerts.slice(0, index).map(({ key }) => key)
  })
  return alerts
}

function reduceStudent(triggers: readonly Trigger[], actions: readonly AlertAction[]): Alert[] {
  const alerts: Alert[] = []
  const moments = new Map<string, Alert>()
  for (const step of inOrder(triggers, actions)) {
    if (step.trigger) addTrigger(alerts, moments, step.trigger)
    else applyAction(alerts, moments, step.action)
  }
  return alerts
}

type Step = { trigger: Trigger; action?: never } | { trigger?: never; action: AlertAction }

/**
 * Triggers and actions in one order. An action stands after every trigger it covers, even where the
 * two clocks disagree: nobody can act on what has not happened.
 */
function inOrder(triggers: readonly Trigger[], actions: readonly AlertAction[]): Step[] {
  const known = uniqueById(triggers)
  const latestCovered = (action: AlertAction): number => {
    const named = new Set(action.covers)
    return known.reduce((latest, trigger) => (names(named, trigger) ? Math.max(latest, trigger.at) : latest), action.at)
  }
  const steps = [
    ...known.map((trigger) => ({ at: trigger.at, done: -Infinity, id: trigger.id, step: { trigger } as Step })),
    ...uniqueById(actions).map((action) => ({
      at: latestCovered(action),
      done: action.at,
      id: action.id,
      step: { action } as Step,
    })),
  ]
  steps.sort((a, b) => a.at - b.at || (a.done === b.done ? compareText(a.id, b.id) : a.done - b.done))
  return steps.map(({ step }) => step)
}

/** Two events about one message are one moment: `moments` remembers which alert holds the message. */
function addTrigger(alerts: Alert[], moments: Map<string, Alert>, trigger: Trigger): void {
  const known = trigger.message_id === null ? undefined : moments.get(trigger.message_id)
  // A message that speaks again after the window is no second event about the same moment.
  const twin = known && trigger.at - known.last_trigger_at <= groupingWindow ? known : undefined
  const current =
    twin ?? alerts.findLast((alert) => alert.state !== 'resolved' && trigger.at - alert.opened_at <= groupingWindow)
  if (!current || (current.state === 'resolved' && isWorse(trigger, current))) {
    const opened = openAlert([trigger])
    alerts.push(opened)
    if (trigger.message_id !== null) moments.set(trigger.message_id, opened)
    return
  }
  join(current, trigger)
  if (trigger.message_id !== null) moments.set(trigger.message_id, current)
  if (current.state !== 'acknowledged' || current.acknowledged === null) return
  if (isWorse(trigger, current.acknowledged.covered)) reopen(current, trigger.at, 'worse')
  else if (!twin) current.again_at.push(trigger.at)
}

function applyAction(alerts: Alert[], moments: Map<string, Alert>, action: AlertAction): void {
  const named = new Set(action.covers)
  for (const alert of [...alerts]) {
    if (!alert.triggers.some((trigger) => names(named, trigger))) continue
    const split: Alert[] = []
    const applied = apply(alert, action, split)
    alert.history.push({ action, applied })
    if (action.by !== 'system' && (alert.first_seen_at === null || action.at < alert.first_seen_at))
      alert.first_seen_at = action.at
    for (const part of split) {
      alerts.push(part)
      for (const { message_id } of part.triggers) if (message_id !== null) moments.set(message_id, part)
    }
  }
}

/** Applies one action to one alert; true when it changed the alert. */
function apply(alert: Alert, action: AlertAction, split: Alert[]): boolean {
  if (action.kind === 'noted') return true
  if (action.kind === 'seen') return alert.first_seen_at === null
  if (action.kind === 'reopened') return applyReopen(alert, action)
  if (action.kind === 'resolved') return applyResolve(alert, action, split)
  if (alert.state === 'resolved') return false
  switch (action.kind) {
    case 'acknowledged':
      return applyAcknowledge(alert, action)
    case 'taken_over':
      hold(alert, action, { id: action.by, name: action.by_name })
      return true
    case 'handed_off':
      if (alert.owner?.id !== action.by || action.to === undefined) return false
      alert.hand_off = {
        to: action.to,
        to_name: action.to_name ?? action.to,
        by: action.by,
        by_name: action.by_name,
        at: action.at,
      }
      return true
    case 'hand_off_accepted':
      if (alert.hand_off?.to !== action.by) return false
      hold(alert, action, { id: action.by, name: action.by_name })
      return true
    case 'corrected':
      if (action.next_action !== undefined) alert.next_action = action.next_action
      if (action.due_at !== undefined) alert.due_at = action.due_at
      if (action.owner !== undefined) alert.owner = { id: action.owner, name: action.owner_name ?? action.owner }
      return true
  }
}

function applyAcknowledge(alert: Alert, action: AlertAction): boolean {
  if (alert.state === 'acknowledged' && alert.acknowledged) {
    // Somebody holds it already: the later one is kept and shown, and what it saw counts as seen.
    alert.acknowledged.covered = joinCoverage(alert.acknowledged.covered, coveredBy(alert, action))
    return false
  }
  hold(alert, action, { id: action.owner ?? action.by, name: action.owner_name ?? action.by_name })
  return true
}

/** Gives the alert an owner; it stays open when it holds something worse that the action did not cover. */
function hold(alert: Alert, action: AlertAction, owner: { id: string; name: string }): void {
  alert.state = 'acknowledged'
  const covered = coveredBy(alert, action)
  alert.acknowledged = { id: action.id, at: action.at, by: action.by, by_name: action.by_name, covered }
  alert.first_acknowledged_at ??= action.at
  alert.owner = owner
  alert.hand_off = null
  alert.reopened = null
  alert.next_action = action.next_action ?? alert.next_action
  alert.due_at = action.due_at ?? alert.due_at
  const unseen = uncovered(alert, action)
  if (unseen.some((trigger) => isWorse(trigger, covered))) reopen(alert, action.at, 'unseen when acknowledged')
  else alert.again_at = [...new Set([...alert.again_at, ...unseen.map(({ at }) => at)])].sort((a, b) => a - b)
}

function applyReopen(alert: Alert, action: AlertAction): boolean {
  if (alert.state === 'open') return false
  if (action.by === 'system') {
    // The clock re-opens only the plan it spoke of: an edited due time makes it void.
    if (alert.state !== 'acknowledged' || alert.due_at !== action.due_at) return false
    reopen(alert, action.at, 'due time passed')
    return true
  }
  alert.resolved = null
  reopen(alert, action.at, 'by a person')
  return true
}

function applyResolve(alert: Alert, action: AlertAction, split: Alert[]): boolean {
  if (alert.state === 'resolved' || action.disposition === undefined) return false
  const left = uncovered(alert, action)
  if (left.length > 0) {
    // What nobody saw is never closed with the rest.
    split.push(openAlert(left))
    const kept = alert.triggers.filter((trigger) => !left.includes(trigger))
    Object.assign(alert, summarise(kept))
    alert.again_at = alert.again_at.filter((at) => kept.some((trigger) => trigger.at === at))
  }
  alert.state = 'resolved'
  alert.reopened = null
  alert.hand_off = null
  alert.resolved = {
    at: action.at,
    by: action.by,
    by_name: action.by_name,
    disposition: action.disposition,
    note: action.note ?? '',
  }
  return true
}

function reopen(alert: Alert, at: number, reason: ReopenReason): void {
  alert.state = 'open'
  alert.reopened = { at, reason }
}

/** Adds a trigger that comes last in (time, id) order; the same as `summarise` of all, without the walk. */
function join(alert: Alert, trigger: Trigger): void {
  alert.triggers.push(trigger)
  alert.aliases.push(alertKey(trigger))
  alert.tier = worseTier(alert.tier, trigger.tier) as Alert['tier']
  alert.score = Math.max(alert.score, trigger.score)
  for (const category of trigger.categories) if (!alert.categories.includes(category)) alert.categories.push(category)
  alert.categories.sort(bySeverity)
  alert.about_other &&= trigger.about_other
  alert.school_id ??= trigger.school_id
  alert.received_at = Math.min(alert.received_at, trigger.received_at)
  alert.occurred_at ??= trigger.occurred_at
  alert.last_trigger_at = trigger.at
}

/** What an action had seen: what it says, and at least the triggers it names (older senders say no more). */
function coveredBy(alert: Alert, action: AlertAction): Coverage {
  const named = new Set(action.covers)
  return joinCoverage(action.covered, coverageOf(alert.triggers.filter((trigger) => names(named, trigger))))
}

/** Triggers of the alert that an action names neither by themselves nor by a twin that is as bad. */
function uncovered(alert: Alert, action: AlertAction): Trigger[] {
  const named = new Set(action.covers)
  const seen = alert.triggers.filter((trigger) => names(named, trigger))
  const moments = new Set(seen.map((trigger) => trigger.message_id))
  const covered = coveredBy(alert, action)
  return alert.triggers.filter(
    (trigger) =>
      !names(named, trigger) &&
      (trigger.message_id === null || !moments.has(trigger.message_id) || isWorse(trigger, covered)),
  )
}

function names(covered: ReadonlySet<string>, trigger: Trigger): boolean {
  return covered.has(trigger.id) || covered.has(trigger.idempotency_key)
}

/** What an alert says about its triggers, which are in (time, id) order. */
function summarise(triggers: readonly Trigger[]) {
  const [first, ...rest] = triggers
  if (!first) throw new RangeError('an alert has at least one trigger')
  const worst = coverageOf(triggers)
  return {
    key: alertKey(first),
    aliases: triggers.map(alertKey),
    triggers: [...triggers],
    tier: worst.tier as Alert['tier'],
    score: worst.score,
    categories: (worst.categories as PatternCategory[]).sort(bySeverity),
    about_other: triggers.every((trigger) => trigger.about_other),
    school_id: triggers.find((trigger) => trigger.school_id !== null)?.school_id ?? null,
    opened_at: first.at,
    received_at: triggers.reduce((earliest, trigger) => Math.min(earliest, trigger.received_at), first.received_at),
    occurred_at: triggers.find((trigger) => trigger.occurred_at !== null)?.occurred_at ?? null,
    last_trigger_at: rest.at(-1)?.at ?? first.at,
  }
}

function bySeverity(a: PatternCategory, b: PatternCategory): number {
  return patternCategories[b] - patternCategories[a] || compareText(a, b)
}

function openAlert(triggers: Trigger[]): Alert {
  const first = triggers[0] as Trigger
  return {
    ...summarise(triggers),
    session_id: first.session_id,
    student_hash: first.student_hash,
    state: 'open',
    again_at: [],
    first_seen_at: null,
    acknowledged: null,
    first_acknowledged_at: null,
    owner: null,
    next_action: null,
    due_at: null,
    hand_off: null,
    reopened: null,
    resolved: null,
    earlier: [],
    history: [],
  }
}

function uniqueById<T extends { id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** Code-unit order: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
