import { beforeAll, expect, it } from 'vitest'
import {
  ageText, countdownText, fullText, lengthText, showTimesIn, shownZone, spokenLength, whenText,
} from '../../../renderer/controls/time-text.ts' // prettier-ignore
import { days, hours, minutes, seconds } from '../../../shared/time.ts'

const now = Date.UTC(2026, 2, 3, 10, 15, 9)
beforeAll(() => showTimesIn('America/New_York'))

it('shows times in the zone that was asked for, with the zone where the whole time is told', () => {
  expect(whenText(now, now)).toBe('05:15')
  expect(whenText(now, now, true)).toBe('05:15:09')
  expect(fullText(now)).toMatch(/Mar 3, 2026.*05:15:09.*(EST|GMT-5)/)
})

it('names the day when it is another one, and the year when it is another one', () => {
  expect(whenText(now - days(1), now)).toBe('Mar 2 05:15')
  expect(whenText(now - days(365), now)).toBe('Mar 3, 2025 05:15')
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

it('speaks of what was and of what will be', () => {
  expect(ageText(now, now)).toBe('just now')
  expect(ageText(now - seconds(42), now)).toBe('42 s ago')
  expect(ageText(now + minutes(3), now)).toBe('in 3 min')
})

it('falls back to the machine’s own zone when the name is none', () => {
  showTimesIn('Nowhere/At_All')
  expect(shownZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  showTimesIn('America/New_York')
})
