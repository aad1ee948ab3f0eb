import { expect, it } from 'vitest'
import { days, seconds } from '../../../../shared/time.ts'
import { driftAt, runMonth } from '../../../support/ladder-month.ts'

it('ten days with sleeps, restarts and summer time: every rung in its time, or once and late', async () => {
  const seed = Number(process.env['LADDER_SEED'] ?? 7)
  const month = await runMonth('file', { seed, length: days(10), alerts: 15, stations: 1 })
  expect(month.doubled, `seed ${seed}`).toBe(0)
  expect(month.errors, `seed ${seed}`).toEqual([])
  expect(driftAt(month, 0.999), `seed ${seed}`).toBeLessThanOrEqual(seconds(5))
  const told = ({ session, rung, late }: { session: string; rung: number; late: boolean }) => [session, rung, late]
  const inOrder = (a: { session: string; at: number }, b: { session: string; at: number }) =>
    a.session < b.session ? -1 : a.session > b.session ? 1 : a.at - b.at
  expect(month.fired.toSorted(inOrder).map(told), `seed ${seed}`).toEqual(month.expected.toSorted(inOrder).map(told))
  expect(
    month.fired.some(({ late }) => late),
    'some were late',
  ).toBe(true)
})
