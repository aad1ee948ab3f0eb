/**
 * Alerts as a pure reduction over the set of a session's triggers and actions. The same set gives
 * the same alerts in any order of arrival, on every console; the database row is only a cache of it.
 */
import type { AlertAction } from './actions.ts'
import {
  compareText,
  isAnsweredBy,
  isBuiltOn,
  isUndoOf,
  takeAction,
  takeTrigger,
  type Alert,
  type StudentAlerts,
  withdrawalKey,
  type Trigger,
  type Withdrawal,
} from './alerts.ts'

/** The reduction of one session, kept while its set grows: what comes last in order is taken without the rest. */
export interface Reduction {
  /** Adds to the set. Answers the alerts that this concerns, or null when all were reduced anew. */
  add(triggers: readonly Trigger[], actions: readonly AlertAction[]): ReadonlySet<Alert> | null
  /** The alerts as they stand, oldest first; they stay so when more is added. */
  alerts(): Alert[]
  /** Triggers and actions in the set. */
  size(): number
}

/**
 * The alerts of one session from the set of its triggers and actions, in any order. Duplicates (by id) count
 * once. Actions that name no known trigger wait until one arrives.
 */
export function createReduction(): Reduction {
  const triggers = new Map<string, Trigger>()
  const actions = new Map<string, AlertAction>()
  /** Triggers by id and by idempotency key, as actions name them. */
  const byName = new Map<string, Trigger[]>()
  /** Whatever an action names, known or not. */
  const named = new Set<string>()
  const withdrawals = new Map<string, Withdrawal>()
  // Two students under one session id are two alerts: neither may stand under the other's name.
  let students = new Map<string, Student>()

  const remember = (some: readonly Trigger[], acts: readonly AlertAction[]): void => {
    for (const trigger of some) {
      triggers.set(trigger.id, trigger)
      for (const name of [trigger.id, trigger.idempotency_key]) {
        const same = byName.get(name)
        if (same) same.push(trigger)
        else byName.set(name, [trigger])
      }
    }
    for (const action of acts) {
      actions.set(action.id, action)
      for (const name of action.covers) named.add(name)
      if (action.action === 'withdrawn') rememberWithdrawal(withdrawals, action)
    }
  }

  /** What takes an action back, unless somebody else has acted on it in between. */
  const withdrawalOf = (action: AlertAction): Withdrawal | undefined => {
    const withdrawal = withdrawals.get(withdrawalKey({ record: action.id, by: action.by }))
    if (withdrawal === undefined || !isUndoOf(withdrawal, action)) return undefined
    // What was said after an alert was closed opened one of its own: it is not brought back unheard under the old one.
    const isPassed = ({ at }: Trigger): boolean => at > action.at && at <= withdrawal.at
    if (action.action === 'resolved' && [...triggers.values()].some(isPassed)) return undefined
    for (const other of actions.values())
      if (isAnsweredBy(action, other) && isBefore(other, withdrawal)) return undefined
    return withdrawal
  }

  /** Takes these in their order; null when one of them stands before something that was taken already. */
  const take = (some: readonly Trigger[], acts: readonly AlertAction[]): Set<Alert> | null => {
    const steps = [...some.map(triggerStep), ...acts.flatMap((action) => actionSteps(action, byName))].sort(inOrder)
    const first = new Map(steps.toReversed().map((step) => [step.student, step]))
    for (const [student, step] of first) {
      const last = students.get(student)?.last
      if (last && inOrder(step, last) < 0) return null
    }
    const concerned = new Set<Alert>()
    for (const step of steps) {
      const student = students.get(step.student) ?? {
        alerts: [],
        moments: new Map<string, Alert>(),
        withdrawalOf,
        last: step,
      }
      students.set(step.student, student)
      student.last = step
      for (const alert of step.take(student)) concerned.add(alert)
    }
    return concerned
  }

  const all = (): Alert[] => [...students.values()].flatMap(({ alerts }) => alerts)

  return {
    add(some, acts) {
      const fresh = notIn(triggers, some)
      const freshActs = notIn(actions, acts)
      const known = acts.filter(({ id }) => actions.has(id))
      // An action that waited for this trigger stands after it now: its place is another.
      const awaited = fresh.some(({ id, idempotency_key }) => named.has(id) || named.has(idempotency_key))
      remember(fresh, freshActs)
      // What stands as if it had not been done changes everything after it.
      const takenBack = freshActs.some((action) => action.action === 'withdrawn' && actions.has(action.record))
      // What stands between an action and its withdrawal makes that void, wherever its own place is.
      const answered = freshActs.some(
        (action) => isBuiltOn(action) && [...withdrawals.values()].some((withdrawal) => isBefore(action, withdrawal)),
      )
      const concerned = awaited || takenBack || answered ? null : take(fresh, freshActs)
      if (!concerned) {
        students = new Map()
        take([...triggers.values()], [...actions.values()])
        return null
      }
      for (const { id } of known)
        for (const alert of all()) if (alert.history.some(({ action }) => action.id === id)) concerned.add(alert)
      return concerned
    },
    alerts() {
      const alerts = all().sort((a, b) => a.opened_at - b.opened_at || compareText(a.key, b.key))
      return alerts.map((alert, index) => ({
        ...alert,
        aliases: [...alert.aliases],
        categories: [...alert.categories],
        triggers: [...alert.triggers],
        again_at: [...alert.again_at],
        commitments: alert.commitments.map((commitment) => ({ ...commitment })),
        history: [...alert.history],
        earlier: alerts.slice(0, index).map(({ key }) => key),
      }))
    },
    size: () => triggers.size + actions.size,
  }
}

function isBefore(action: AlertAction, withdrawal: Withdrawal): boolean {
  return action.at < withdrawal.at || (action.at === withdrawal.at && compareText(action.id, withdrawal.id) < 0)
}

/** Of several by one person for one record the same one counts on every console. */
function rememberWithdrawal(withdrawals: Map<string, Withdrawal>, action: Withdrawal): void {
  if (action.refused !== undefined || action.backfill) return
  const key = withdrawalKey(action)
  const known = withdrawals.get(key)
  if (known === undefined || compareText(action.id, known.id) < 0) withdrawals.set(key, action)
}

/** Those that are not known yet, each once. */
function notIn<T extends { id: string }>(known: ReadonlyMap<string, T>, items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()].filter(({ id }) => !known.has(id))
}

interface Student extends StudentAlerts {
  last: Step
}

/** One trigger or action at its place in the order of one student's. */
interface Step {
  student: string
  at: number
  /** When an action was done: those at one place keep their order. */
  done: number
  id: string
  take(student: StudentAlerts): Alert[]
}

function triggerStep(trigger: Trigger): Step {
  const { student_hash: student, at, id } = trigger
  return { student, at, done: -Infinity, id, take: (alerts) => [takeTrigger(alerts, trigger)] }
}

/**
 * An action stands after every trigger it covers, even where the two clocks disagree: nobody can act
 * on what has not happened. Where it covers triggers of two students it is a step for each.
 */
function actionSteps(action: AlertAction, byName: ReadonlyMap<string, Trigger[]>): Step[] {
  const latest = new Map<string, number>()
  for (const name of action.covers) {
    for (const { student_hash, at } of byName.get(name) ?? [])
      latest.set(student_hash, Math.max(latest.get(student_hash) ?? action.at, at))
  }
  const { at: done, id } = action
  return [...latest].map(([student, at]) => ({ student, at, done, id, take: (alerts) => takeAction(alerts, action) }))
}

/** The order of everything in a session, the same on every console. */
function inOrder(a: Step, b: Step): number {
  return a.at - b.at || (a.done === b.done ? compareText(a.id, b.id) : a.done - b.done)
}
