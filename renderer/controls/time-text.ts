/** Times and durations as people read them. Pure; instants are UTC milliseconds. */

import { language } from '../words/index.ts'

let zone: string | undefined

/** The zone in which times are shown (IANA name); the machine's own until set. */
export function showTimesIn(timeZone: string): void {
  try {
    new Intl.DateTimeFormat(language, { timeZone })
    zone = timeZone
  } catch {
    zone = undefined
  }
  formats.clear()
  days.clear()
}

/** The zone in which times are shown (IANA name). */
export function shownZone(): string {
  return zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const day = { day: 'numeric', month: 'short' } as const
const wanted = {
  clock,
  clockWithSeconds: { ...clock, second: '2-digit' },
  day,
  dayWithYear: { ...day, year: 'numeric' },
  wholeDay: { year: 'numeric', month: 'numeric', day: 'numeric' },
  full: { ...day, ...clock, weekday: 'short', year: 'numeric', second: '2-digit', timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<keyof typeof wanted, Intl.DateTimeFormat>()
function format(at: number, name: keyof typeof wanted): string {
  let made = formats.get(name)
  if (!made) {
    made = new Intl.DateTimeFormat(language, { ...wanted[name], ...(zone ? { timeZone: zone } : {}) })
    formats.set(name, made)
  }
  return made.format(at)
}

/** “10:15”, or “10:15:09” with seconds. */
export function clockText(at: number, withSeconds = false): string {
  return format(at, withSeconds ? 'clockWithSeconds' : 'clock')
}

/** “Nov 12”, with the year when it is not this one. */
export function dayText(at: number, now: number = Date.now()): string {
  return format(at, yearOf(at) === yearOf(now) ? 'day' : 'dayWithYear')
}

/** “10:15” today, “Nov 12 10:15” on another day. */
export function whenText(at: number, now: number = Date.now(), withSeconds = false): string {
  const clock = clockText(at, withSeconds)
  return sameDay(at, now) ? clock : `${dayText(at, now)} ${clock}`
}

/** The whole time with its zone, for hover and for assistive technology. */
export function fullText(at: number): string {
  return format(at, 'full')
}

function sameDay(a: number, b: number): boolean {
  return localDay(a) === localDay(b)
}

function yearOf(at: number): string {
  return localDay(at).split('/')[2] ?? ''
}

const quarterHour = 900_000
const mostDays = 5000
const days = new Map<number, string>()

/** “11/12/2026”. Zones differ by quarters of an hour: within one the day is the same, and need not be made again. */
function localDay(at: number): string {
  const quarter = Math.floor(at / quarterHour)
  let known = days.get(quarter)
  if (known === undefined) {
    if (days.size >= mostDays) days.clear()
    days.set(quarter, (known = format(at, 'wholeDay')))
  }
  return known
}

/** A length of time in its largest sensible unit, by the unit's own symbol: “42 s”, “3 min”, “14 h”, “6 d”. */
export function lengthText(milliseconds: number): string {
  const { unit, count } = inLargestUnit(milliseconds)
  return `${count} ${symbols[unit]}`
}

/** The same where it is said aloud: “42 seconds”, “3 minutes”. */
export function spokenLength(milliseconds: number): string {
  const { unit, count } = inLargestUnit(milliseconds)
  // Zero is said too: “0 seconds”.
  return new Intl.DurationFormat(language, { style: 'long', [`${unit}Display`]: 'always' }).format({ [unit]: count })
}

const symbols = { days: 'd', hours: 'h', minutes: 'min', seconds: 's' } as const

function inLargestUnit(milliseconds: number): { unit: keyof typeof symbols; count: number } {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return { unit: 'seconds', count: seconds }
  if (seconds < 3600) return { unit: 'minutes', count: Math.floor(seconds / 60) }
  if (seconds < 48 * 3600) return { unit: 'hours', count: Math.floor(seconds / 3600) }
  return { unit: 'days', count: Math.floor(seconds / 86_400) }
}

const running = new Intl.DurationFormat(language, { minutes: 'numeric', minutesDisplay: 'always', seconds: '2-digit' })

/** A running countdown: “4:18”; from an hour on, like {@link lengthText}. */
export function countdownText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds >= 3600) return lengthText(milliseconds)
  return running.format({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}

/** “just now”, “42 s ago”, “in 3 min”. */
export function ageText(at: number, now: number): string {
  const age = now - at
  if (age < -999) return `in ${lengthText(-age)}`
  return age < 1000 ? 'just now' : `${lengthText(age)} ago`
}
