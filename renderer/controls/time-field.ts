/** Fields of type `datetime-local` in the zone of the screens. Pure; instants are UTC milliseconds. */
import { fromWall, zoneOffset } from '../../shared/zone.ts'
import { shownZone } from './time-text.ts'

/** What such a field holds, to the minute. */
export function toTimeField(at: number): string {
  return new Date(at + zoneOffset(at, shownZone())).toISOString().slice(0, 16)
}

/** The instant that such a field holds; null while it holds none. */
export function fromTimeField(text: string): number | null {
  const said = Date.parse(`${text}Z`)
  return Number.isNaN(said) ? null : fromWall(said, shownZone())
}
