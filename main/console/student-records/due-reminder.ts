import { dueNotification, notificationWords as words } from '../../../shared/notification-words.ts'
import { minutes } from '../../../shared/time.ts'
import type { Clock, Shell } from '../../platform/ports.ts'
import { promises, type Database, type Promised } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { Windows } from '../identity/index.ts'
import { lookWhenDue } from './promises.ts'

export interface DueReminder {
  start(): void
  stop(): void
}

/** Whoever began to sit at a window without a word about it is noticed so soon. */
const lookForPeopleEvery = minutes(1)

/**
 * Tells the desktop, without names, once of each thing that rings nobody and has become due: to whose it is, as soon
 * as they sit at a window of this console. Reads rows, so restarts and sleep lose nothing.
 */
export function createDueReminder({
  db,
  changes,
  clock,
  shell,
  schoolId,
  windows,
}: {
  db: Database
  changes: Changes
  clock: Clock
  shell: Pick<Shell, 'notify'>
  /** The console's school, asked at every look; '' until it is named. */
  schoolId(): string
  windows: Pick<Windows, 'isHere' | 'listen'>
}): DueReminder {
  let stop = (): void => undefined
  let told = new Set<string>()
  /** Moved to another time, it becomes due once more. */
  const nameOf = ({ id, due_at }: Promised): string => `${due_at} ${id}`

  const look = (): number | null => {
    const now = clock.now()
    const quiet = promises(db, { school: schoolId() }).filter((promised) => promised.quiet)
    const due = quiet.filter(({ due_at }) => due_at <= now)
    told = told.intersection(new Set(due.map(nameOf)))
    const untold = due.filter((promised) => !told.has(nameOf(promised)))
    const news = untold.filter(({ owner }) => windows.isHere(owner))
    news.forEach((promised) => told.add(nameOf(promised)))
    if (news.length > 0) {
      const { title, body, urgent } = dueNotification
      shell.notify({ title, body: `${body} ${words.open}`, urgent })
    }
    const later = quiet.filter(({ due_at }) => due_at > now).map(({ due_at }) => due_at)
    const absent = news.length < untold.length ? [now + lookForPeopleEvery] : []
    return later.length + absent.length === 0 ? null : Math.min(...later, ...absent)
  }
  return {
    start() {
      let unlook = lookWhenDue({ changes, clock }, look)
      const unlisten = windows.listen(() => {
        unlook()
        unlook = lookWhenDue({ changes, clock }, look)
      })
      stop = () => {
        unlisten()
        unlook()
      }
    },
    stop: () => stop(),
  }
}
