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
    if (now - last.at < apart && (last.urgent || !urgent)) return
    last = { at: now, urgent }
    shell.notify({ title, body: `${body} ${words.open}`, urgent })
  }
  const tell = (change: Change): void => {
    if (change.quarantined.crises > 0) notify(words.unreadable.title, words.unreadable.body, true)
    if (change.alerts.length + change.merged.length === 0) return
    const opened = new Set(change.alerts.filter((alert) => alert.opened).map(({ key }) => key))
    const news = newsOf(change)
      .map((key) => alertRow(db, schoolId(), key))
      // An action that came before its alert must not close it unheard.
      .filter((row) => row && (row.state === 'open' || opened.has(row.key)))
    if (news.length > 0) {
      const urgent = news.some((row) => row?.tier === 'crisis')
      const fresh = news.some((row) => (row?.late_by_ms ?? 0) < notifyTarget)
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
