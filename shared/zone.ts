/** Days and clock times of a time zone. Pure; instants are UTC milliseconds, zones IANA names. */
import { days, hours } from './time.ts'

/** Difference of the zone's wall clock to UTC at an instant, in milliseconds. */
export function zoneOffset(at: number, zone: string): number {
  const parts = formatter(zone).formatToParts(at)
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === name)?.value ?? 0)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(at / 1000) * 1000
}

/** The first instant of the local day that `at` falls in, shifted by whole local days, those of 23 and 25 hours included. */
export function startOfDay(at: number, zone: string, shift = 0): number {
  const wall = (Math.floor((at + zoneOffset(at, zone)) / days(1)) + shift) * days(1)
  // Where a zone sets its clocks at midnight, that comes twice or not at all: the day begins at the first that is in it.
  const begins = [-24, 0, 24]
    .map((apart) => wall - zoneOffset(wall + hours(apart), zone))
    .filter((instant) => instant + zoneOffset(instant, zone) >= wall)
  return Math.min(...begins)
}

/** The instant at which a clock of the zone shows `wall`, written as if it were UTC. */
export function fromWall(wall: number, zone: string): number {
  const guess = wall - zoneOffset(wall, zone)
  return wall - zoneOffset(guess, zone)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(zone, known)
  }
  return known
}
