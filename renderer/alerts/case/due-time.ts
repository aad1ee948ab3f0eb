/** When something is due, as people choose it. Pure; instants are UTC milliseconds, zones IANA names. */
import { days, hours, minutes } from '../../../shared/time.ts'
import { fromWall, zoneOffset } from '../../../shared/zone.ts'

export const duePresets = ['in15', 'in60', 'tomorrow'] as const
export type DuePreset = (typeof duePresets)[number]

/** When a school day has begun for whoever has to do something on it. */
const morning = hours(9)

/** The instant that a quick choice means, to the minute: never sooner than it says. */
export function presetDue(preset: DuePreset, now: number, zone: string): number {
  if (preset === 'tomorrow') {
    const wall = now + zoneOffset(now, zone)
    return fromWall((Math.floor(wall / days(1)) + 1) * days(1) + morning, zone)
  }
  return Math.ceil((now + minutes(preset === 'in15' ? 15 : 60)) / minutes(1)) * minutes(1)
}
