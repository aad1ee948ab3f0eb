import { minutes, seconds } from '../../../shared/time.ts'
import type { Ports } from '../../platform/ports.ts'
import { alertRow, openCounts, type Database, type Touched } from '../../store/console/index.ts'

export interface Announcer {
  /** Tells the desktop of alerts that are news, and how many wait. */
  tell(touched: Touched): void
  /** A body that names a crisis could not be read: an alarm of its own. */
  unreadableCrisis(): void
}

/** In a flood one notification stands for many; the badge has the number. */
const apart = seconds(3)
/** From here on an alert is called late. */
const late = minutes(5)

/** Notifications that name nobody and quote nothing. */
export function createAnnouncer(
  db: Database,
  { clock, shell }: Pick<Ports, 'clock' | 'shell'>,
  schoolId: () => string,
): Announcer {
  let last = { at: -Infinity, urgent: false }
  const notify = (title: string, body: string, urgent: boolean): void => {
    const now = clock.now()
    if (now - last.at < apart && (last.urgent || !urgent)) return
    last = { at: now, urgent }
    shell.notify({ title, body, urgent })
  }
  return {
    tell(touched) {
      const news = touched.alerts
        .filter(({ opened, reopened, worse }) => opened || reopened || worse)
        .map(({ key }) => alertRow(db, schoolId(), key))
        .filter((row) => row?.state === 'open')
      const urgent = news.some((row) => row?.tier === 'crisis')
      const fresh = news.some((row) => (row?.late_by_ms ?? 0) < late)
      if (news.length > 0) {
        const title = `${fresh ? '' : 'Late: '}${urgent ? 'crisis alert' : 'alert'}`
        notify(
          title.charAt(0).toUpperCase() + title.slice(1),
          fresh
            ? 'A student may need help now. Open PsyFlo Console.'
            : 'It was raised a while ago and has reached this console only now. Open PsyFlo Console.',
          urgent,
        )
      }
      shell.badge(openCounts(db, schoolId()).unacknowledged)
    },
    unreadableCrisis: () =>
      notify('A crisis event could not be read', 'It is kept. Open PsyFlo Console to see it.', true),
  }
}
