import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ageText, calendarDayText, countdownText, dayClockText, exportDay, exportTime, fromTimeField, fullText, lengthText, longAgeText, receivedAgeText,
  showTimesIn, shownZone, spokenLength, timeOfDayText, toTimeField, whenText,
} from '../../../renderer/controls/time-text.ts' // prettier-ignore
import { days, hours, minutes, seconds } from '../../../shared/time.ts'

const now = Date.UTC(2026, 2, 3, 10, 15, 9)
const newYork = 'America/New_York'
beforeEach(() => showTimesIn(newYork, 'en-US'))
afterAll(() => showTimesIn(newYork))

it('shows times in the zone that was asked for, with the zone where the whole time is told', () => {
  expect(whenText(now, now)).toBe('5:15 AM')
  expect(whenText(now, now, true)).toBe('5:15:09 AM')
  expect(fullText(now)).toMatch(/Mar 3, 2026.*5:15:09 AM.*(EST|GMT-5)/)
})

it('names the day when it is another one, and the year when it is another one', () => {
  expect(whenText(now - days(1), now)).toBe('Mar 2, 5:15 AM')
  expect(whenText(now - days(365), now)).toBe('Mar 3, 2025, 5:15 AM')
})

it('names the day of the week of what is near, and the date of what is not', () => {
  expect(dayClockText(now, now)).toBe('Tue 5:15 AM')
  expect(dayClockText(now - days(3), now)).toBe('Sat 5:15 AM')
  expect(dayClockText(now + days(2), now)).toBe('Thu 5:15 AM')
  expect(dayClockText(now - days(7), now)).toBe('Feb 24, 5:15 AM')
  showTimesIn(newYork, 'en-GB')
  expect(dayClockText(now - days(3), now)).toBe('Sat 05:15')
})

it('says how old something is to the minute, and never a time to come', () => {
  expect(longAgeText(now - hours(14) - minutes(20), now)).toBe('14 h 20 min ago')
  expect(longAgeText(now - hours(3), now)).toBe('3 h ago')
  expect(longAgeText(now - minutes(59), now)).toBe('59 min ago')
  expect(longAgeText(now - hours(47) - minutes(59), now)).toBe('47 h 59 min ago')
  expect(longAgeText(now - days(2) - hours(5) - minutes(40), now)).toBe('2 d 5 h ago')
  fc.assert(
    fc.property(fc.integer({ min: -days(400), max: days(400) }), (age) => {
      expect(longAgeText(now - age, now)).not.toMatch(/-|NaN|undefined/)
    }),
  )
})

it('an age across a change to summer time is what has passed, whatever the clocks showed', () => {
  const changed = Date.UTC(2026, 2, 8, 7)
  expect(longAgeText(changed - hours(1), changed + hours(1))).toBe('2 h ago')
  expect(dayClockText(changed - hours(1), changed)).toBe('Sun 1:00 AM')
  expect(dayClockText(changed + hours(1), changed)).toBe('Sun 4:00 AM')
})

describe('the reader’s own form', () => {
  it.each([
    ['en-US', 'Mar 2, 5:15 AM', '8:45 AM', 'Dec 21, 2026'],
    ['en-GB', '2 Mar, 05:15', '08:45', '21 Dec 2026'],
    ['de-DE', '2 Mar, 05:15', '08:45', '21 Dec 2026'],
    ['de', '2 Mar, 05:15', '08:45', '21 Dec 2026'],
    ['en-US-u-hc-h23', 'Mar 2, 05:15', '08:45', 'Dec 21, 2026'],
    ['not a locale', 'Mar 2, 5:15 AM', '8:45 AM', 'Dec 21, 2026'],
  ])('%s', (locale, when, timeOfDay, calendarDay) => {
    showTimesIn(newYork, locale)
    expect([whenText(now - days(1), now), timeOfDayText('08:45'), calendarDayText('2026-12-21')]).toEqual([
      when, timeOfDay, calendarDay,
    ]) // prettier-ignore
  })
  it.each(['en-US', 'en-GB', 'de-DE'])('never says midnight in two ways: %s', (locale) => {
    showTimesIn(newYork, locale)
    expect(timeOfDayText('00:05')).toBe(locale === 'en-US' ? '12:05 AM' : '00:05')
  })
})

it('exports times in one form whoever reads them, in the zone of the screens', () => {
  for (const locale of ['en-US', 'de-DE']) {
    showTimesIn(newYork, locale)
    expect([exportTime(now), exportDay(now), exportDay(now - hours(6))]).toEqual([
      '2026-03-03 05:15:09', '2026-03-03', '2026-03-02',
    ]) // prettier-ignore
  }
})

describe('a field for a time', () => {
  it('holds what the screens show', () => {
    expect(toTimeField(now)).toBe('2026-03-03T05:15')
    expect(fromTimeField('2026-03-03T05:15')).toBe(now - seconds(9))
    expect(fromTimeField('')).toBeNull()
  })
  it('gives back every minute that it was given, in any zone', () => {
    const zones = fc.constantFrom(newYork, 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC')
    // Days on which no clock is set back: no field can tell apart the minutes that come twice then.
    const instants = fc.integer({ min: 0, max: 200 }).map((day) => Date.UTC(2026, 3, 10) + days(day))
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 0, max: 1439 }), (zone, start, minute) => {
        showTimesIn(zone, 'en-US')
        const at = start + minutes(minute)
        expect(toTimeField(fromTimeField(toTimeField(at)) ?? 0)).toBe(toTimeField(at))
      }),
      { numRuns: 200 },
    )
  })
})

it('reads lengths in their largest sensible unit', () => {
  expect([seconds(42), minutes(3.9), hours(14), days(6)].map(lengthText)).toEqual(['42 s', '3 min', '14 h', '6 d'])
  expect(lengthText(-5)).toBe('0 s')
})

it('says lengths in whole words where they are heard', () => {
  expect([0, seconds(1), minutes(3.9), hours(14), days(6)].map(spokenLength)).toEqual(
    ['0 seconds', '1 second', '3 minutes', '14 hours', '6 days'],
  ) // prettier-ignore
})

it('counts down by the second and by the hour after one', () => {
  expect(countdownText(minutes(4) + seconds(8))).toBe('4:08')
  expect([countdownText(seconds(42)), countdownText(0)]).toEqual(['0:42', '0:00'])
  expect(countdownText(hours(2))).toBe('2 h')
})

it('speaks of what was, and of nothing that happened as if it lay ahead', () => {
  expect(ageText(now, now)).toBe('just now')
  expect(ageText(now - seconds(42), now)).toBe('42 s ago')
  expect(ageText(now + seconds(42), now)).toBe('just now')
  expect(ageText(now + hours(3), now)).toBe('time uncertain')
})

it('tells the age of an event, or of its receipt where it is dated later than that', () => {
  const received = now - minutes(2)
  expect(receivedAgeText(received - minutes(1), received, now)).toBe('3 min ago')
  expect(receivedAgeText(received + seconds(30), received, now)).toBe('1 min ago')
  expect(receivedAgeText(received + hours(3), received, now)).toBe('received 2 min ago')
})

it('falls back to the machine’s own zone when the name is none', () => {
  showTimesIn('Nowhere/At_All')
  expect(shownZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
})
