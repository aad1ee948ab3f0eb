/** Whoever did something is told what became of it, where that is not what they saw when they did it. */
import type { Alert } from '../../../shared/alerts.ts'
import { refusalOf, whatBecame, type Became } from '../../../shared/outcome-of-action.ts'
import { minutes } from '../../../shared/time.ts'
import type { Clock } from '../../platform/ports.ts'
import {
  dropActionReport,
  ownActions,
  putActionReport,
  type Database,
  type EventLog,
  type OwnAction,
} from '../../store/console/index.ts'
import type { Change, Changes } from '../changes.ts'

export interface ActionReporter {
  start(): void
  stop(): void
}

/** As a report is kept. */
const kept = {
  counts: 'arrived',
  refused: 'refused',
  unvouched: 'refused',
  'changed nothing': 'changed nothing',
} as const

/** What could not be sent for so long was done offline: its author hears that it has arrived. */
const waitsLong = minutes(10)

/** Looks at every alert that changed: what was done here and has come back, in the order that it was given. */
export function createActionReporter({
  db,
  changes,
  eventLog,
  clock,
}: {
  db: Database
  changes: Changes
  eventLog: Pick<EventLog, 'alertsOf' | 'alertBehind'>
  clock: Clock
}): ActionReporter {
  let unlisten = (): void => undefined

  const report = (own: OwnAction, alerts: readonly Alert[]): boolean => {
    const became = outcomeOf(own, alerts)
    if (became === null) return false
    const waited = own.sent_at !== null && own.sent_at - own.created_at >= waitsLong
    if (became.kind === 'counts' && !waited) return dropActionReport(db, own.id)
    const kind = kept[became.kind]
    const of = { action_id: own.id, person_id: own.by, alert_key: own.alert_key, became: kind, waited }
    return putActionReport(db, of, clock.now())
  }
  const look = ({ alerts: changed }: Change): void => {
    const sessions = new Map<string, { school_id: string; session_id: string }>()
    for (const { key } of changed) {
      const alert = eventLog.alertBehind(key)
      if (!alert) continue
      const of = { school_id: alert.school_id ?? '', session_id: alert.session_id }
      sessions.set(JSON.stringify(of), of)
    }
    const told = new Set<string>()
    for (const of of sessions.values()) {
      const own = ownActions(db, of)
      if (own.length === 0) continue
      const alerts = eventLog.alertsOf(of.school_id, of.session_id)
      for (const each of own) if (report(each, alerts)) told.add(each.by)
    }
    if (told.size > 0) changes.tell({ reported: [...told] })
  }
  return {
    start() {
      unlisten = changes.listen(({ alerts, ...rest }) => {
        if (alerts.length > 0) look({ alerts, ...rest })
      })
    },
    stop: () => unlisten(),
  }
}

/** What became of an action once a station has given it its place, or refused it; null = it is still on its way. */
function outcomeOf(own: OwnAction, alerts: readonly Alert[]): Became | null {
  const found = alerts.flatMap((alert) => whatBecame(alert, own.id) ?? [])
  const refused = found.find(({ kind }) => kind === 'refused' || kind === 'unvouched')
  if (refused) return refused
  if (own.confirmed_at === null)
    return alerts.map((alert) => refusalOf(alert, own.id)).find((each) => each !== null) ?? null
  // Where its alert was parted, it may count for one part alone.
  return found.find(({ kind }) => kind === 'counts') ?? found[0] ?? null
}
