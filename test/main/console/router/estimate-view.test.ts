import { afterEach, beforeEach, expect, it } from 'vitest'
import { estimateView } from '../../../../main/console/router/estimate-view.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, school } from '../../../support/wire.ts'

const student_hash = 'a'.repeat(64)
const student = { school_id: school, student_hash }
const zone = 'America/New_York'
const marked = (confidence: number) => [{ marker_type: 'PHQ9_ITEM_2', confidence, start: 0, end: 4 }]
let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

it('puts what was found on the day that it was at the school, across a day of 25 hours', async () => {
  // Saturday 23:30, Sunday 00:30 and 23:30 of New York: Sunday, November 2 has 25 hours.
  const times = ['2025-11-02T03:30:00Z', '2025-11-02T04:30:00Z', '2025-11-03T04:30:00Z'].map(Date.parse)
  times.forEach((time, index) =>
    at.append(analyzed({ session_id: `s-${index}`, student_hash, at: time, markers: marked(0.5 + index / 10) })),
  )
  const now = Date.parse('2025-11-04T02:00:00Z')
  const view = await estimateView(at.db, { student, instrument: 'phq9', window_days: 14, now, zone })
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  expect(view.heat.days.map((each) => day.format(each))).toEqual(['2025-11-01', '2025-11-02', '2025-11-03'])
  expect(view.series.map((each) => day.format(each.at))).toEqual(['2025-11-01', '2025-11-02', '2025-11-03'])
  expect(view.heat.rows.find(({ marker_type }) => marker_type === 'PHQ9_ITEM_2')?.cells).toEqual([0.5, 0.7, null])
  expect(view.current.days_with_messages).toBe(2)
})
