import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duePresets, fromDueField, presetDue, toDueField } from '../../../../renderer/alerts/case/due-time.ts'
import { minutes } from '../../../../shared/time.ts'

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

describe('the field of a date and time', () => {
  it('shows the clock of the school’s zone and reads it back, but for the hour that comes twice', () => {
    expect(toDueField(Date.UTC(2026, 10, 22, 4, 30), 'America/Chicago')).toBe('2026-11-21T22:30')
    fc.assert(
      fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
        const field = toDueField(at, zone)
        const read = fromDueField(field, zone) ?? NaN
        expect(toDueField(read, zone)).toBe(field)
        expect(Math.abs(read - Math.floor(at / minutes(1)) * minutes(1)) % minutes(60)).toBe(0)
      }),
    )
  })

  it('holds nothing while it is not filled in', () => {
    expect(fromDueField('', 'UTC')).toBeNull()
    expect(fromDueField('2026-11-', 'UTC')).toBeNull()
  })
})
