/** Two live regions: polite for what may wait, assertive for a new crisis; and what is said for the eye as well. */
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

/** So long a sentence stands where it can be read, too (milliseconds). */
const standsFor = 8000

let line = ''
let clearLine: ReturnType<typeof setTimeout> | undefined

/** Says a sentence and shows it at the foot of the window for a while; nothing else moves. The answer takes it back. */
export function tell(sentence: string, how: How = 'polite'): () => void {
  announce(sentence, how)
  clearTimeout(clearLine)
  clearLine = setTimeout(() => setLine(''), standsFor)
  setLine(sentence)
  return () => {
    // What else was said with it stays.
    if (said[how].includes(sentence)) set({ ...said, [how]: said[how].replace(sentence, '').trim() })
    if (line === sentence) setLine('')
  }
}

/** What assistive technology finds in the two regions now. */
export const saidNow = (): Readonly<Record<How, string>> => said

function setLine(next: string): void {
  line = next
  listeners.forEach((tellOne) => tellOne())
}

/** Takes back what was said: nothing of it is left in the document. */
export function hush(): void {
  saidAt = { polite: -Infinity, assertive: -Infinity }
  set({ polite: '', assertive: '' })
  setLine('')
}

function set(next: Record<How, string>): void {
  said = next
  listeners.forEach((tell) => tell())
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcer() {
  const now = useSyncExternalStore(listen, saidNow)
  const shown = useSyncExternalStore(listen, () => line)
  return (
    <>
      <div className="sr-only">
        <div role="status" aria-live="polite">
          {now.polite}
        </div>
        <div role="alert" aria-live="assertive">
          {now.assertive}
        </div>
      </div>
      {shown !== '' && (
        <p
          aria-hidden="true"
          data-told
          className="pointer-events-none fixed inset-x-0 bottom-24 z-20 mx-auto w-fit max-w-[min(40rem,calc(100vw-2rem))] rounded border border-line-strong bg-raised px-3 py-1.5 font-medium shadow-float"
        >
          {shown}
        </p>
      )}
    </>
  )
}
