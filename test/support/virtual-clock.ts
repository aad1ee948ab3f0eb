import type { Clock } from '../../main/platform/ports.ts'

/** A clock that stands until it is moved; due work runs in order as it passes. */
export function virtualClock(start = Date.UTC(2026, 0, 20, 10, 15)): Clock & {
  advance(ms: number): void
  set(at: number): void
  /** The time of day is another at once, as after a sleep or where somebody sets it; timers wait on as if nothing was. */
  jump(ms: number): void
} {
  let now = start
  let nextId = 0
  const waiting = new Map<number, { at: number; work: () => void }>()
  const runUntil = (end: number) => {
    for (;;) {
      const due = [...waiting].filter(([, { at }]) => at <= end).sort(([a, x], [b, y]) => x.at - y.at || a - b)[0]
      if (!due) break
      waiting.delete(due[0])
      now = Math.max(now, due[1].at)
      due[1].work()
    }
    now = end
  }
  return {
    now: () => now,
    after: (delay, work) => {
      const id = nextId++
      waiting.set(id, { at: now + Math.max(delay, 0), work })
      return () => void waiting.delete(id)
    },
    advance: (ms) => runUntil(now + ms),
    set: (at) => runUntil(at),
    jump(ms) {
      now += ms
      for (const timer of waiting.values()) timer.at += ms
    },
  }
}
