import { notificationWords as words } from '../../../shared/notification-words.ts'
import { notifyTarget } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock, Shell } from '../../platform/ports.ts'
import { alertRow, openCounts, type Database } from '../../store/console/index.ts'
import { newsOf, type Change, type Changes } from '../changes.ts'

export interface Announcer {
  /** From now on changes are news; what was told before stays untold. */
  start(): void
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
}: {
  db: Database
  changes: Changes
  clock: Clock
  shell: Shell
  schoolId(): string
}): Announcer {
  let last = { at: -Infinity, urgent: false }
  let unlisten = (): void => undefined
  const notify = (title: string, body: string, urgent: boolean): void => {
    const now = clock.now()
    // A clock that was set back makes the last one seem to be still to come: then it counts as long ago.
    const soon = now >= last.at && now - last.at < apart
    if (soon && (last.urgent || !urgent)) return
    last = { at: now, urgent }
    shell.notify({ title, body: `${body} ${words.open}`, urgent })
  }
  const tell = (change: Change): void => {
    if (change.quarantined.crises > 0) notify(words.unreadable.title, words.unreadable.body, true)
    if (change.alerts.length + change.gone.length === 0) return
    const opened = new Set(change.alerts.filter((alert) => alert.opened).map(({ key }) => key))
    const news = newsOf(change)
      .map((key) => alertRow(db, schoolId(), key))
      // An action that came before its alert must not close it unheard.
      .filter((row) => row && (row.state === 'open' || opened.has(row.key)))
    if (news.length > 0) {
      const urgent = news.some((row) => row?.tier === 'crisis')
      // From the event to now: what waited in quarantine is late, although it was received in time.
      const fresh = news.some(
        (row) => row && clock.now() - Math.max(row.last_trigger_at, row.reopened?.at ?? 0) < notifyTarget,
      )
      const { title, lateTitle } = words[urgent ? 'crisis' : 'high']
      notify(fresh ? title : lateTitle, fresh ? words.body : words.lateBody, urgent)
    }
    shell.badge(openCounts(db, schoolId()).unacknowledged)
  }
  return {
    start() {
      unlisten = changes.listen(tell)
    },
    stop: () => unlisten(),
  }
}
