import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { overview } from '../../../../../main/store/console/index.ts'
import { openRecord, type OpenRecord } from '../../../../support/record.ts'
import { crisis, noon, school } from '../../../../support/wire.ts'

const hour = 3_600_000
const opened = Array.from({ length: 60 }, (_, index) => noon - index * 37 * hour)
let at: OpenRecord
beforeAll(() => {
  at = openRecord()
  opened.forEach((time, index) => at.append(crisis({ session_id: `s-${index}`, at: time })))
})
afterAll(() => at.close())

it('counts each alert on the day that it has at the school, wherever the machine stands, for as many days as asked', () => {
  const zones = ['UTC', 'America/New_York', 'America/Santiago', 'Asia/Kolkata', 'Pacific/Apia', 'Pacific/Honolulu']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom<7 | 30 | 90>(7, 30, 90),
      fc.integer({ min: 0, max: 47 }),
      (zone, periodDays, later) => {
        const now = noon + later * hour
        const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
        const { days, from, to } = overview(at.db, { school, periodDays, now, zone })
        const openedOn = opened.map((time) => date.format(time))
        const dates = days.map(({ day }) => date.format(day))
        expect(new Set(dates).size).toBe(periodDays)
        expect(dates.at(-1)).toBe(date.format(now))
        expect([date.format(from), date.format(to - 1)]).toEqual([dates[0], dates.at(-1)])
        for (const { day, crisis: count } of days)
          expect(count).toBe(openedOn.filter((each) => each === date.format(day)).length)
      },
    ),
    { numRuns: 30 },
  )
})
