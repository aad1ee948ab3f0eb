/**
 * Alerts as a pure reduction over the set of a session's triggers and actions. The same set gives
 * the same alerts in any order of arrival, on every console; the database row is only a cache of it.
 */
import type { AlertAction } from './actions.ts'
import {
  compareText,
  coveredByName,
  doneAt,
  isAnsweredBy,
  isBuiltOn,
  isUndoOf,
  isVoid,
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
  const latestCovered = rememberingLatest(byName)
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

  /** Takes these in their order; null when one of them stands before something that was taken already, or moves it. */
  const take = (some: readonly Trigger[], acts: readonly AlertAction[]): Set<Alert> | null => {
    const fresh = new Set(acts.map(({ id }) => id))
    const placed = acts.length === 0 ? null : placeActions([...actions.values()], latestCovered)
    for (const [student, places] of placed ?? []) {
      const taken = students.get(student)?.actions ?? []
      const before = places.slice(0, taken.length)
      if (!before.every((each, index) => isSamePlace(each, taken[index]))) return null
      if (places.slice(taken.length).some(({ action }) => !fresh.has(action.id))) return null
    }
    const placesOfFresh = [...(placed ?? [])].flatMap(([student, places]) =>
      places.filter(({ action }) => fresh.has(action.id)).map((place) => actionStep(student, place)),
    )
    const steps = [...some.map(triggerStep), ...placesOfFresh].sort(inOrder)
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
        actions: [],
        last: step,
      }
      students.set(step.student, student)
      student.last = step
      for (const alert of step.take(student)) concerned.add(alert)
    }
    for (const [student, places] of placed ?? []) {
      const known = students.get(student)
      if (known) known.actions = places
    }
    return concerned
  }

  /** Takes in what has become known of actions; false where one of them has another place by that. */
  const learn = (news: readonly AlertAction[]): boolean => {
    const told = new Map(
      news.map((action) => [action.id, { ...(actions.get(action.id) as AlertAction), ...newsIn(action) }]),
    )
    for (const action of told.values()) actions.set(action.id, action)
    if (news.some(({ refused }) => refused !== undefined)) {
      withdrawals.clear()
      latestCovered.forget()
      for (const action of actions.values()) if (action.action === 'withdrawn') rememberWithdrawal(withdrawals, action)
      return false
    }
    // It may cover less than its author's clock said.
    if (news.some(({ relayed_at }) => relayed_at !== undefined)) {
      latestCovered.forget()
      return false
    }
    const placed = placeActions([...actions.values()], latestCovered)
    for (const [student, { actions: taken }] of students) {
      const places = placed.get(student) ?? []
      if (!taken.every((each, index) => isSamePlace(each, places[index]))) return false
    }
    for (const [student, known] of students) known.actions = (placed.get(student) ?? []).slice(0, known.actions.length)
    for (const alert of all())
      alert.history = alert.history.map((entry) => ({ ...entry, action: told.get(entry.action.id) ?? entry.action }))
    return true
  }

  const all = (): Alert[] => [...students.values()].flatMap(({ alerts }) => alerts)

  return {
    add(some, acts) {
      const fresh = notIn(triggers, some)
      const freshActs = notIn(actions, acts)
      const known = acts.filter(({ id }) => actions.has(id))
      const moved = known.filter((action) => isNewsOf(actions.get(action.id), action))
      // An action that waited for this trigger stands after it now: its place is another.
      const awaited = fresh.some(({ id, idempotency_key }) => named.has(id) || named.has(idempotency_key))
      if (awaited) latestCovered.forget()
      // First the places of what is known, which nothing fresh has part in yet.
      const keepPlaces = moved.length === 0 || learn(moved)
      remember(fresh, freshActs)
      // What stands as if it had not been done changes everything after it.
      const takenBack = freshActs.some((action) => action.action === 'withdrawn' && actions.has(action.record))
      // What stands between an action and its withdrawal makes that void, wherever its own place is.
      const answered = freshActs.some(
        (action) => isBuiltOn(action) && [...withdrawals.values()].some((withdrawal) => isBefore(action, withdrawal)),
      )
      const concerned = awaited || takenBack || answered || !keepPlaces ? null : take(fresh, freshActs)
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
  if (isVoid(action) || action.backfill) return
  const key = withdrawalKey(action)
  const known = withdrawals.get(key)
  if (known === undefined || compareText(action.id, known.id) < 0) withdrawals.set(key, action)
}

/** Those that are not known yet, each once. */
function notIn<T extends { id: string }>(known: ReadonlyMap<string, T>, items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()].filter(({ id }) => !known.has(id))
}

interface Student extends StudentAlerts {
  /** The actions taken, in their order. */
  actions: Place[]
  last: Step
}

/** One trigger or action at its place in the order of one student's. */
interface Step {
  student: string
  at: number
  /** Among those at one place: triggers, then actions in their own order. */
  rank: number
  id: string
  take(student: StudentAlerts): Alert[]
}

/** Where an action stands among the triggers of one student (UTC milliseconds), and among the actions. */
interface Place {
  action: AlertAction
  at: number
  rank: number
}

function triggerStep(trigger: Trigger): Step {
  const { student_hash: student, at, id } = trigger
  return { student, at, rank: -1, id, take: (alerts) => [takeTrigger(alerts, trigger)] }
}

function actionStep(student: string, { action, at, rank }: Place): Step {
  return { student, at, rank, id: action.id, take: (alerts) => takeAction(alerts, action) }
}

/**
 * Actions stand in the order that a station's relay gave them; those that have not been there yet stand after them, in
 * the order of their time. None stands before a trigger that it covers, even where two clocks disagree: nobody can act on
 * what has not happened. One that covers triggers of two students has a place with each.
 */
function placeActions(
  actions: readonly AlertAction[],
  latestCovered: (action: AlertAction) => ReadonlyMap<string, number>,
): Map<string, Place[]> {
  const places = new Map<string, Place[]>()
  const relayed = new Map<string, number>()
  const inTurn = actions.toSorted(inOrderOfActions)
  for (const action of inTurn) {
    for (const [student, covered] of latestCovered(action)) {
      const at = Math.max(doneAt(action), covered, relayed.get(student) ?? -Infinity)
      if (action.position !== undefined) relayed.set(student, at)
      joined(places, student).push({ action, at, rank: 0 })
    }
  }
  for (const known of places.values()) {
    known.sort((a, b) => a.at - b.at || inOrderOfActions(a.action, b.action))
    known.forEach((place, index) => (place.rank = index))
  }
  return places
}

function inOrderOfActions(a: AlertAction, b: AlertAction): number {
  const [one, other] = [a.position ?? Infinity, b.position ?? Infinity]
  if (one !== other) return one < other ? -1 : 1
  return a.at - b.at || compareText(a.id, b.id)
}

function isSamePlace(a: Place, b: Place | undefined): boolean {
  return b !== undefined && a.action.id === b.action.id && a.at === b.at
}

/**
 * Whether what is known of an action says less than this: its position came, or that a station refused it, or does not
 * vouch for it elsewhere. Where it was done it stands all the same: this console knows whose it is.
 */
function isNewsOf(known: AlertAction | undefined, action: AlertAction): boolean {
  return (
    known !== undefined &&
    ((known.position === undefined && action.position !== undefined) ||
      (known.refused === undefined && action.refused !== undefined) ||
      (known.unvouched === undefined && known.unvouched_elsewhere === undefined && action.unvouched !== undefined))
  )
}

/** What a relay says of an action that is known. */
export function newsIn({ position, relayed_at, refused, unvouched }: AlertAction) {
  return {
    ...(position !== undefined && { position }),
    ...(relayed_at !== undefined && { relayed_at }),
    ...(refused !== undefined && { refused }),
    ...(unvouched !== undefined && { unvouched_elsewhere: unvouched }),
  }
}

/** When the latest trigger was that an action covers, by student; counted once until it is forgotten. */
function rememberingLatest(byName: ReadonlyMap<string, Trigger[]>) {
  const known = new Map<string, ReadonlyMap<string, number>>()
  const latest = (action: AlertAction): ReadonlyMap<string, number> => {
    const found = known.get(action.id)
    if (found) return found
    const covers = coveredByName(action)
    const named = new Map<string, Trigger[]>()
    for (const name of action.covers)
      for (const trigger of byName.get(name) ?? []) joined(named, trigger.student_hash).push(trigger)
    const times = new Map<string, number>()
    for (const [student, all] of named) {
      const covered = all.filter(covers)
      // What it names and cannot cover gives it a place only where there is nothing else.
      const some = covered.length > 0 ? covered : all
      times.set(
        student,
        some.reduce((latest, { at }) => Math.max(latest, at), -Infinity),
      )
    }
    known.set(action.id, times)
    return times
  }
  return Object.assign(latest, { forget: () => known.clear() })
}

/** The list under a key, which is begun where there is none. */
function joined<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key) ?? []
  lists.set(key, known)
  return known
}

/** The order of everything in a session, the same on every console. */
function inOrder(a: Step, b: Step): number {
  return a.at - b.at || a.rank - b.rank || compareText(a.id, b.id)
}
