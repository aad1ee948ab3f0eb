import {
  callNotification,
  handOffNotification,
  notificationOf,
  notificationWords as words,
  outageNotification,
  unreadableNotification,
  type NotificationText,
} from '../../../shared/notification-words.ts'
import { desktopAnswersWithin } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import type { AlertRow } from '../../../shared/views.ts'
import type { Clock, Shell } from '../../platform/ports.ts'
import { alertRow, handedCounts, openCounts, type Database } from '../../store/console/index.ts'
import { newsOf, type Change, type Changes } from '../changes.ts'

export interface Announcer {
  /** From now on changes are news; what was told before stays untold. */
  start(): void
  /** Tells the desktop that the ladder calls somebody who sits here, of alerts of which it was not told a moment ago. */
  call(calls: readonly { key: string | null; tier: 'high' | 'crisis' | null }[]): void
  stop(): void
}

/** In a flood one notification stands for many; the badge has the number. */
const apart = seconds(3)

/** Tells the desktop of alerts that are news, and how many wait. Notifications name nobody and quote nothing. */
export function createAnnouncer({
  db,
  changes,
  clock,
  shell,
  schoolId,
  isHere,
  speaksForLate = () => false,
}: {
  db: Database
  changes: Changes
  clock: Clock
  shell: Shell
  schoolId(): string
  /** Whether a person is signed in at a window of this console. */
  isHere(personId: string): boolean
  /** Whether an alert is told with everything that came while the console was off. */
  speaksForLate?: (alert: AlertRow) => boolean
}): Announcer {
  let last = { at: -Infinity, urgent: false }
  let unlisten = (): void => undefined
  const notify = ({ title, body, urgent }: NotificationText, { always = false } = {}): void => {
    const now = clock.now()
    // A clock that was set back makes the last one seem to be still to come: then it counts as long ago.
    const soon = now >= last.at && now - last.at < apart
    if (!always && soon && (last.urgent || !urgent)) return
    last = { at: now, urgent }
    shell.notify({ title, body: `${body} ${words.open}`, urgent })
  }
  /** When the desktop was told of which alert. */
  let toldOf = new Map<string, number>()
  const remember = (keys: readonly string[]): void => {
    const now = clock.now()
    toldOf = new Map([...toldOf].filter(([, at]) => Math.abs(now - at) < desktopAnswersWithin))
    for (const key of keys) toldOf.set(key, now)
  }
  let outage: AbortController | null = null
  /** Once, whatever else was said just before, and until it is over. */
  const tellOutage = (isNow: boolean): void => {
    if (isNow && outage !== null) return
    outage?.abort()
    outage = isNow ? new AbortController() : null
    if (outage === null) return
    const { title, body, urgent } = outageNotification
    shell.notify({ title, body: `${body} ${words.open}`, urgent, until: outage.signal })
  }
  const tell = (change: Change): void => {
    if (change.outage !== null) tellOutage(change.outage.now !== null)
    if (change.quarantined.crises > 0) notify(unreadableNotification)
    if (change.alerts.length + change.gone.length === 0) return
    const opened = new Set(change.alerts.filter((alert) => alert.opened).map(({ key }) => key))
    const news = newsOf(change).flatMap((key) => {
      const row = alertRow(db, schoolId(), key)
      // An action that came before its alert must not close it unheard.
      return row && (row.state === 'open' || opened.has(row.key)) && !speaksForLate(row) ? row : []
    })
    if (news.length > 0) notify(notificationOf(news, clock.now()))
    remember(news.map(({ key }) => key))
    const handed = change.alerts.flatMap(({ key, told }) => {
      const row = told !== null && isHere(told) ? alertRow(db, schoolId(), key) : null
      return row && row.state !== 'resolved' ? row : []
    })
    // For one person, who may not look at what was said of all: it is never one of many.
    if (handed.length > 0) notify(handOffNotification(handed), { always: true })
    remember(handed.map(({ key }) => key))
    const waiting = handedCounts(db, schoolId()).filter(({ person }) => isHere(person))
    shell.badge(waiting.reduce((sum, { alerts }) => sum + alerts, openCounts(db, schoolId()).unacknowledged))
  }
  return {
    start() {
      unlisten = changes.listen(tell)
    },
    call(calls) {
      remember([])
      const unheard = calls.filter(({ key }) => key === null || !toldOf.has(key))
      if (unheard.length > 0) notify(callNotification(unheard.map(({ tier }) => tier)))
      remember(unheard.flatMap(({ key }) => key ?? []))
    },
    stop: () => unlisten(),
  }
}
