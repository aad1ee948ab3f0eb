import { beforeAll, expect, it } from 'vitest'
import {
  ageText, countdownText, fullText, lengthText, showTimesIn, shownZone, whenText,
} from '../../../renderer/controls/time-text.ts' // prettier-ignore
import { days, hours, minutes, seconds } from '../../../shared/time.ts'

const now = Date.UTC(2026, 2, 3, 10, 15, 9)
beforeAll(() => showTimesIn('America/New_York'))

it('shows times in the zone that was asked for, with the zone where the whole time is told', () => {
  expect(whenText(now, now)).toBe('05:15')
  expect(whenText(now, now, true)).toBe('05:15:09')
  expect(fullText(now)).toMatch(/3 Mar 2026.*05:15:09.*(EST|GMT-5)/)
})

it('names the day when it is another one, and the year when it is another one', () => {
  expect(whenText(now - days(1), now)).toBe('2 Mar 05:15')
  expect(whenText(now - days(365), now)).toBe('3 Mar 2025 05:15')
})

it('reads lengths in their largest sensible unit', () => {
  expect([seconds(42), minutes(3.9), hours(14), days(6)].map(lengthText)).toEqual(['42 s', '3 min', '14 h', '6 d'])
  expect(lengthText(-5)).toBe('0 s')
})

it('counts down by the second and by the hour after one', () => {
  expect(countdownText(minutes(4) + seconds(8))).toBe('4:08')
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
