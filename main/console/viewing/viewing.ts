/** Who has which alert open before them, here and at other consoles. Nothing of it is kept. */
import { alertViewedLasts, alertViewedRenewed, clockSkew } from '../../../shared/thresholds.ts'
import type { AlertViewed, WireEvent } from '../../../shared/events.ts'
import { seconds } from '../../../shared/time.ts'
import type { Alert } from '../../../shared/alerts.ts'
import type { Person } from '../../../shared/people.ts'
import type { AlertViewers } from '../../../shared/views.ts'
import type { Cancel, Clock, Randomness } from '../../platform/ports.ts'
import type { Changes } from '../changes.ts'

export interface Viewing {
  /** The alert is open before this person in a window that has the focus, until the answer is called. */
  look(alert: Alert, by: Person): () => void
  /** Who else looks at which alerts of this person's school. */
  others(than: Person): AlertViewers[]
  /** Calls `listener` whenever somebody has come or gone; the answer ends it. */
  listen(listener: () => void): () => void
  stop(): void
}

export interface ViewingOptions {
  changes: Pick<Changes, 'listen'>
  clock: Clock
  randomness: Pick<Randomness, 'uuid'>
  consoleId: string
  /** The console's school; '' until it is named. */
  schoolId(): string
  /** The alert behind a key or alias; null where there is none. */
  find(key: string): Pick<Alert, 'key'> | null
  /** Tells the other consoles, the latest of each `subject`; without effect where nobody would relay it. */
  say(subject: string, event: Extract<WireEvent, { event_type: 'ALERT_VIEWED' }>): void
}

/** Of one alert and person others hear no more often than this. */
const saidEvery = seconds(20)
/** As many are remembered of other consoles: far more than a school has people. */
const mostRemembered = 500

/** Somebody at this console. */
interface Own {
  alert: Alert
  by: Person
  windows: number
  /** What others heard last, and when; null = nothing. */
  said: { looking: boolean; at: number } | null
  cancel: Cancel
}

/** Somebody at another console. */
interface Other {
  key: string
  id: string
  name: string
  /** When they said so, by their clock: an older word changes nothing. */
  saidAt: number
  /** By ours; in the past = they have left. */
  until: number
}

export function createViewing(options: ViewingOptions): Viewing {
  const { changes, clock, randomness, consoleId, schoolId, find, say } = options
  const own = new Map<string, Own>()
  const others = new Map<string, Other>()
  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach((listener) => listener())

  const nameOf = (key: string, person: string): string => JSON.stringify([key, person])

  /** Tells others what is so, now or as soon as they may hear of it again; and again while it stays so. */
  const settle = (name: string, entry: Own): void => {
    entry.cancel()
    const { said } = entry
    const looking = entry.windows > 0
    if (!looking && said === null) return void own.delete(name)
    const pause = looking && said?.looking === true ? alertViewedRenewed : saidEvery
    const age = said === null ? pause : clock.now() - said.at
    // A clock that was set back must not keep anybody from hearing it.
    const wait = age < 0 ? 0 : pause - age
    if (wait > 0) {
      entry.cancel = clock.after(wait, () => settle(name, entry))
      return
    }
    if (!looking && said?.looking === false) return void own.delete(name)
    entry.said = { looking, at: clock.now() }
    say(name, eventOf(entry, looking))
    settle(name, entry)
  }
  const eventOf = ({ alert, by }: Own, looking: boolean) => {
    const now = clock.now()
    return {
      schema_version: 2,
      event_type: 'ALERT_VIEWED',
      idempotency_key: randomness.uuid(),
      timestamp: new Date(now).toISOString(),
      until: new Date(looking ? now + alertViewedLasts : now).toISOString(),
      ...(alert.school_id !== null && { school_id: alert.school_id }),
      session_id: alert.session_id,
      student_hash: alert.student_hash,
      alert_key: alert.key,
      console_id: consoleId,
      by: by.id,
      by_name: by.name,
    } as const
  }

  const hear = ({ alert_key, by, by_name, console_id, timestamp, until }: AlertViewed): void => {
    const now = clock.now()
    // Clocks of consoles differ: how long it lasts is theirs, from when is ours.
    if (console_id === consoleId || Math.abs(now - timestamp) > alertViewedLasts + clockSkew) return
    const name = JSON.stringify([alert_key, by, console_id])
    const before = others.get(name)
    if (before && before.saidAt >= timestamp) return
    const lasts = Math.min(until - timestamp, alertViewedLasts)
    others.delete(name)
    others.set(name, { key: alert_key, id: by, name: by_name ?? by, saidAt: timestamp, until: now + lasts })
    for (const [oldest] of others) {
      if (others.size <= mostRemembered) break
      others.delete(oldest)
    }
  }
  let cancelExpiry: Cancel = () => undefined
  /** Who has left, or has not been heard of again, is gone without a word. */
  const expire = (): void => {
    cancelExpiry()
    const now = clock.now()
    for (const [name, { until }] of others) if (isOver(until, now - alertViewedLasts)) others.delete(name)
    const next = [...others.values()].map(({ until }) => until).filter((until) => until > now)
    const wait = Math.min(...next, now + alertViewedLasts) - now
    if (others.size > 0)
      cancelExpiry = clock.after(wait, () => {
        expire()
        tell()
      })
  }
  const unlisten = changes.listen(({ viewed }) => {
    const ours = viewed.filter(({ school_id }) => school_id !== undefined && school_id === schoolId())
    if (ours.length === 0) return
    ours.forEach(hear)
    expire()
    tell()
  })

  return {
    look(alert, by) {
      const name = nameOf(alert.key, by.id)
      const entry = own.get(name) ?? { alert, by, windows: 0, said: null, cancel: () => undefined }
      own.set(name, entry)
      entry.windows += 1
      settle(name, entry)
      tell()
      let left = false
      return () => {
        if (left) return
        left = true
        entry.windows -= 1
        settle(name, entry)
        tell()
      }
    },
    others(than) {
      const now = clock.now()
      const looking = [
        ...[...own.values()]
          .filter(({ windows, by }) => windows > 0 && by.school_id === than.school_id)
          .map(({ alert: { key }, by: { id, name } }) => ({ key, id, name })),
        ...(than.school_id === schoolId() ? [...others.values()].filter(({ until }) => !isOver(until, now)) : []),
      ]
      const found = new Map<string, Map<string, string>>()
      for (const { key, id, name } of looking) {
        if (id === than.id) continue
        const current = find(key)?.key ?? key
        found.set(current, (found.get(current) ?? new Map<string, string>()).set(id, name))
      }
      return [...found].map(([key, names]) => ({ key, names: [...names.values()].sort() }))
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop() {
      unlisten()
      cancelExpiry()
      own.forEach(({ cancel }) => cancel())
    },
  }
}

/** Past, or so far ahead that a clock was set back since. */
function isOver(until: number, now: number): boolean {
  return until <= now || until > now + 2 * alertViewedLasts
}
