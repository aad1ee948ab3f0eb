/** Times that people choose most often. Pure; instants are UTC milliseconds, zones IANA names. */
import { days, hours, minutes } from '../../shared/time.ts'
import { fromWall, startOfDay, zoneOffset } from '../../shared/zone.ts'

/** `soon`: what is done about an alert. `later`: what is looked after on another day. */
export type WhenKind = 'soon' | 'later'

export type WhenPreset =
  { name: 'in'; length: number; at: number } | { name: 'tomorrow' | 'monday' | 'week'; at: number }

/** When the school is there again. */
const morning = hours(9)

/** The presets at this moment, soonest first; before a weekend Monday is among them. */
export function whenPresets(kind: WhenKind, now: number, zone: string): WhenPreset[] {
  const onDay = (shift: number) => morningOf(now, zone, shift)
  const tomorrow = weekday(now, zone, 1)
  const isWeekend = tomorrow === 6 || tomorrow === 0
  return [
    ...(kind === 'soon' ? [minutes(15), hours(1)] : []).map((length): WhenPreset => {
      // To the minute, and never a moment early.
      return { name: 'in', length, at: Math.ceil((now + length) / minutes(1)) * minutes(1) }
    }),
    { name: 'tomorrow', at: onDay(1) },
    ...(isWeekend ? [{ name: 'monday', at: onDay(tomorrow === 6 ? 3 : 2) } as const] : []),
    ...(kind === 'later' ? [{ name: 'week', at: onDay(7) } as const] : []),
  ]
}

/** Nine o’clock of the local day that comes `shift` days after that of `now`, whatever the clocks are set to in between. */
function morningOf(now: number, zone: string, shift: number): number {
  const begins = startOfDay(now, zone, shift)
  // The day as its own clocks show it in its middle: at its beginning they may not have been set yet.
  const middle = begins + days(0.5)
  const date = Math.floor((middle + zoneOffset(middle, zone)) / days(1)) * days(1)
  return fromWall(date + morning, zone)
}

/** Day of the week, 0 = Sunday. */
function weekday(now: number, zone: string, shift: number): number {
  const middle = startOfDay(now, zone, shift) + days(0.5)
  return new Date(middle + zoneOffset(middle, zone)).getUTCDay()
}
