import { hours, minutes } from '../../../shared/time.ts'
import type { Cancel, Clock } from '../../platform/ports.ts'

/** How long somebody stays signed in at a window without signing out. */
const sessionLasts = hours(12)

/** Who sits at which window. A window is a browser session or an Electron window. */
export interface Windows {
  /** Null = nobody is signed in there. */
  personAt(windowId: string): string | null
  /** Whether a person sits at any window. */
  isHere(personId: string): boolean
  /** Signs a person in at a window, until they sign out, 12 hours have passed, or the program stops. */
  seat(windowId: string, personId: string): void
  /** Signs out whoever sits there. */
  leave(windowId: string): void
  /** Signs a person out everywhere but at `except`. */
  leaveEverywhere(personId: string, except?: string): void
  /** Tells the windows at which a person sits that something about them, such as the role, is another. */
  told(personId: string): void
  /** Calls `listener` with the window whose person is another than before; the answer ends it. */
  listen(listener: (windowId: string) => void): () => void
  stop(): void
}

interface Seat {
  /** Null = whoever begins here has signed out. */
  personId: string | null
  until: number
  cancel: Cancel
}

/**
 * `first` is the person of the sign-in token, or of the demonstration; null = nobody. `every` window begins with
 * them; or, where people have accounts, the `first` one alone: another window may be somebody else's.
 */
export function createWindows(first: string | null, clock: Clock, begins: 'every' | 'first' = 'every'): Windows {
  const seats = new Map<string, Seat>()
  const listeners = new Set<(windowId: string) => void>()
  const sit = (windowId: string, personId: string | null): void => {
    seats.get(windowId)?.cancel()
    const end = () => put(windowId, null)
    const timed = personId !== null && (begins === 'first' || personId !== first)
    if (!timed) return void seats.set(windowId, { personId, until: Infinity, cancel: () => undefined })
    const until = clock.now() + sessionLasts
    const looks = everyMinuteUntil(until, end)
    // Where a clock was set back, what has passed by the timer counts.
    const ends = clock.after(sessionLasts, end)
    const cancel = () => {
      looks()
      ends()
    }
    seats.set(windowId, { personId, until, cancel })
  }
  /** A timer rests while the machine sleeps: whoever wakes it up later finds the page to sign in. */
  const everyMinuteUntil = (until: number, end: () => void): Cancel => {
    let cancel: Cancel = clock.after(minutes(1), function look() {
      if (clock.now() >= until) end()
      else cancel = clock.after(minutes(1), look)
    })
    return () => cancel()
  }
  const put = (windowId: string, personId: string | null): void => {
    sit(windowId, personId)
    listeners.forEach((listener) => listener(windowId))
  }
  return {
    personAt(windowId) {
      if (begins === 'first' && seats.size === 0) sit(windowId, first)
      const seat = seats.get(windowId)
      if (seat === undefined) return begins === 'every' ? first : null
      // A timer rests while the machine sleeps; the clock does not.
      return clock.now() < seat.until ? seat.personId : null
    },
    isHere(personId) {
      if (begins === 'every' && personId === first) return true
      return [...seats.values()].some((seat) => seat.personId === personId && clock.now() < seat.until)
    },
    seat: put,
    leave: (windowId) => put(windowId, null),
    leaveEverywhere(personId, except) {
      for (const [windowId, seat] of [...seats])
        if (seat.personId === personId && windowId !== except) put(windowId, null)
    },
    told(personId) {
      for (const [windowId, seat] of [...seats])
        if (seat.personId === personId) listeners.forEach((listener) => listener(windowId))
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => seats.forEach(({ cancel }) => cancel()),
  }
}
