import type { Person } from '../../../shared/people.ts'

/** Who sits at which window. A window is a browser session or an Electron window. */
export interface Windows {
  personAt(windowId: string): string
  seat(windowId: string, personId: string): void
}

/** Every window begins with `first`: the person of the sign-in token, or of the demonstration. */
export function createWindows(first: Person): Windows {
  const seats = new Map<string, string>()
  return {
    personAt: (windowId) => seats.get(windowId) ?? first.id,
    seat: (windowId, personId) => void seats.set(windowId, personId),
  }
}
