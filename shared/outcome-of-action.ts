/** What became of something that a person did about an alert, once the order of everybody's doing is known. Pure. */
import type { ActionKind } from './actions.ts'
import type { Alert } from './alerts.ts'

export type Became =
  | { kind: 'counts' }
  /** A station does not stand by it: `why` is its code. `here`: it counts where it was done, and nowhere else. */
  | { kind: 'refused'; why: string; here: boolean }
  /** It came from elsewhere, and no station vouches for it: `why` is its code. */
  | { kind: 'unvouched'; why: string }
  | { kind: 'changed nothing'; because: Because }

/** What a station says of an action that it sends on under another id, so that it never stands in the place of what it may copy. */
export function refusalOf(
  { history }: Pick<Alert, 'history'>,
  id: string,
): Extract<Became, { kind: 'refused' }> | null {
  const copy = history.find(({ action }) => action.refused !== undefined && action.refused_record === id)?.action
  const here = history.some(({ action, applied }) => action.id === id && applied)
  return copy?.refused === undefined ? null : { kind: 'refused', why: copy.refused, here }
}

/** Why something changed nothing. */
export type Because =
  /** Somebody had taken the alert before: `ahead` milliseconds by their clocks, null = it came before all the same. */
  | { why: 'held'; by: string; by_name: string; did: ActionKind; ahead: number | null; holder: string | null }
  /** It had been resolved before. */
  | { why: 'resolved'; by_name: string; at: number }
  /** It was not theirs to answer any more, or to hand on. */
  | { why: 'not theirs'; holder: string | null }
  /** The alert was another by then. */
  | { why: 'other' }

const taking: ReadonlySet<ActionKind> = new Set(['acknowledged', 'taken_over', 'hand_off_accepted'])
const ofHolder: ReadonlySet<ActionKind> = new Set([
  'handed_off', 'hand_off_accepted', 'hand_off_declined', 'hand_off_withdrawn', 'returned',
]) // prettier-ignore

/** What became of an action of this alert; null where its history has none of this id. */
export function whatBecame(alert: Pick<Alert, 'history' | 'owner'>, id: string): Became | null {
  const index = alert.history.findIndex(({ action }) => action.id === id)
  const entry = alert.history[index]
  if (!entry) return null
  const { action, applied, withdrawn } = entry
  if (action.refused !== undefined) return { kind: 'refused', why: action.refused, here: false }
  if (action.action !== 'seen' && action.unvouched !== undefined) return { kind: 'unvouched', why: action.unvouched }
  if (applied && !withdrawn && action.action !== 'seen' && action.unvouched_elsewhere !== undefined)
    return { kind: 'refused', why: action.unvouched_elsewhere, here: true }
  // What its author took back counts as done, and undone.
  if (applied || withdrawn || action.action === 'seen') return { kind: 'counts' }
  return { kind: 'changed nothing', because: because(alert, index) }
}

function because({ history, owner }: Pick<Alert, 'history' | 'owner'>, index: number): Because {
  const { action } = history[index] as Alert['history'][number]
  const holder = owner?.name ?? null
  const before = history.slice(0, index).filter((entry) => entry.applied && !entry.withdrawn)
  const ended = before.findLast((entry) => ['resolved', 'reopened', 'returned'].includes(entry.action.action))?.action
  if (ended?.action === 'resolved') return { why: 'resolved', by_name: ended.by_name, at: ended.at }
  if (ofHolder.has(action.action)) return { why: 'not theirs', holder }
  const held = before.findLast((entry) => taking.has(entry.action.action))?.action
  if (action.action !== 'acknowledged' || !held || held.by === action.by) return { why: 'other' }
  const ahead = action.at - held.at
  const { by, by_name, action: did } = held
  return { why: 'held', by, by_name, did, ahead: ahead > 0 ? ahead : null, holder }
}
