/**
 * Where the person is. The address holds the screen's name only: which student or session is open is
 * kept in memory, so that no pseudonym or session id ever stands in a URL or in the browser's history.
 */
import { useSyncExternalStore } from 'react'

const screens = ['alerts', 'my-day', 'students', 'sessions', 'overview', 'settings', 'help', 'set-up'] as const
export type Screen = (typeof screens)[number]

export interface Place {
  screen: Screen
  /** What is open there: an alert key, a student_hash, a session id, a tab; null = the list itself. */
  subject: string | null
}

/** Places by the number that stands in `history.state`; a reload forgets the subjects. */
let places: Place[] = []
let at = 0
let place: Place = { screen: screenOfAddress(), subject: null }
const listeners = new Set<() => void>()

function screenOfAddress(): Screen {
  const name = typeof location === 'undefined' ? '' : location.hash.replace(/^#\/?/, '')
  return screens.find((screen) => screen === name) ?? 'alerts'
}

function tell(): void {
  listeners.forEach((listener) => listener())
}

/** Begins to follow the address and the back button; call once. */
export function startNavigation(): void {
  places = [place]
  at = 0
  history.replaceState({ at }, '', `#/${place.screen}`)
  window.addEventListener('popstate', (event: PopStateEvent) => {
    const state: unknown = event.state
    const number = typeof state === 'object' && state !== null && 'at' in state ? Number(state.at) : -1
    const known = places[number]
    at = known ? number : at
    place = known ?? { screen: screenOfAddress(), subject: null }
    tell()
  })
}

/** Goes to a screen and, there, to a subject. The back button returns. */
export function goTo(screen: Screen, subject: string | null = null): void {
  if (place.screen === screen && place.subject === subject) return
  places = [...places.slice(0, at + 1), { screen, subject }]
  at = places.length - 1
  place = { screen, subject }
  history.pushState({ at }, '', `#/${screen}`)
  tell()
}

/** Changes what is open without a step for the back button (moving through a list). */
export function show(subject: string | null): void {
  if (place.subject === subject) return
  place = { ...place, subject }
  places[at] = place
  tell()
}

/** The present place; draws again when it changes. */
export function usePlace(): Place {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => place,
  )
}
