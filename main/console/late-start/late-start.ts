/** What came while this console was off: settled once it has been received, told once, and gone through by each person. */
import { z } from 'zod'
import { lateStartNotification, notificationWords } from '../../../shared/notification-words.ts'
import { backlogWithin, notifyTarget } from '../../../shared/thresholds.ts'
import { seconds } from '../../../shared/time.ts'
import type { LateStartView } from '../../../shared/views.ts'
import type { Cancel, Clock, Logger, Shell } from '../../platform/ports.ts'
import { raisedBetween, readSetting, writeSetting, type Database, type RaisedAlert } from '../../store/console/index.ts'
import type { Changes } from '../changes.ts'
import type { ConnectionState } from '../event-queue/index.ts'
import { watchAbsences } from './absences.ts'

/** A person as far as this is about them. */
interface Who {
  id: string
  school_id: string
}

export interface LateStart {
  /** What came while the console was off and this person has not gone through; null = nothing. */
  view(of: Who): LateStartView | null
  /** The alerts of it, oldest first. */
  alerts(of: Who): RaisedAlert[]
  /** This person has it before them: from now on it opens by itself for them no more. */
  opened(of: Who, number: number): void
  /** This person has gone through all that there was; `number`: up to which absence, as their view said. */
  finished(of: Who, number: number): void
  /**
   * Whether the one notification about everything that came meanwhile speaks for this alert. For what is fresh it
   * never does: that is told at once.
   */
  speaksFor(alert: { last_trigger_at: number; reopened: { at: number } | null }): boolean
  /** Calls `listener` whenever a view may be another; the answer ends it. */
  listen(listener: () => void): () => void
  /** From now on the desktop is told. */
  start(): void
  stop(): void
}

export interface LateStartOptions {
  db: Database
  changes: Changes
  clock: Clock
  logger: Logger
  shell: Pick<Shell, 'notify'>
  /** The console's school, asked at every look; '' until it is named. */
  schoolId(): string
  connection(): Pick<ConnectionState, 'state' | 'since'>
}

/** Nothing more came from the queue for so long: the backlog is drained. */
const quietFor = seconds(2)
const lookEvery = seconds(0.5)

const progressSchema = z.object({ opened: z.number(), finished: z.number() })
type Progress = z.infer<typeof progressSchema>

/** Made before anything is received; begins to follow absences at once. */
export function createLateStart(options: LateStartOptions): LateStart {
  const { db, changes, clock, logger, shell, schoolId, connection } = options
  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach((listener) => listener())
  /** Since when the backlog is awaited; null = it was received. */
  let awaiting: number | null = null
  let lastCommit = -Infinity
  let started = false
  let cancel: Cancel = () => undefined

  const wait = (): void => {
    awaiting = clock.now()
    cancel()
    cancel = clock.after(lookEvery, look)
    tell()
  }
  const look = (): void => {
    if (awaiting === null) return
    if (!started || !isReceived(awaiting)) {
      cancel = clock.after(lookEvery, look)
      return
    }
    awaiting = null
    try {
      notify()
      absences.told()
    } catch (error) {
      logger.warn({ error }, 'what came while the console was off could not be read; the inbox has it')
    }
    tell()
  }
  const isReceived = (since: number): boolean => {
    const now = clock.now()
    // A clock that was set back must not keep anybody waiting.
    if (now < since || now - since >= backlogWithin) return true
    const { state, since: connected } = connection()
    return state === 'connected' && now - Math.max(since, connected, lastCommit) >= quietFor
  }
  const untold = () => absences.all().filter(({ told }) => !told)
  const notify = (): void => {
    const came = countsOf(raisedIn(db, schoolId(), untold()))
    if (came.open === 0) return
    const { title, body, urgent } = lateStartNotification(came)
    shell.notify({ title, body: `${body} ${notificationWords.open}`, urgent })
  }

  const absences = watchAbsences({ db, clock, logger, onAbsence: () => wait() })
  if (untold().length > 0) wait()
  const unlisten = changes.listen(({ alerts, gone, confirmed, every_student }) => {
    // After a sleep the backlog may come before any timer.
    absences.look()
    if (confirmed.length > 0) lastCommit = clock.now()
    if (alerts.length + gone.length > 0 || every_student) tell()
  })

  const nameOf = ({ id, school_id }: Who): string => `late_start ${JSON.stringify([school_id, id])}`
  const progressOf = (of: Who): Progress => readProgress(readSetting(db, nameOf(of)))
  const isPending = (of: Who) => {
    const { finished } = progressOf(of)
    return absences.all().filter(({ number }) => number > finished)
  }
  const keep = (of: Who, progress: Progress): void => {
    writeSetting(db, nameOf(of), JSON.stringify(progress))
    tell()
  }

  return {
    view(of) {
      const pending = isPending(of)
      const [first] = pending
      const last = pending.at(-1)
      if (!first || !last) return null
      const came = raisedIn(db, of.school_id, pending)
      if (came.length === 0) return null
      return {
        number: last.number,
        from: first.from,
        until: last.until,
        ...countsOf(came),
        settled: awaiting === null,
        opened: progressOf(of).opened >= last.number,
      }
    },
    alerts: (of) => raisedIn(db, of.school_id, isPending(of)),
    opened: (of, number) => keep(of, { ...progressOf(of), opened: number }),
    finished: (of, number) => keep(of, { opened: number, finished: number }),
    speaksFor({ last_trigger_at, reopened }) {
      if (awaiting === null || reopened !== null) return false
      if (clock.now() - last_trigger_at < notifyTarget) return false
      return untold().some(({ from, until }) => last_trigger_at >= from && last_trigger_at <= until)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start() {
      started = true
    },
    stop() {
      cancel()
      unlisten()
      absences.stop()
    },
  }
}

function countsOf(came: readonly RaisedAlert[]) {
  const open = came.filter(({ state }) => state === 'open')
  return {
    arrived: came.length,
    unacknowledged: open.filter(({ acknowledged_at }) => acknowledged_at === null).length,
    open: open.length,
    open_crises: open.filter(({ tier }) => tier === 'crisis').length,
  }
}

/** The alerts of some absences, each once, oldest first. */
function raisedIn(db: Database, school: string, absences: readonly { from: number; until: number }[]): RaisedAlert[] {
  const found = new Map<string, RaisedAlert>()
  for (const { from, until } of absences)
    for (const alert of raisedBetween(db, { school, from, until }))
      if (!found.has(alert.key)) found.set(alert.key, alert)
  return [...found.values()].sort((a, b) => a.raised_at - b.raised_at || (a.key < b.key ? -1 : 1))
}

function readProgress(text: string | undefined): Progress {
  try {
    return progressSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return { opened: 0, finished: 0 }
  }
}
