/** Times on screen: an age that ticks, or a clock; the whole time with its zone on hover. */
import { useSyncExternalStore } from 'react'
import { ageText, fullText, receivedAgeText, whenText } from './time-text.ts'

const listeners = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | null = null

function listen(listener: () => void): () => void {
  listeners.add(listener)
  ticking ??= setInterval(() => listeners.forEach((tell) => tell()), 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && ticking) {
      clearInterval(ticking)
      ticking = null
    }
  }
}

/** Now in UTC milliseconds, cut to `step` milliseconds; the component draws again when it changes. */
export function useNow(step = 1000): number {
  return useSyncExternalStore(listen, () => Math.floor(Date.now() / step) * step)
}

/** “42 s ago”, ticking. */
export function Age({ at }: { at: number }) {
  return <Stamp at={at}>{useTicking(() => ageText(at, Date.now()))}</Stamp>
}

/** The age of what an event says of itself; of its receipt, and said so, where the event is dated later than that. */
export function ReceivedAge({ at, received_at }: { at: number; received_at: number }) {
  return <Stamp at={Math.min(at, received_at)}>{useTicking(() => receivedAgeText(at, received_at, Date.now()))}</Stamp>
}

/** Any text made from the present moment; the component draws again only when the text changes. */
export function useTicking(text: () => string): string {
  return useSyncExternalStore(listen, text)
}

/** “10:15”, on other days “Nov 12 10:15”; `seconds` for the three clocks. */
export function Clock({ at, seconds = false }: { at: number; seconds?: boolean }) {
  return <Stamp at={at}>{whenText(at, Date.now(), seconds)}</Stamp>
}

function Stamp({ at, children }: { at: number; children: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullText(at)} className="whitespace-nowrap">
      {children}
    </time>
  )
}
