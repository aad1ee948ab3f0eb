import { describe, expect, it } from 'vitest'
import { days, seconds } from '../../shared/time.ts'
import { driftAt, runMonth } from '../support/ladder-month.ts'
import { postgresMissing } from '../support/postgres.ts'

describe.skipIf(postgresMissing !== null)(`a month${postgresMissing ? ` (${postgresMissing})` : ''}`, () => {
  it('at two stations that sleep, end and start again, through summer time: no rung lost, doubled, or out of its time', async () => {
    const seed = Number(process.env['LADDER_SEED'] ?? crypto.getRandomValues(new Uint16Array(1))[0])
    const month = await runMonth('PostgreSQL', { seed, length: days(31), alerts: 90, stations: 2 })
    const drift = driftAt(month, 0.999)
    process.stdout.write(
      `ladder: seed ${seed}, ${month.fired.length} rungs, ${month.fired.filter(({ late }) => late).length} late, ` +
        `drift ${drift} ms at the 99.9th percentile (LADDER_SEED=${seed} runs it again)\n`,
    )
    expect(month.doubled, `seed ${seed}`).toBe(0)
    expect(month.errors, `seed ${seed}`).toEqual([])
    expect(drift, `seed ${seed}`).toBeLessThanOrEqual(seconds(5))
    const told = ({ session, rung, late }: { session: string; rung: number; late: boolean }) => [session, rung, late]
    const inOrder = (a: { session: string; at: number }, b: { session: string; at: number }) =>
      a.session < b.session ? -1 : a.session > b.session ? 1 : a.at - b.at
    expect(month.fired.toSorted(inOrder).map(told), `seed ${seed}`).toEqual(month.expected.toSorted(inOrder).map(told))
  }, 120_000)
})
