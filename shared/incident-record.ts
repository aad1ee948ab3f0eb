/**
 * The record of one incident: everything that this console knows of an alert, in the order in which it happened. Pure;
 * times are UTC milliseconds. The student’s words are not in it: whoever wants them says why, and gets them apart.
 */
import type { ActionKind, Disposition } from './actions.ts'
import { compareText, type Alert, type AlertState, type Commitment, type Trigger } from './alerts.ts'
import type { StudentRecord } from './events.ts'
import type { Role } from './people.ts'
import { tierRank, type PatternCategory } from './risk.ts'
import type { FollowUpEnd } from './student-records.ts'
import { saysLateAfter } from './thresholds.ts'
import type { ActionView, NotificationView, StepView, StudentLabel, Unopened } from './views.ts'

/** One message that raised the alert, or joined it; two events about one message are one moment. */
export interface IncidentMoment {
  /** From 1, in order of time. */
  number: number
  /** When the student said it; null where the sender did not tell. */
  said_at: number | null
  /** When it was recognized. */
  detected_at: number
  /** When it came to this console. */
  received_at: number
  tier: Alert['tier']
  categories: PatternCategory[]
  about_other: boolean
}

/** One line of the timeline. */
export type IncidentEntry = { id: string; at: number } & (
  | { kind: 'moment'; moment: IncidentMoment }
  /** A message that came over a minute after it was recognized, at the time at which it came. */
  | { kind: 'arrived'; moment: IncidentMoment; late_by: number }
  | { kind: 'seen'; by_name: string }
  /** A rung of the ladder, or a person told by one way; `at` = when it was begun. */
  | { kind: 'notified'; told: NotificationView }
  | {
      kind: 'action'
      action: ActionView
      /** Told later than it was done, by another system or for an older time. */
      told: boolean
      /** When its author corrected this note. */
      corrected_at: number | null
      /** What this corrects, takes back, keeps or moves. */
      about: { kind: ActionKind; at: number; by_name: string; what: string | null } | null
    }
  | { kind: 'plan saved'; by_name: string }
  | {
      kind: 'follow-up'
      by_name: string
      /** `moved`: it was set before. */
      what: 'set' | 'moved' | FollowUpEnd
      next_action: string | null
      due_at: number | null
      owner_name: string | null
      note: string | null
    }
)

/** Something to do that outlives the alert, as it stands. */
export interface IncidentFollowUp {
  id: string
  /** Null where its words do not open here. */
  what: string | null
  due_at: number
  owner_name: string
  set_by: string
  ended: { at: number; by_name: string; outcome: FollowUpEnd } | null
}

export interface IncidentRecord {
  /** Known by this key from now on. */
  key: string
  made: { at: number; by_name: string; role: Role }
  school_name: string | null
  /** Of the demonstration: nobody in it exists. */
  demo: boolean
  /** IANA name: the zone of every time in it. */
  time_zone: string
  student: StudentLabel
  /** The school's own id of the student; null where the roster does not know them. */
  student_id: string | null
  counselor: string | null
  tier: Alert['tier']
  categories: PatternCategory[]
  about_other: boolean
  state: AlertState
  owner_name: string | null
  clocks: {
    said: number | null
    received: number
    first_seen: number | null
    acknowledged: { at: number; by_name: string } | null
  }
  moments: IncidentMoment[]
  timeline: IncidentEntry[]
  /** Some notification of it is known. */
  notified: boolean
  steps: StepView[]
  /** Words that do not open here are ''. */
  commitments: Commitment[]
  follow_ups: IncidentFollowUp[]
  resolved: {
    at: number
    by_name: string
    disposition: Disposition
    note: string | null
    /** Why steps that the school requires were left out. */
    reason: string | null
  } | null
  /** Whether the student has a safety plan; `hidden` = this role is not told. */
  safety_plan: { saved_at: number; by_name: string; versions: number } | 'none' | 'hidden'
  /** The present person may include the student's words and their safety plan. */
  may_reveal: boolean
  has_evidence: boolean
}

/** The words of one message that raised the alert, and nothing beside them. */
export interface IncidentWords {
  at: number
  /** Null where they are not kept here, or do not open. */
  text: string | null
  unopened: Unopened | null
}

/** The messages behind an alert, each once, in order of time. */
export function momentsOf(triggers: readonly Trigger[]): IncidentMoment[] {
  const byMessage = new Map<string, Trigger[]>()
  for (const trigger of triggers) {
    const message = trigger.message_id === null ? `alone ${trigger.id}` : `message ${trigger.message_id}`
    byMessage.set(message, [...(byMessage.get(message) ?? []), trigger])
  }
  return [...byMessage.values()]
    .map((same): Omit<IncidentMoment, 'number'> => ({
      said_at: same.find(({ occurred_at }) => occurred_at !== null)?.occurred_at ?? null,
      detected_at: Math.min(...same.map(({ at }) => at)),
      received_at: Math.min(...same.map(({ received_at }) => received_at)),
      tier: same.reduce<Alert['tier']>((worst, { tier }) => (tierRank(tier) > tierRank(worst) ? tier : worst), 'high'),
      categories: [...new Set(same.flatMap(({ categories }) => categories))],
      about_other: same.every(({ about_other }) => about_other),
    }))
    .sort((a, b) => toldAt(a) - toldAt(b))
    .map((moment, index) => ({ number: index + 1, ...moment }))
}

const toldAt = ({ said_at, detected_at }: Omit<IncidentMoment, 'number'>): number => said_at ?? detected_at

/** What came first of one instant stands first. */
const ranks: Record<IncidentEntry['kind'], number> = {
  moment: 0,
  arrived: 1,
  notified: 2,
  seen: 3,
  action: 4,
  'plan saved': 5,
  'follow-up': 6,
}

/**
 * Everything about an alert in its order: by time, and what people did in the order in which it counts, even where one
 * console's clock was behind. Nothing is left out: what was undone, corrected, or changed nothing stands where it was
 * done. `actions`: those of the alert's history as the screens are told them; `records`: those about the student, the
 * last word first, of which those that belong to the alert are taken.
 */
export function incidentTimeline(of: {
  alert: Alert
  actions: readonly ActionView[]
  notifications: readonly NotificationView[]
  records: readonly StudentRecord[]
}): IncidentEntry[] {
  const { alert, actions, notifications, records } = of
  const placed: { place: number; nth: number; entry: IncidentEntry }[] = []
  const put = (entry: IncidentEntry, place = entry.at): void => void placed.push({ place, nth: placed.length, entry })

  for (const moment of momentsOf(alert.triggers)) {
    put({ id: `moment ${moment.number}`, at: toldAt(moment), kind: 'moment', moment })
    const late_by = moment.received_at - moment.detected_at
    if (late_by > saysLateAfter)
      put({ id: `arrived ${moment.number}`, at: moment.received_at, kind: 'arrived', moment, late_by })
  }
  for (const told of notifications)
    put({ id: `${told.escalated ? 'rung' : 'told'} ${told.id}`, at: told.at, kind: 'notified', told })

  const views = new Map(actions.map((action) => [action.id, action]))
  const times = triggerTimes(alert)
  for (const { action, applied } of alert.history) {
    const { id, at, by_name } = action
    // Nobody acts on what has not happened: the same place as in the reduction, whatever a clock said.
    const place = action.covers.reduce((latest, name) => Math.max(latest, times.get(name) ?? latest), at)
    if (action.action === 'seen') {
      if (applied) put({ id, at, kind: 'seen', by_name }, place)
      continue
    }
    const view = views.get(id)
    if (!view) continue
    const corrected = actions.findLast((other) => other.applied && other.corrects === id)
    put(
      {
        ...{ id, at, kind: 'action', action: view, told: action.backfill === true },
        corrected_at: corrected?.at ?? null,
        about: aboutOf(view, views, alert),
      },
      place,
    )
  }
  for (const entry of recordEntries(alert, records)) put(entry)

  return placed
    .toSorted(
      (a, b) =>
        a.place - b.place ||
        ranks[a.entry.kind] - ranks[b.entry.kind] ||
        (a.entry.kind === 'action' ? a.nth - b.nth : byLadder(a.entry, b.entry) || compareText(a.entry.id, b.entry.id)),
    )
    .map(({ entry }) => entry)
}

/** Rungs that came at once stand in the order of the ladder, before whom they told: their ids are in none. */
function byLadder(a: IncidentEntry, b: IncidentEntry): number {
  if (a.kind !== 'notified' || b.kind !== 'notified') return 0
  return Number(b.told.escalated) - Number(a.told.escalated) || (a.told.rung ?? -1) - (b.told.rung ?? -1)
}

/** When each trigger was, by the names under which actions cover it. */
function triggerTimes({ triggers }: Alert): Map<string, number> {
  const times = new Map<string, number>()
  for (const { id, idempotency_key, at } of triggers)
    for (const name of [id, idempotency_key]) times.set(name, Math.max(times.get(name) ?? at, at))
  return times
}

/** The earlier record that an action speaks of. */
function aboutOf(
  { corrects, withdraws, commitment }: ActionView,
  views: ReadonlyMap<string, ActionView>,
  { commitments }: Alert,
) {
  const named = views.get(corrects ?? withdraws ?? commitment ?? '')
  if (!named) return null
  const { kind, at, by_name, next_action } = named
  const what = commitments.find(({ id }) => id === commitment)?.what
  return { kind, at, by_name, what: next_action ?? (what || null) }
}

/** Follow-ups that were set from this alert, and the plans saved while it lasted. */
function recordEntries(alert: Alert, records: readonly StudentRecord[]): IncidentEntry[] {
  const own = followUpsFrom(alert, records)
  const until = alert.resolved?.at ?? Infinity
  return records.flatMap((record): IncidentEntry[] => {
    const { ack_id, at, by, by_name = by } = record
    const id = `record ${ack_id}`
    if (record.event_type === 'SAFETY_PLAN_SAVED')
      return at >= alert.opened_at && at <= until ? [{ id, at, kind: 'plan saved', by_name }] : []
    if (!own.has(record.follow_up)) return []
    if (record.event_type === 'FOLLOW_UP_DONE') {
      const { outcome, note = null } = record
      const ended = { next_action: null, due_at: null, owner_name: null, note }
      return [{ id, at, kind: 'follow-up', by_name, what: outcome, ...ended }]
    }
    const { next_action = null, due_at, owner, owner_name = owner } = record
    const what = record.follow_up === ack_id ? 'set' : 'moved'
    return [{ id, at, kind: 'follow-up', by_name, what, next_action, due_at, owner_name, note: null }]
  })
}

/** Ids of the follow-ups that were set from this alert. */
function followUpsFrom({ aliases }: Pick<Alert, 'aliases'>, records: readonly StudentRecord[]): Set<string> {
  return new Set(
    records.flatMap((record) =>
      record.event_type === 'FOLLOW_UP_SET' && aliases.includes(record.alert_key ?? '') ? [record.follow_up] : [],
    ),
  )
}

/** The follow-ups that were set from this alert as they stand, due first before. `records`: the last word first. */
export function incidentFollowUps(
  alert: Pick<Alert, 'aliases'>,
  records: readonly StudentRecord[],
): IncidentFollowUp[] {
  const own = followUpsFrom(alert, records)
  return [...own]
    .flatMap((follow_up): IncidentFollowUp[] => {
      const said = records.filter((record) => 'follow_up' in record && record.follow_up === follow_up)
      const set = said.find((record) => record.event_type === 'FOLLOW_UP_SET')
      if (set === undefined) return []
      const [last] = said
      const ended = last?.event_type === 'FOLLOW_UP_DONE' ? last : null
      const { next_action = null, due_at, owner, owner_name = owner, by, by_name = by } = set
      return [
        {
          id: follow_up,
          what: next_action,
          due_at,
          owner_name,
          set_by: by_name,
          ended: ended && { at: ended.at, by_name: ended.by_name ?? ended.by, outcome: ended.outcome },
        },
      ]
    })
    .sort((a, b) => a.due_at - b.due_at || compareText(a.id, b.id))
}
