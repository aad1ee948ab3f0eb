import type { Clock } from '../../platform/ports.ts'

export interface RateLimit {
  /** Requests a second, in the long run. */
  perSecond: number
  /** Requests at once after a quiet time. */
  burst: number
}

/** What one key may ask: far above a school's chat, far below what would stall the desk. */
export const defaultRateLimit: RateLimit = { perSecond: 100, burst: 500 }

/** How often one address may present a key that is none. */
export const attemptLimit: RateLimit = { perSecond: 1, burst: 60 }

/** Callers that are remembered: one that was not heard of for the longest time has a full bucket again. */
const mostCallers = 10_000

/** A token bucket per caller. Answers 0 when the request may go on, else the seconds to wait (≥ 1). */
export function rateLimiter(clock: Clock, { perSecond, burst }: RateLimit): (caller: string) => number {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (caller) => {
    const now = clock.now()
    const bucket = buckets.get(caller) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond)
    const allowed = tokens >= 1
    // The map keeps the order of insertion: the last heard stand last.
    buckets.delete(caller)
    buckets.set(caller, { tokens: allowed ? tokens - 1 : tokens, at: now })
    const [oldest] = buckets.size > mostCallers ? buckets.keys() : []
    if (oldest !== undefined) buckets.delete(oldest)
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
  }
}
