/**
 * Times and durations as people read them: words in the language of the screens, the order of day and month and the
 * clock of 12 or 24 hours as the reader's own country has them, which is also what the browser's own fields for times
 * show. Instants are UTC milliseconds; all are shown in one zone.
 */

import { clockSkew } from '../../shared/thresholds.ts'
import { days as inDays } from '../../shared/time.ts'
import { fromWall, zoneOffset } from '../../shared/zone.ts'
import { language, words } from '../words/index.ts'

let zone: string | undefined
let reader = formatOf(navigator.language)

/**
 * The zone in which times are shown (IANA name); the machine's own until set, and where there is none of this name.
 * `locale` (BCP 47) is the reader's, the browser's unless another one is given.
 */
export function showTimesIn(timeZone: string, locale: string = navigator.language): void {
  try {
    new Intl.DateTimeFormat(language, { timeZone })
    zone = timeZone
  } catch {
    zone = undefined
  }
  reader = formatOf(locale)
  formats.clear()
  days.clear()
}

/** The zone in which times are shown (IANA name). */
export function shownZone(): string {
  return zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

interface ReaderFormat {
  /** The language of the screens, in the reader's country. */
  locale: string
  hourCycle: 'h11' | 'h12' | 'h23' | 'h24'
}

/** A locale that is none is read as that of the screens. */
function formatOf(locale: string): ReaderFormat {
  try {
    const { region } = new Intl.Locale(locale).maximize()
    const { hourCycle = 'h23' } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
    return { locale: region ? new Intl.Locale(language, { region }).toString() : language, hourCycle }
  } catch {
    return formatOf(language)
  }
}

const day = { day: 'numeric', month: 'short' } as const
const seconds = { second: '2-digit' } as const
const wanted = {
  clock: (clock) => clock,
  clockWithSeconds: (clock) => ({ ...clock, ...seconds }),
  day: () => day,
  dayWithYear: () => ({ ...day, year: 'numeric' }),
  weekday: (clock) => ({ ...clock, weekday: 'short' }),
  full: (clock) => ({ ...day, ...clock, ...seconds, weekday: 'short', year: 'numeric', timeZoneName: 'short' }),
} as const satisfies Record<string, (clock: Intl.DateTimeFormatOptions) => Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: number, name: keyof typeof wanted, timeZone: string | undefined = zone): string {
  const key = `${name} ${timeZone ?? ''}`
  let made = formats.get(key)
  if (!made) {
    const { locale, hourCycle } = reader
    // “5:15 AM”, but “05:15”.
    const hour = hourCycle === 'h12' || hourCycle === 'h11' ? 'numeric' : '2-digit'
    const options = wanted[name]({ hour, minute: '2-digit', hourCycle })
    made = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone ? { timeZone } : {}) })
    formats.set(key, made)
  }
  // The narrow space before AM and PM, which some fonts and every search lack.
  return made.format(at).replaceAll('\u202F', ' ')
}

/** “10:15 AM” or “10:15”, with seconds “10:15:09 AM” or “10:15:09”. */
export function clockText(at: number, withSeconds = false): string {
  return format(at, withSeconds ? 'clockWithSeconds' : 'clock')
}

/** “Nov 12” or “12 Nov”, with the year when it is not this one. */
export function dayText(at: number, now: number = Date.now()): string {
  return format(at, yearOf(at) === yearOf(now) ? 'day' : 'dayWithYear')
}

/** “10:15 AM” today, “Nov 12, 10:15 AM” on another day. */
export function whenText(at: number, now: number = Date.now(), withSeconds = false): string {
  const clock = clockText(at, withSeconds)
  return sameDay(at, now) ? clock : `${dayText(at, now)}, ${clock}`
}

/** So near a day is known by its name alone. */
const daysByName = inDays(6)

/** “Sat 7:12 PM” of the days around now, else as {@link whenText}. */
export function dayClockText(at: number, now: number = Date.now()): string {
  return Math.abs(now - at) < daysByName ? format(at, 'weekday').replace(',', '') : whenText(at, now)
}

/** A time ahead: “2:00 AM” today, “Sat 2:00 AM” within the next six days, then “Nov 12, 2:00 AM”. */
export function soonText(at: number, now: number): string {
  return sameDay(at, now) ? clockText(at) : dayClockText(at, now)
}

/** The whole time with its zone, for hover and for assistive technology. */
export function fullText(at: number): string {
  return format(at, 'full')
}

/** A day of a calendar (“2026-12-21”), whatever zone it is read in: “Dec 21, 2026”. */
export function calendarDayText(date: string): string {
  return format(Date.parse(date), 'dayWithYear', 'UTC')
}

/** A time of day (“08:45”), whatever zone it is read in: “8:45 AM”, or “08:45”. */
export function timeOfDayText(time: string): string {
  return format(Date.parse(`1970-01-01T${time}Z`), 'clock', 'UTC')
}

/** As a spreadsheet reads it anywhere, in the zone of the screens: “2026-11-12 10:15:09”. */
export function exportTime(at: number): string {
  return wall(at).slice(0, 19).replace('T', ' ')
}

/** The day of {@link exportTime}: “2026-11-12”. */
export function exportDay(at: number): string {
  return wall(at).slice(0, 10)
}

/** What a field of type `datetime-local` holds, to the minute, in the zone of the screens. */
export function toTimeField(at: number): string {
  return wall(at).slice(0, 16)
}

/** The instant that such a field holds; null while it holds none. */
export function fromTimeField(text: string): number | null {
  const said = Date.parse(`${text}Z`)
  return Number.isNaN(said) ? null : fromWall(said, shownZone())
}

/** What clocks of the shown zone show, in the form of ISO 8601. */
function wall(at: number): string {
  return new Date(at + zoneOffset(at, shownZone())).toISOString()
}

function sameDay(a: number, b: number): boolean {
  return localDay(a) === localDay(b)
}

function yearOf(at: number): string {
  return localDay(at).slice(0, -6)
}

const quarterHour = 900_000
const mostDays = 5000
const days = new Map<number, string>()

/** “2026-11-12”. Zones differ by quarters of an hour: within one the day is the same, and need not be made again. */
function localDay(at: number): string {
  const quarter = Math.floor(at / quarterHour)
  let known = days.get(quarter)
  if (known === undefined) {
    if (days.size >= mostDays) days.clear()
    days.set(quarter, (known = exportDay(at)))
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

/** “just now”, “42 s ago”. What has happened cannot lie ahead: of what is dated so, its time is called uncertain. */
export function ageText(at: number, now: number): string {
  const age = now - at
  if (age < -clockSkew) return words.common.uncertain
  return age < 1000 ? words.common.justNow : words.common.ago(lengthText(age))
}

/** {@link ageText} to the minute and, from two days on, to the hour: “14 h 20 min ago”. */
export function longAgeText(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 60) return ageText(at, now)
  const inHours = minutes < 48 * 60
  const [large, small] = inHours ? [60, 1] : [24 * 60, 60]
  const [largeUnit, smallUnit] = inHours
    ? ([symbols.hours, symbols.minutes] as const)
    : ([symbols.days, symbols.hours] as const)
  const rest = Math.floor((minutes % large) / small)
  const first = `${Math.floor(minutes / large)} ${largeUnit}`
  return words.common.ago(rest === 0 ? first : `${first} ${rest} ${smallUnit}`)
}

/**
 * {@link ageText} of something that was received at `received_at`. What is dated later than that came from a clock that
 * is fast or of another zone: the time of receipt is shown in its place, and called so.
 */
export function receivedAgeText(at: number, received_at: number, now: number): string {
  return at - received_at > clockSkew ? words.common.received(ageText(received_at, now)) : ageText(at, now)
}
