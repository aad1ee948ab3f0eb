/** Whether this window still reaches the program, and the banner that says it does not. */
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { askEverythingAgain } from '../controls/index.ts'
import { words } from '../words/index.ts'

interface Wire {
  lost: boolean
  /** Goes up each time the wire came back: screens that hold their own copy read again. */
  returns: number
  report: (lost: boolean) => void
}

const WireContext = createContext<Wire>({ lost: false, returns: 0, report: () => undefined })

export function WireProvider({ children }: { children: ReactNode }) {
  const [lost, setLost] = useState(false)
  const [returns, setReturns] = useState(0)
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !lost) {
      setReturns((n) => n + 1)
      askEverythingAgain()
    }
    was.current = lost
  }, [lost])
  const wire = useMemo(() => ({ lost, returns, report: setLost }), [lost, returns])
  return <WireContext value={wire}>{children}</WireContext>
}

export function useWire(): Wire {
  return use(WireContext)
}

/** Shown while the wire is lost; it disappears by itself. */
export function LostBanner() {
  const { lost } = useWire()
  return (
    <div role="status">
      {lost && (
        <div className="border-b bg-crisis-ground px-3 py-1.5">
          <strong className="text-crisis">{words.app.lost.title}</strong>{' '}
          <span className="text-ink-soft">{words.app.lost.text}</span>
        </div>
      )}
    </div>
  )
}
