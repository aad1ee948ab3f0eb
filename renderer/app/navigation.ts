/**
 * Where the person is. The address holds the screen's name only: which student or session is open is
 * kept in memory, so that no pseudonym or session id ever stands in a URL or in the browser's history. An address
 * that was copied (`#/alerts/…`) holds a digest that only main can resolve; it is taken out of the history at once.
 */
import { useSyncExternalStore } from 'react'
import { linkIn, type Link } from '../../shared/links.ts'

const screens = [
  'alerts', 'my-day', 'students', 'sessions', 'overview', 'settings', 'help', 'set-up', 'incident',
  'late-start',
] as const // prettier-ignore
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
/** An address somebody came by, until main has said what it leads to. */
let wanted: Link | null = null
const listeners = new Set<() => void>()

function screenOfAddress(): Screen {
  const name = typeof location === 'undefined' ? '' : location.hash.replace(/^#\/?/, '').split('/')[0]
  return screens.find((screen) => screen === name) ?? 'alerts'
}

function tell(): void {
  listeners.forEach((listener) => listener())
}

/** Begins to follow the address and the back button; call once. */
export function startNavigation(): void {
  places = [place]
  at = 0
  wanted = linkIn(location.hash)
  history.replaceState({ at }, '', `#/${place.screen}`)
  window.addEventListener('popstate', (event: PopStateEvent) => {
    const state: unknown = event.state
    const number = typeof state === 'object' && state !== null && 'at' in state ? Number(state.at) : -1
    const known = places[number]
    at = known ? number : at
    place = known ?? { screen: screenOfAddress(), subject: null }
    // Typed or pasted into the address of a window that is open.
    const link = known ? null : linkIn(location.hash)
    if (link !== null) {
      wanted = link
      places = [...places.slice(0, at + 1), place]
      at = places.length - 1
      history.replaceState({ at }, '', `#/${place.screen}`)
    }
    tell()
  })
}

/** Goes to a screen and, there, to a subject. The back button returns. */
export function goTo(screen: Screen, subject: string | null = null): void {
  if (place.screen === screen && place.subject === subject) return
  place = { screen, subject }
  places = [...places.slice(0, at + 1), place]
  at = places.length - 1
  history.pushState({ at }, '', `#/${screen}`)
  tell()
}

/** Changes what is open without a step for the back button (moving through a list). */
export function show(subject: string | null): void {
  if (place.subject === subject) return
  place = { screen: place.screen, subject }
  places[at] = place
  tell()
}

/** Opens an address that was copied, as if the window had been opened with it. */
export function openLink(link: Link): void {
  wanted = link
  tell()
}

/** The address that somebody came by; null where there is none, or it was followed. */
export function useWantedLink(): Link | null {
  return useSyncExternalStore(listen, () => wanted)
}

/** Main has said what it leads to. */
export function linkWasFollowed(): void {
  wanted = null
  tell()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The present place; draws again when it changes. */
export function usePlace(): Place {
  return useSyncExternalStore(listen, () => place)
}
