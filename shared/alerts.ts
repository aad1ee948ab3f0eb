/**
 * What an alert is, and what one trigger or one action does to the alerts of a student in a session.
 * In which order they are taken stands in reduction.ts.
 */
import type { AlertAction, Disposition } from './actions.ts'
import { coverageOf, isWorse, joinCoverage, type Coverage } from './coverage.ts'
import { patternCategories, worseTier, type PatternCategory } from './risk.ts'
import {
  clockSkew,
  decideNext,
  decideNextWithin,
  defaultNextAction,
  groupingWindow,
  undoAcceptedFor,
} from './thresholds.ts'

export { coverageOf, isWorse } from './coverage.ts'

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

export type AlertState = 'open' | 'acknowledged' | 'resolved'

export type ReopenReason = 'worse' | 'unseen when acknowledged' | 'due time passed' | 'by a person' | 'returned'

/** What somebody said they would do, until when. Times are UTC milliseconds. */
export interface Commitment {
  /** Id of the record by which it was made. */
  id: string
  what: string
  /** Null = of a told past, or of a sender that named no time: nobody is reminded. */
  due_at: number | null
  owner: { id: string; name: string }
  made: { at: number; by_name: string }
  /** The plan that came with taking the alert: `corrected` edits it. */
  plan: boolean
  /** `closed`: nobody did it; it was settled when the alert was resolved. */
  met: { at: number; by_name: string; closed?: true } | null
}

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
  /** `told`: by a record of a told past, which answers for nothing that is said since. */
  acknowledged: { id: string; at: number; by: string; by_name: string; covered: Coverage; told?: true } | null
  /** When somebody first took it, whatever happened to it since: what the 5 minutes are measured to. */
  first_acknowledged_at: number | null
  owner: { id: string; name: string } | null
  /** Everything promised about it, in the order in which it was; it outlives resolving. */
  commitments: Commitment[]
  /** The open commitment that is due first. */
  next_action: string | null
  due_at: number | null
  hand_off: { to: string; to_name: string; by: string; by_name: string; at: number; urgent: boolean } | null
  reopened: { at: number; reason: ReopenReason } | null
  resolved: { at: number; by: string; by_name: string; disposition: Disposition; note: string } | null
  /** Keys of this session's earlier alerts, oldest first. */
  earlier: string[]
  /** Every action that names one of its triggers, in order; `applied` false = kept and shown, changed nothing. */
  history: HistoryEntry[]
}

interface HistoryEntry {
  action: AlertAction
  applied: boolean
  /** Its author took it back. */
  withdrawn?: { at: number }
}

/** The key by which an alert that begins with this trigger is known. */
export function alertKey(earliest: Pick<Trigger, 'id'>): string {
  return earliest.id.slice(0, 32)
}

/** The alerts of one student in one session while triggers and actions are taken in their order. */
export interface StudentAlerts {
  alerts: Alert[]
  /** Which alert holds a message: two events about one message are one moment. */
  moments: Map<string, Alert>
  /** What takes an action back, whether it has come before it or after; undefined = nothing that counts. */
  withdrawalOf(action: AlertAction): Withdrawal | undefined
}

export type Withdrawal = Extract<AlertAction, { action: 'withdrawn' }>

/** Takes the next trigger; answers the alert that holds it. */
export function takeTrigger({ alerts, moments }: StudentAlerts, trigger: Trigger): Alert {
  const known = trigger.message_id === null ? undefined : moments.get(trigger.message_id)
  // A message that speaks again after the window is no second event about the same moment.
  const twin = known && trigger.at - known.last_trigger_at <= groupingWindow ? known : undefined
  const current =
    twin ?? alerts.findLast((alert) => alert.state !== 'resolved' && trigger.at - alert.opened_at <= groupingWindow)
  if (!current || (current.state === 'resolved' && isWorse(trigger, current))) {
    const opened = openAlert([trigger])
    alerts.push(opened)
    if (trigger.message_id !== null) moments.set(trigger.message_id, opened)
    return opened
  }
  join(current, trigger)
  if (trigger.message_id !== null) moments.set(trigger.message_id, current)
  if (current.state !== 'acknowledged' || current.acknowledged === null) return current
  if (isWorse(trigger, current.acknowledged.covered)) reopen(current, trigger.at, 'worse')
  else if (!twin && current.acknowledged.told) reopen(current, trigger.at, 'unseen when acknowledged')
  else if (!twin) current.again_at.push(trigger.at)
  return current
}

/** Takes the next action; answers the alerts that it names, and those it splits off. */
export function takeAction({ alerts, moments, withdrawalOf }: StudentAlerts, action: AlertAction): Alert[] {
  const covers = coveredByName(action)
  const concerned = alerts.filter(({ triggers }) => triggers.some(covers))
  if (isVoid(action) || concerned.length === 0) {
    // Whoever sent it may be anybody, or names what was not there yet: it is shown, and nobody has seen or done anything by it.
    const named = alerts.filter(({ triggers }) => triggers.some(isNamedIn(action)))
    for (const alert of named) alert.history.push({ action, applied: false })
    return named
  }
  const withdrawal = mayWithdraw(action) ? withdrawalOf(action) : undefined
  return concerned.flatMap((alert) => {
    const split: Alert[] = []
    if (withdrawal) {
      // Who took it back has looked at the alert all the same.
      see(alert, action)
      alert.history.push({ action, applied: false, withdrawn: { at: withdrawal.at } })
      return [alert]
    }
    if (isBesideNow(alert, action)) {
      alert.history.push({ action, applied: action.action === 'noted' })
      return [alert]
    }
    const applied = apply(alert, action, split)
    alert.history.push({ action, applied })
    see(alert, action)
    for (const part of split) {
      alerts.push(part)
      for (const { message_id } of part.triggers) if (message_id !== null) moments.set(message_id, part)
    }
    return [alert, ...split]
  })
}

/** Whether an action changes nothing here: a station refused it, or it may be anybody's, for nobody vouches for it. */
export function isVoid({ refused, unvouched }: Pick<AlertAction, 'refused' | 'unvouched'>): boolean {
  return refused !== undefined || unvouched !== undefined
}

function see(alert: Alert, action: AlertAction): void {
  if (action.by !== 'system' && (alert.first_seen_at === null || action.at < alert.first_seen_at))
    alert.first_seen_at = action.at
}

/** What a withdrawal is found by: only its author takes an action back. */
export function withdrawalKey({ record, by }: { record: string; by: string }): string {
  return JSON.stringify([record, by])
}

/** Whether a withdrawal is an undo of this action: of the same alert, and a moment later by the clock of its author. */
export function isUndoOf(withdrawal: Withdrawal, action: AlertAction): boolean {
  const later = withdrawal.at - action.at
  return (
    later >= 0 && later <= undoAcceptedFor + clockSkew && withdrawal.covers.some((name) => action.covers.includes(name))
  )
}

/** Neither the clock's word nor a taking back nor a told past is taken back. */
export function mayWithdraw(done: AlertAction): boolean {
  const { action, by, backfill } = done
  return by !== 'system' && action !== 'seen' && action !== 'withdrawn' && !isVoid(done) && !backfill
}

/** Kinds that say who holds an alert, or what is promised about it. */
export const holdingKinds: ReadonlySet<string> = new Set<AlertAction['action']>([
  'acknowledged', 'taken_over', 'handed_off', 'hand_off_accepted', 'hand_off_declined', 'hand_off_withdrawn', 'returned',
  'reopened', 'resolved', 'corrected', 'commitment_made', 'commitment_met', 'commitment_moved',
]) // prettier-ignore

/** Whether an action says who holds an alert, or what is promised about it: what others build on. */
export function isBuiltOn(done: AlertAction): boolean {
  return holdingKinds.has(done.action) && !isVoid(done) && !done.backfill
}

/** Whether somebody else has acted on what one person did, so that it can no longer be taken back: it would undo their work too. */
export function isAnsweredBy(done: AlertAction, other: AlertAction): boolean {
  return (
    isBuiltOn(done) &&
    isBuiltOn(other) &&
    other.by !== done.by &&
    other.by !== 'system' &&
    (other.at > done.at || (other.at === done.at && compareText(other.id, done.id) > 0)) &&
    other.covers.some((name) => done.covers.includes(name))
  )
}

/** Whether an action of a told past leaves out a part of the alert, which may be live: then it changes nothing about it. */
function isBesideNow(alert: Alert, action: AlertAction): boolean {
  if (!action.backfill || uncovered(alert, action).length === 0) return false
  // What is told as resolved is split off, unless somebody holds the whole.
  return action.action !== 'resolved' || (alert.state === 'acknowledged' && !alert.acknowledged?.told)
}

/** Applies one action to one alert; true when it changed the alert. */
function apply(alert: Alert, action: AlertAction, split: Alert[]): boolean {
  switch (action.action) {
    case 'noted':
    case 'contact_attempted':
      return true
    case 'seen':
      return alert.first_seen_at === null
    case 'step_done':
      return !alert.history.some((done) => done.applied && isStep(done.action, action.step))
    case 'withdrawn':
      return alert.history.some((done) => done.withdrawn && isOf(done.action, action))
    case 'reopened':
      return applyReopen(alert, action)
    case 'resolved':
      return applyResolve(alert, action, split)
    case 'commitment_met':
    case 'commitment_moved':
      return applyToCommitment(alert, action)
    case 'corrected':
      return action.record === undefined ? applyToUnresolved(alert, action) : isOwnNote(alert, action)
    default:
      return applyToUnresolved(alert, action)
  }
}

/** What changes nothing about an alert once it is resolved. */
type OfUnresolved = Of<
  | 'acknowledged'
  | 'taken_over'
  | 'handed_off'
  | 'hand_off_accepted'
  | 'hand_off_declined'
  | 'hand_off_withdrawn'
  | 'returned'
  | 'corrected'
  | 'commitment_made'
>

function applyToUnresolved(alert: Alert, action: OfUnresolved): boolean {
  if (alert.state === 'resolved') return false
  switch (action.action) {
    case 'acknowledged':
      return applyAcknowledge(alert, action)
    case 'taken_over':
      hold(alert, action, { id: action.by, name: action.by_name })
      return true
    case 'hand_off_accepted':
      if (alert.hand_off?.to !== action.by) return false
      hold(alert, action, { id: action.by, name: action.by_name })
      return true
    case 'corrected':
      correctPlan(alert, action)
      return true
    case 'commitment_made':
      alert.commitments.push(commitmentOf(action, alert, { plan: false }))
      replan(alert)
      return true
    case 'returned':
      return applyReturn(alert, action)
    default:
      return applyHandOff(alert, action)
  }
}

function applyHandOff(alert: Alert, action: Of<'handed_off' | 'hand_off_declined' | 'hand_off_withdrawn'>): boolean {
  const { by, by_name, at } = action
  if (action.action === 'handed_off') {
    if (alert.owner?.id !== by || action.to === undefined) return false
    const { to, to_name = to, urgent = false } = action
    alert.hand_off = { to, to_name, by, by_name, at, urgent }
    return true
  }
  // It stays with the giver, who never let go of it.
  const ends = action.action === 'hand_off_declined' ? alert.hand_off?.to : alert.hand_off?.by
  if (ends !== by) return false
  alert.hand_off = null
  return true
}

/** Nobody holds it any more; what was promised about it stands. */
function applyReturn(alert: Alert, action: Of<'returned'>): boolean {
  if (alert.owner?.id !== action.by) return false
  alert.owner = null
  alert.hand_off = null
  reopen(alert, action.at, 'returned')
  return true
}

function isStep(action: AlertAction, step: string): boolean {
  return action.action === 'step_done' && action.step === step
}

/** A note is corrected by whoever wrote it, while it stands. */
function isOwnNote(alert: Alert, correction: Of<'corrected'>): boolean {
  const stands = alert.history.some(({ action, withdrawn }) => !withdrawn && isOf(action, correction))
  // Words may be sealed, and then they are not here.
  return (correction.note !== undefined || correction.sealed !== undefined) && stands
}

/** Whether a record is the one that another names, and of the same person. */
function isOf(action: AlertAction, named: { record?: string | undefined; by: string }): boolean {
  return action.id === named.record && action.by === named.by
}

/** The plan that came with taking the alert says something else from now on. */
function correctPlan(alert: Alert, action: Of<'corrected'>): void {
  const plan = alert.commitments.findLast((commitment) => commitment.plan && commitment.met === null)
  if (action.owner !== undefined) alert.owner = { id: action.owner, name: action.owner_name ?? action.owner }
  if (!plan) alert.commitments.push(commitmentOf(action, alert, { plan: true }))
  else change(plan, action)
  replan(alert)
}

function applyToCommitment(alert: Alert, action: Of<'commitment_met' | 'commitment_moved'>): boolean {
  const index = alert.commitments.findIndex(({ id, met }) => id === action.commitment && met === null)
  const commitment = alert.commitments[index]
  if (!commitment) return false
  const next = { ...commitment }
  if (action.action === 'commitment_met') next.met = { at: action.at, by_name: action.by_name }
  else change(next, action)
  alert.commitments[index] = next
  // Nobody holds an alert without a time at which it is asked for again.
  if (alert.state !== 'resolved' && next.met && alert.commitments.every(({ met }) => met !== null))
    alert.commitments.push({
      id: `${action.id} next`,
      what: decideNext,
      due_at: action.backfill ? null : action.at + decideNextWithin,
      owner: alert.owner ?? next.owner,
      made: { at: action.at, by_name: action.by_name },
      plan: true,
      met: null,
    })
  replan(alert)
  if (isHeldAgain(alert, action)) {
    alert.state = 'acknowledged'
    alert.reopened = null
  }
  return true
}

/** Only the clock had opened it again, and its holder has answered for everything that was overdue. */
function isHeldAgain(alert: Alert, action: AlertAction): boolean {
  const { state, reopened, owner, due_at } = alert
  return (
    state === 'open' &&
    reopened?.reason === 'due time passed' &&
    owner?.id === action.by &&
    (due_at === null || due_at > action.at) &&
    // Something that came while it was open is not seen by the way.
    uncovered(alert, action).length === 0
  )
}

function change(commitment: Commitment, action: Of<'corrected' | 'commitment_moved'>): void {
  if (action.next_action !== undefined) commitment.what = action.next_action
  if (action.due_at !== undefined && !action.backfill) commitment.due_at = action.due_at
  if (action.owner !== undefined) commitment.owner = { id: action.owner, name: action.owner_name ?? action.owner }
}

type WithPlan = Of<'acknowledged' | 'taken_over' | 'hand_off_accepted' | 'corrected' | 'commitment_made'>

/** The commitment that an action makes. Nobody waits any more for what was to be done in a told past. */
function commitmentOf(action: WithPlan, alert: Alert, { plan }: { plan: boolean }): Commitment {
  const named = 'owner' in action && action.owner !== undefined
  const by = { id: action.by, name: action.by_name }
  return {
    id: action.id,
    what: action.next_action ?? (action.sealed || action.action === 'commitment_made' ? '' : defaultNextAction),
    due_at: (!action.backfill && action.due_at) || null,
    owner: named
      ? { id: action.owner as string, name: action.owner_name ?? (action.owner as string) }
      : (alert.owner ?? by),
    made: { at: action.at, by_name: action.by_name },
    plan,
    met: null,
  }
}

/** What is to be done next is the open commitment that is due first. */
function replan(alert: Alert): void {
  const open = alert.commitments.filter(({ met }) => met === null)
  const [first] = open.toSorted((a, b) => (a.due_at ?? Infinity) - (b.due_at ?? Infinity))
  alert.next_action = first?.what ?? null
  alert.due_at = first?.due_at ?? null
}

type Of<Kind extends AlertAction['action']> = Extract<AlertAction, { action: Kind }>

function applyAcknowledge(alert: Alert, action: Of<'acknowledged'>): boolean {
  if (alert.state === 'acknowledged' && alert.acknowledged) {
    // Somebody holds it already: the later one is kept and shown, and what it saw counts as seen.
    const covered = joinCoverage(alert.acknowledged.covered, coveredBy(alert, action))
    alert.acknowledged = { ...alert.acknowledged, covered }
    return false
  }
  hold(alert, action, { id: action.owner ?? action.by, name: action.owner_name ?? action.by_name })
  return true
}

/** Gives the alert an owner; it stays open when it holds something worse that the action did not cover. */
function hold(
  alert: Alert,
  action: Of<'acknowledged' | 'taken_over' | 'hand_off_accepted'>,
  owner: { id: string; name: string },
): void {
  alert.state = 'acknowledged'
  const covered = coveredBy(alert, action)
  const { id, at, by, by_name, backfill } = action
  alert.acknowledged = { id, at, by, by_name, covered, ...(backfill && { told: true }) }
  alert.first_acknowledged_at ??= action.at
  const before = alert.owner
  alert.owner = owner
  alert.hand_off = null
  alert.reopened = null
  takePlan(alert, action, before)
  const unseen = uncovered(alert, action)
  if (unseen.some((trigger) => isWorse(trigger, covered))) reopen(alert, action.at, 'unseen when acknowledged')
  else alert.again_at = [...new Set([...alert.again_at, ...unseen.map(({ at }) => at)])].sort((a, b) => a - b)
}

/**
 * Who takes an alert takes what its holder had promised, and answers for what is overdue by the new time. A plan that
 * says what is promised already moves it; any other is one more.
 */
function takePlan(
  alert: Alert,
  action: Of<'acknowledged' | 'taken_over' | 'hand_off_accepted'>,
  before: Alert['owner'],
): void {
  const due_at = (!action.backfill && action.due_at) || null
  let said = false
  alert.commitments = alert.commitments.map((commitment) => {
    if (commitment.met) return commitment
    const same = action.next_action !== undefined && commitment.what === action.next_action && !said
    said ||= same
    const overdue = commitment.due_at !== null && commitment.due_at <= action.at
    const passes = same || commitment.owner.id === before?.id
    return {
      ...commitment,
      owner: passes && alert.owner ? alert.owner : commitment.owner,
      due_at: due_at !== null && (same || overdue) ? due_at : commitment.due_at,
    }
  })
  const nothingOpen = alert.commitments.every(({ met }) => met !== null)
  const isNew = action.next_action !== undefined || action.sealed !== undefined || nothingOpen
  if (!said && isNew && (action.next_action !== undefined || due_at !== null))
    alert.commitments.push(commitmentOf(action, alert, { plan: true }))
  replan(alert)
}

function applyReopen(alert: Alert, action: Of<'reopened'>): boolean {
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

function applyResolve(alert: Alert, action: Of<'resolved'>, split: Alert[]): boolean {
  if (alert.state === 'resolved' || action.disposition === undefined) return false
  // An attempt is no outcome: older senders may close a crisis by it where they are, and not here.
  if (action.disposition === 'could not reach' && alert.tier === 'crisis') return false
  const left = uncovered(alert, action)
  if (left.length > 0) {
    // What nobody saw is never closed with the rest.
    split.push(openAlert(left))
    const kept = alert.triggers.filter((trigger) => !left.includes(trigger))
    Object.assign(alert, summarise(kept))
    alert.again_at = alert.again_at.filter((at) => kept.some((trigger) => trigger.at === at))
  }
  // The plan of every acknowledgement is settled with it; whatever else was promised outlives it.
  alert.commitments = alert.commitments.map((commitment) =>
    commitment.plan && commitment.met === null && [defaultNextAction, decideNext].includes(commitment.what)
      ? { ...commitment, met: { at: action.at, by_name: action.by_name, closed: true as const } }
      : commitment,
  )
  replan(alert)
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
  return joinCoverage(action.covered, coverageOf(alert.triggers.filter(coveredByName(action))))
}

/** Triggers of the alert that an action names neither by themselves nor by a twin that is as bad. */
function uncovered(alert: Alert, action: AlertAction): Trigger[] {
  const covers = coveredByName(action)
  const seen = alert.triggers.filter(covers)
  const moments = new Set(seen.map((trigger) => trigger.message_id))
  const covered = coveredBy(alert, action)
  return alert.triggers.filter(
    (trigger) =>
      !covers(trigger) &&
      (trigger.message_id === null || !moments.has(trigger.message_id) || isWorse(trigger, covered)),
  )
}

/** Which triggers an action names, whether or not it can cover them. */
function isNamedIn({ covers }: Pick<AlertAction, 'covers'>): (trigger: Trigger) => boolean {
  const named = new Set(covers)
  return ({ id, idempotency_key }) => named.has(id) || named.has(idempotency_key)
}

/**
 * Which triggers an action covers: those it names by their identity, which nobody knows before they are there, and those
 * it names by their sender's key, which can be guessed: these must have been there when it was done.
 */
export function coveredByName(
  action: Pick<AlertAction, 'covers' | 'at' | 'relayed_at'>,
): (trigger: Trigger) => boolean {
  const named = new Set(action.covers)
  const until = doneAt(action) + clockSkew
  return ({ id, idempotency_key, at }) => named.has(id) || (named.has(idempotency_key) && at <= until)
}

/** When an action was done as others see it: nobody's was done after a station had it. */
export function doneAt({ at, relayed_at = Infinity }: Pick<AlertAction, 'at' | 'relayed_at'>): number {
  return Math.min(at, relayed_at)
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
    commitments: [],
    next_action: null,
    due_at: null,
    hand_off: null,
    reopened: null,
    resolved: null,
    earlier: [],
    history: [],
  }
}

/** Code-unit order: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
