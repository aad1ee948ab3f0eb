/** What came while the console was off: known to every screen, opened by itself once, and offered until it is done. */
import { createContext, use, useEffect, useRef } from 'react'
import type { LateStartView } from '../../shared/views.ts'
import { announce } from './announcer.tsx'
import { words } from '../words/index.ts'
import { goTo, usePlace, useWantedLink } from './navigation.ts'

/** Undefined = not known yet; null = nothing came that this person has not gone through. */
export const LateStartContext = createContext<LateStartView | null | undefined>(undefined)

export function useLateStart(): LateStartView | null | undefined {
  return use(LateStartContext)
}

/** Goes there by itself for whoever has done nothing at this window yet; everybody else is told, and goes when they want. */
export function useLateStartOpened(view: LateStartView | null | undefined): void {
  const { screen, subject } = usePlace()
  const link = useWantedLink()
  const acted = useRef(false)
  const offered = useRef(0)
  useEffect(() => {
    const act = () => (acted.current = true)
    const signs = ['keydown', 'pointerdown'] as const
    for (const sign of signs) window.addEventListener(sign, act, { capture: true })
    return () => signs.forEach((sign) => window.removeEventListener(sign, act, { capture: true }))
  }, [])
  useEffect(() => {
    if (!view?.settled || view.opened || view.number === offered.current) return
    offered.current = view.number
    if (screen === 'alerts' && subject === null && link === null && !acted.current) goTo('late-start')
    else announce(words.lateStart.arrived(view.arrived, view.unacknowledged))
  }, [view, screen, subject, link])
}

/** In the strip, until it is done. */
export function LateStartFact() {
  const view = useLateStart()
  const { screen } = usePlace()
  if (!view || screen === 'late-start') return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 font-semibold text-ink">
      {words.lateStart.strip(view.arrived)}
      <button
        type="button"
        className="min-h-6 rounded text-link underline underline-offset-2"
        onClick={() => goTo('late-start')}
      >
        {words.lateStart.stripAction}
      </button>
    </span>
  )
}
