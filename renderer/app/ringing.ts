/** How alerts that nobody holds are heard again, and more urgently the longer they wait. Times are milliseconds. */
import { waitsSince } from '../../shared/inbox-order.ts'
import { acknowledgeTarget } from '../../shared/thresholds.ts'
import { minutes, seconds } from '../../shared/time.ts'
import type { AlertRow } from '../../shared/views.ts'

export interface Ring {
  tier: AlertRow['tier']
  /** From one sound to the next. */
  every: number
  /** Factors of the sound as it is at first. */
  pitch: number
  loudness: number
}

/** Whether an alert waits for somebody to hold it, or for this person to accept it. */
export function waits(row: Pick<AlertRow, 'state' | 'hand_off_to'>, me: string): boolean {
  return row.state === 'open' || (row.state === 'acknowledged' && row.hand_off_to?.id === me)
}

/** Whether it is heard again and again while it waits: a hand-off that is neither of a crisis nor urgent is said once. */
function ringsAgain({ state, tier, hand_off_to }: Pick<AlertRow, 'state' | 'tier' | 'hand_off_to'>): boolean {
  return state === 'open' || tier === 'crisis' || hand_off_to?.urgent === true
}

/** How long it has waited: since it came, or was opened again. */
function waited(row: Pick<AlertRow, 'received_at' | 'reopened'>, now: number): number {
  return Math.max(0, now - waitsSince(row))
}

const between = (from: number, to: number, share: number) => from + (to - from) * Math.min(1, Math.max(0, share))

/** At the target it sounds twice as often as at first; as long again after it, four times, and a third higher. */
function ringOf(row: AlertRow, now: number): Ring {
  const share = waited(row, now) / acknowledgeTarget
  const beyond = share - 1
  if (row.tier === 'high')
    return { tier: 'high', every: between(minutes(1), seconds(30), share), pitch: 1, loudness: between(0.8, 1, share) }
  return {
    tier: 'crisis',
    every: beyond < 0 ? between(seconds(20), seconds(10), share) : between(seconds(10), seconds(5), beyond),
    pitch: beyond < 0 ? between(1, 1.12, share) : between(1.12, 1.26, beyond),
    loudness: beyond < 0 ? between(1, 1.5, share) : between(1.5, 2, beyond),
  }
}

/** The one voice of all that wait and ring: the most urgent’s. Null = none does. */
export function loudestRing(rows: readonly AlertRow[], now: number): Ring | null {
  const rings = rows.filter(ringsAgain).map((row) => ringOf(row, now))
  return rings.reduce<Ring | null>((loudest, ring) => (loudest && loudest.every <= ring.every ? loudest : ring), null)
}

/** Two sounds are never nearer than this: one would only be louder. */
const apart = 1500

/**
 * Sounds `ring()` again and again while it answers one. `strike` sounds at once, unless something sounded a
 * moment ago, and begins to count anew; `changed` is told when what waits has changed.
 */
export function createRinger(parts: { ring: () => Ring | null; play: (ring: Ring) => void; now: () => number }): {
  strike: (ring: Ring) => void
  changed: () => void
  stop: () => void
} {
  let soundedAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const ring = parts.ring()
    if (!ring) return
    timer = setTimeout(again, Math.max(0, soundedAt + ring.every - parts.now()))
  }
  const again = () => {
    const ring = parts.ring()
    if (ring) sound(ring)
    plan()
  }
  const sound = (ring: Ring) => {
    if (parts.now() - soundedAt < apart) return
    soundedAt = parts.now()
    parts.play(ring)
  }
  return {
    strike(ring) {
      sound(ring)
      plan()
    },
    changed: plan,
    stop: () => clearTimeout(timer),
  }
}

/** What is heard at first of a new alert. */
export const firstRing = (tier: AlertRow['tier']): Ring => ({ tier, every: 0, pitch: 1, loudness: 1 })
