import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUtc } from '../../shared/time.ts'

describe('times of the wire', () => {
  it.each([
    ['without a zone, with microseconds', '2026-01-20T10:15:00.123456', Date.UTC(2026, 0, 20, 10, 15, 0, 123)],
    ['microseconds are cut, not rounded', '2026-01-20T10:15:00.999999', Date.UTC(2026, 0, 20, 10, 15, 0, 999)],
    ['without a fraction', '2026-01-20T10:15:00', Date.UTC(2026, 0, 20, 10, 15)],
    ['with one digit of it', '2026-01-20T10:15:00.5', Date.UTC(2026, 0, 20, 10, 15, 0, 500)],
    ['with a Z', '2026-01-20T10:15:00Z', Date.UTC(2026, 0, 20, 10, 15)],
    ['with an offset', '2026-01-20T10:15:00.250+02:00', Date.UTC(2026, 0, 20, 8, 15, 0, 250)],
    ['with an offset without a colon', '2026-01-20T10:15:00-0530', Date.UTC(2026, 0, 20, 15, 45)],
    ['with a blank between', '2026-01-20 10:15:00', Date.UTC(2026, 0, 20, 10, 15)],
    ['on a leap day', '2028-02-29T00:00:00', Date.UTC(2028, 1, 29)],
  ])('%s', (_, text, at) => {
    expect(parseUtc(text)).toBe(at)
  })

  it.each(['', 'now', '2026-01-20', '10:15', '1768904100', '2026-13-01T00:00:00', '2026-04-31T00:00:00'])(
    '“%s” is none',
    (text) => {
      expect(parseUtc(text)).toBeNull()
    },
  )

  it.each(['2027-02-29T00:00:00', '2026-01-20T25:00:00', '2026-01-20T10:61:00', '2026-01-00T10:00:00'])(
    '“%s” does not exist',
    (text) => {
      expect(parseUtc(text)).toBeNull()
    },
  )

  it('reads back every time it could have written, with or without the zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 999 }),
        (date, micro) => {
          const text = date.toISOString()
          expect(parseUtc(text)).toBe(date.getTime())
          expect(parseUtc(text.replace('Z', String(micro).padStart(3, '0')))).toBe(date.getTime())
        },
      ),
    )
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseUtc(text)))
  })
})
