/** Two live regions: polite for what may wait, assertive for a new crisis. */
import { useSyncExternalStore } from 'react'

interface Said {
  polite: string
  assertive: string
}

let said: Said = { polite: '', assertive: '' }
const listeners = new Set<() => void>()

/** Has assistive technology say a sentence; `assertive` interrupts. */
export function announce(sentence: string, how: 'polite' | 'assertive' = 'polite'): void {
  // The same sentence twice is only heard twice when its text differs.
  const text = said[how] === sentence ? `${sentence}\u00a0` : sentence
  said = { ...said, [how]: text }
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
