/** Whether this window still reaches the program, and the banner that says it does not. */
import { createContext, use, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { askEverythingAgain } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { watchWire, wireState, type WireState } from './wire.ts'

interface Wire {
  state: WireState
  lost: boolean
}

const WireContext = createContext<Wire>({ state: 'connecting', lost: false })

export function WireProvider({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(watchWire, wireState)
  const lost = state === 'lost' || state === 'refused' || state === 'silent'
  const wasLost = useRef(false)
  useEffect(() => {
    if (lost) wasLost.current = true
    if (state !== 'open' || !wasLost.current) return
    wasLost.current = false
    askEverythingAgain()
  }, [state, lost])
  return <WireContext value={useMemo(() => ({ state, lost }), [state, lost])}>{children}</WireContext>
}

export function useWire(): Wire {
  return use(WireContext)
}

/** Whether the chat talks to this very program; null = not known yet. */
export const TakesMessages = createContext<boolean | null>(null)

/** Shown while the wire is lost; it disappears by itself. */
export function LostBanner() {
  const { state, lost } = useWire()
  const here = use(TakesMessages)
  const text = words.app[state === 'refused' || state === 'silent' ? state : 'lost']
  return (
    <div role="status">
      {lost && (
        <p className="border-b bg-crisis-ground px-3 py-1.5">
          <strong className="text-crisis">{text.title}</strong>{' '}
          <span className="text-ink-soft">
            {text.students(here)} {text.text}
          </span>
        </p>
      )}
    </div>
  )
}
