/** Two live regions: polite for what may wait, assertive for a new crisis. */
import { useSyncExternalStore } from 'react'

type How = 'polite' | 'assertive'

let said: Record<How, string> = { polite: '', assertive: '' }
let saidAt: Record<How, number> = { polite: -Infinity, assertive: -Infinity }
const listeners = new Set<() => void>()

/** Sentences that come closer than this are read together, lest the later one swallow the first (milliseconds). */
const together = 1000

/** Has assistive technology say a sentence; `assertive` interrupts. */
export function announce(sentence: string, how: How = 'polite'): void {
  const before = performance.now() - saidAt[how] < together ? said[how] : ''
  // The same sentence twice is only heard twice when its text differs.
  const text = before ? `${before} ${sentence}` : said[how] === sentence ? `${sentence}\u00a0` : sentence
  saidAt = { ...saidAt, [how]: performance.now() }
  set({ ...said, [how]: text })
}

/** Takes back what was said: nothing of it is left in the document. */
export function hush(): void {
  saidAt = { polite: -Infinity, assertive: -Infinity }
  set({ polite: '', assertive: '' })
}

function set(next: Record<How, string>): void {
  said = next
  listeners.forEach((tell) => tell())
}

export function Announcer() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => said,
  )
  return (
    <div className="sr-only">
      <div role="status" aria-live="polite">
        {now.polite}
      </div>
      <div role="alert" aria-live="assertive">
        {now.assertive}
      </div>
    </div>
  )
}
