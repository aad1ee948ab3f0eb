/** Whether this window still reaches the program, and the banner that says it does not. */
import { createContext, use, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { askEverythingAgain, Button } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { watchWire, wireState, type WireState } from './wire.ts'

interface Wire {
  state: WireState
  lost: boolean
  /** The program that answers now brings a newer page than this one. */
  older: boolean
}

const WireContext = createContext<Wire>({ state: 'connecting', lost: false, older: false })

export function WireProvider({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(watchWire, wireState)
  const lost = state === 'lost' || state === 'refused' || state === 'silent'
  const [older, setOlder] = useState(false)
  const wasLost = useRef(false)
  useEffect(() => {
    if (lost) wasLost.current = true
    if (state !== 'open' || !wasLost.current) return
    wasLost.current = false
    askEverythingAgain()
    void isOlderThanServed().then(setOlder)
  }, [state, lost])
  return <WireContext value={useMemo(() => ({ state, lost, older }), [state, lost, older])}>{children}</WireContext>
}

export function useWire(): Wire {
  return use(WireContext)
}

/** Whether the chat talks to this very program; null = not known yet. */
export const TakesMessages = createContext<boolean | null>(null)

/** Whether the program now serves another page than this one, as after an update; names of built files hold a digest. */
async function isOlderThanServed(): Promise<boolean> {
  const own = document.querySelector('script[src]')?.getAttribute('src')
  if (window.desk || own == null) return false
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null)
  return answer?.ok === true && !(await answer.text()).includes(`"${own}"`)
}

/** Shown while the wire is lost, or this page is older than the program; the first disappears by itself. */
export function LostBanner() {
  const { state, lost, older } = useWire()
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
      {!lost && older && (
        <p className="flex flex-wrap items-center gap-x-2 border-b bg-caution-ground px-3 py-1.5">
          <strong className="text-caution">{words.app.older.title}</strong>
          <span className="text-ink-soft">{words.app.older.text}</span>
          <Button onClick={() => location.reload()}>{words.app.older.action}</Button>
        </p>
      )}
    </div>
  )
}
