/**
 * Since when an alert has stood before the person, and whether they chose it: single keys act on nothing
 * else. Pure but for the clock it is given (milliseconds that only go forward).
 */
import { handsRestAfter, keysActAfter, swapGuard } from '../../shared/thresholds.ts'

/** Why a key does nothing: nothing was chosen yet, or what is on screen has only just come or changed. */
export type Refusal = 'not chosen' | 'just changed'

export interface Standing {
  /**
   * What is on screen from now on, in a word that differs when the alert or the messages that raised it do;
   * null = no alert. `underPointer`: it took the place of something that the pointer is on.
   */
  shows(what: string | null, how: { chosen: boolean; underPointer: boolean }): void
  /**
   * A dialog lies over it, or no longer does: what changed beneath was not seen. `vanished`: one closed that the person
   * did not close; what they still type was meant for it.
   */
  covered(on: boolean, vanished?: boolean): void
  /** The person came back to the window. */
  cameBack(): void
  /** Why a single key may not act now; null when it may. */
  refusesKey(): Refusal | null
  /** Whether a click is held back, because something else stood under the pointer a moment ago. */
  refusesClick(): boolean
}

export function createStanding(now: () => number): Standing {
  let shown: { what: string | null; chosen: boolean } = { what: null, chosen: false }
  let since = -Infinity
  let swappedAt = -Infinity
  let isCovered = false
  let changedBeneath = false
  let vanishedAt = -Infinity
  return {
    shows(what, { chosen, underPointer }) {
      if (what !== shown.what) {
        since = now()
        changedBeneath = isCovered
        if (underPointer) swappedAt = now()
      }
      shown = { what, chosen }
    },
    covered(on, vanished = false) {
      if (vanished) vanishedAt = now()
      if (isCovered && !on && changedBeneath) since = now()
      if (!on) changedBeneath = false
      isCovered = on
    },
    cameBack() {
      since = now()
    },
    refusesKey() {
      if (shown.what === null || !shown.chosen) return 'not chosen'
      if (isCovered || now() - vanishedAt < handsRestAfter) return 'just changed'
      return now() - since < keysActAfter ? 'just changed' : null
    },
    refusesClick: () => now() - swappedAt < swapGuard,
  }
}

/** A sentence that holds until something is done; `tell` says it, and answers what takes it back. */
export function createNotice(tell: (sentence: string) => () => void): {
  say: (sentence: string) => void
  takeBack: () => void
} {
  let over: (() => void) | null = null
  return {
    say(sentence) {
      over = tell(sentence)
    },
    takeBack() {
      over?.()
      over = null
    },
  }
}
