import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duePresets, presetDue } from '../../../../renderer/alerts/case/due-time.ts'

const zones = ['UTC', 'America/Chicago', 'Asia/Kolkata', 'Pacific/Auckland', 'America/St_Johns']
const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })

describe('quick times', () => {
  const now = Date.UTC(2026, 10, 22, 4, 30, 20)

  it('are never sooner than they say, and fall on a minute', () => {
    expect(presetDue('in15', now, 'UTC')).toBe(Date.UTC(2026, 10, 22, 4, 46))
    expect(presetDue('in60', now, 'UTC')).toBe(Date.UTC(2026, 10, 22, 5, 31))
  })

  it('tomorrow is nine o’clock of the school’s next day, not of this machine’s', () => {
    // In Chicago it is still the evening of the 21st.
    expect(presetDue('tomorrow', now, 'America/Chicago')).toBe(Date.UTC(2026, 10, 22, 15))
    expect(presetDue('tomorrow', now, 'UTC')).toBe(Date.UTC(2026, 10, 23, 9))
  })

  it('tomorrow is nine o’clock where clocks are set in the night between', () => {
    expect(presetDue('tomorrow', Date.UTC(2026, 9, 31, 20), 'America/Chicago')).toBe(Date.UTC(2026, 10, 1, 15))
    expect(presetDue('tomorrow', Date.UTC(2026, 2, 7, 20), 'America/Chicago')).toBe(Date.UTC(2026, 2, 8, 14))
  })

  it('always lie ahead', () => {
    fc.assert(
      fc.property(fc.constantFrom(...duePresets), instant, fc.constantFrom(...zones), (preset, at, zone) => {
        expect(presetDue(preset, at, zone)).toBeGreaterThan(at)
      }),
    )
  })
})
