import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startOfDay, zoneOffset } from '../../shared/zone.ts'

const iso = (at: number) => new Date(at).toISOString()
const zones = [
  'UTC',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Honolulu',
  'Africa/Cairo',
]

/** What a calendar in the zone shows, by the library of the platform alone. */
const dateIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (at: number) => format.format(at)
}

describe('a local day', () => {
  it('begins at local midnight', () => {
    const start = startOfDay(Date.parse('2026-01-15T03:00:00Z'), 'America/New_York')
    expect(iso(start)).toBe('2026-01-14T05:00:00.000Z')
    expect(zoneOffset(start, 'America/New_York')).toBe(-5 * 3_600_000)
  })

  it('begins at one o’clock where the clock skips midnight, and at the first of two midnights', () => {
    expect(iso(startOfDay(Date.parse('2026-03-08T15:00:00Z'), 'America/Havana'))).toBe('2026-03-08T05:00:00.000Z')
    expect(iso(startOfDay(Date.parse('2026-11-01T15:00:00Z'), 'America/Havana'))).toBe('2026-11-01T04:00:00.000Z')
  })

  it('begins with the first instant of its date, in every zone', () => {
    fc.assert(
      fc.property(
        // After the day that Samoa left out, December 30, 2011: it never began.
        fc.integer({ min: Date.parse('2012-06-01T00:00:00Z'), max: Date.parse('2035-01-01T00:00:00Z') }),
        fc.integer({ min: -95, max: 1 }),
        fc.constantFrom(...zones),
        (at, shift, zone) => {
          const date = dateIn(zone)
          const start = startOfDay(at, zone, shift)
          const wanted = iso(Date.parse(`${date(at)}T00:00:00Z`) + shift * 86_400_000).slice(0, 10)
          expect(date(start)).toBe(wanted)
          expect(date(start - 1) < wanted).toBe(true)
        },
      ),
    )
  })
})
