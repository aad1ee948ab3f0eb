import { compareInbox } from '../../../shared/inbox-order.ts'
import type { AlertCounts, DeskCallView, InboxChange } from '../../../shared/views.ts'
import {
  alertCounts,
  alertRow,
  alertRows,
  anyWatched,
  handedTo,
  unseenAlerts,
  type Database,
} from '../../store/console/index.ts'
import { newsOf, type Change } from '../changes.ts'
import type { Caller } from './context.ts'

/** What the inbox has to hear of, by key. */
export interface ChangedAlerts {
  keys: Set<string>
  /** Keys that are gone from where they stood, each with the school whose people could see it there; '' = everybody. */
  gone: Map<string, string>
  announce: Set<string>
  /** Alerts that were handed to somebody, or back, with whom they are for. */
  told: Map<string, string>
  /** Too much changed to name it. */
  everything: boolean
}

/** As many are pushed as rows; of more, the pages are asked for again. */
const mostRows = 100
/** Enough for a person; a flood is announced by its worst. */
const mostAnnounced = 50

/** What a commit means for the inbox; null = nothing. */
export function changedBy(db: Database, change: Change): ChangedAlerts | null {
  const keys = new Set([...change.alerts, ...change.gone].map(({ key }) => key).concat(change.sent, change.notified))
  // A new roster renames students in any row.
  // A caution message opens no alert; the watch list and its count follow without a row of their own.
  if (keys.size === 0 && change.called.length === 0 && !change.every_student && !anyWatched(db, change.sessions))
    return null
  const gone = new Map(change.gone.map(({ key, school_id }) => [key, school_id]))
  const told = new Map(change.alerts.flatMap(({ key, told }) => (told === null ? [] : [[key, told]])))
  return { keys, gone, announce: new Set(newsOf(change)), told, everything: change.every_student }
}

/**
 * What a subscription begins with: alerts that nobody has seen yet may have come while this window was
 * not listening, and so may any other change.
 */
export function firstChange({ parts, person }: Caller): ChangedAlerts {
  const unseen = unseenAlerts(parts.db, person.school_id, mostAnnounced)
  const handed = handedTo(parts.db, { school: person.school_id, person: person.id }, mostAnnounced)
  const told = new Map(handed.map((key) => [key, person.id]))
  return { keys: new Set([...unseen, ...handed]), gone: new Map(), announce: new Set(unseen), told, everything: true }
}

export function mergeChanged(a: ChangedAlerts, b: ChangedAlerts): ChangedAlerts {
  return {
    keys: a.keys.union(b.keys),
    // Where it was seen by everybody once, everybody hears that it is gone.
    gone: new Map([...a.gone, ...b.gone, ...[...a.gone].filter(([, school]) => school === '')]),
    announce: a.announce.union(b.announce),
    told: new Map([...a.told, ...b.told]),
    everything: a.everything || b.everything,
  }
}

/** The change as this person may see it: every row comes from the query of the inbox, with their school. */
export function inboxChange(caller: Caller, changed: ChangedAlerts): InboxChange {
  const { db } = caller.parts
  const school = caller.person.school_id
  const everything = changed.everything || changed.keys.size > mostRows
  const mine = new Set([...changed.told].flatMap(([key, to]) => (to === caller.person.id ? [key] : [])))
  const news = alertRows(db, school, [...changed.announce.union(mine)])
    // What was handed to this person, or back, concerns them although somebody holds it.
    .filter(({ key, state }) => state === 'open' || (mine.has(key) && state === 'acknowledged'))
    .sort(compareInbox)
    .slice(0, mostAnnounced)
  const rows = everything ? news : alertRows(db, school, [...changed.keys])
  const sawIt = (of: string): boolean => school === '' || of === '' || of === school
  const visible = new Set(rows.map(({ key }) => key))
  return {
    rows,
    removed: everything ? [] : [...changed.gone].flatMap(([key, of]) => (sawIt(of) && !visible.has(key) ? [key] : [])),
    announce: news.map(({ key }) => key),
    counts: countsOf(caller),
    calls: callsOf(caller),
    everything,
  }
}

/** Whom the ladder calls: this person, at this console, now. */
function callsOf({ parts, person }: Caller): DeskCallView[] {
  return parts.deskCalls.of(person.id).map(({ delivery_id, at, key }) => ({
    ...{ delivery_id, at },
    alert: key === null ? null : alertRow(parts.db, person.school_id, key),
  }))
}

export function countsOf({ parts, person }: Caller): AlertCounts {
  return alertCounts(parts.db, person.school_id, person.id, parts.clock.now())
}
