import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeTicks } from '../../../renderer/charts/time-ticks.ts'

const at = (text: string) => Date.parse(text)
const iso = (ticks: number[]) => ticks.map((tick) => new Date(tick).toISOString().slice(0, 16))

describe('ticks of the time axis', () => {
  it('stand on local midnights across a change to summer time', () => {
    const ticks = timeTicks(at('2026-03-06T12:00:00Z'), at('2026-03-11T12:00:00Z'), 6, 'America/New_York')
    expect(iso(ticks.at)).toEqual([
      '2026-03-07T05:00',
      '2026-03-08T05:00',
      '2026-03-09T04:00',
      '2026-03-10T04:00',
      '2026-03-11T04:00',
    ])
  })

  it('stand on round hours of the wall clock in a zone of half hours', () => {
    const ticks = timeTicks(at('2026-05-01T00:00:00Z'), at('2026-05-02T00:00:00Z'), 5, 'Asia/Kolkata')
    expect(ticks.step).toBe(6 * 3_600_000)
    expect(iso(ticks.at)).toEqual(['2026-05-01T00:30', '2026-05-01T06:30', '2026-05-01T12:30', '2026-05-01T18:30'])
  })

  it('are ascending, inside the range and no more than asked for', () => {
    const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        fc.integer({ min: 60_000, max: 400 * 86_400_000 }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(...zones),
        (from, span, most, zone) => {
          const ticks = timeTicks(from, from + span, most, zone).at
          expect(ticks.length).toBeLessThanOrEqual(most + 1)
          expect([...ticks].sort((a, b) => a - b)).toEqual(ticks)
          expect(new Set(ticks).size).toBe(ticks.length)
          for (const tick of ticks) expect(tick >= from && tick <= from + span).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('are none for an empty range', () => {
    expect(timeTicks(5, 5, 6, 'UTC').at).toEqual([])
  })
})
