import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alertsOfMarks } from '../../../renderer/students/alert-marks.ts'
import { askedRange, keptZoom, withAskedRange } from '../../../renderer/students/ranges.ts'

const day = 86_400_000
const now = 100 * day

describe('the range asked for', () => {
  it('leaves the end open, so that the newest message is always in it', () => {
    expect(askedRange('week', null, now)).toEqual({ from: 93 * day })
    expect(askedRange('all', null, now)).toEqual({})
  })

  it('is the zoom where there is one', () => {
    expect(askedRange('week', { from: 1.4, to: 2.6 }, now)).toEqual({ from: 1, to: 3 })
  })
})

describe('a zoom', () => {
  it('never reaches past now and never becomes empty', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 * day }),
        fc.integer({ min: 60_000, max: 50 * day }),
        (from, length) => {
          const kept = keptZoom({ from, to: from + length }, now)
          expect(kept!.to).toBeLessThanOrEqual(now)
          expect(kept!.to - kept!.from).toBeGreaterThanOrEqual(length / 2)
        },
      ),
    )
  })

  it('that ends in the past is kept as it is', () => {
    expect(keptZoom({ from: 1, to: 2 }, now)).toEqual({ from: 1, to: 2 })
    expect(keptZoom(null, now)).toBeNull()
  })
})

describe('the alerts of a trajectory', () => {
  it('gather the marks of each alert, the newest alert first', () => {
    const alerts = alertsOfMarks([
      { at: 30, kind: 'alert', alert_key: 'b', tier: 'crisis' },
      { at: 20, kind: 'acknowledged', alert_key: 'a', tier: 'high' },
      { at: 10, kind: 'alert', alert_key: 'a', tier: 'high' },
      { at: 12, kind: 'alert', alert_key: 'a', tier: 'crisis' },
    ])
    expect(alerts).toEqual([
      { key: 'b', tier: 'crisis', raised_at: 30, acknowledged_at: null, resolved_at: null },
      { key: 'a', tier: 'crisis', raised_at: 10, acknowledged_at: 20, resolved_at: null },
    ])
  })
})

describe('the range that is shown', () => {
  const pixel = (7 * day) / 300

  it('is the one asked for, quiet days at its beginning included, to about a pixel', () => {
    const shown = withAskedRange({ from: 95 * day, to: now }, { from: 93 * day })
    expect(shown.from).toBeGreaterThan(93 * day - pixel)
    expect(shown.from).toBeLessThanOrEqual(93 * day)
    expect(shown.to).toBeGreaterThanOrEqual(now)
    expect(shown.to).toBeLessThan(now + pixel)
  })

  it('stays still while the clock moves by less than a pixel', () => {
    const shown = withAskedRange({ from: 95 * day, to: now + 1000 }, { from: 93 * day + 1000 })
    expect(withAskedRange({ from: 95 * day, to: now + 1500 }, { from: 93 * day + 1500 })).toEqual(shown)
  })

  it('is never empty and always holds what came', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: now }), fc.integer({ min: 0, max: 90 * day }), (to, length) => {
        const shown = withAskedRange({ from: to - length, to }, {})
        expect(shown.to - shown.from).toBeGreaterThanOrEqual(3_600_000)
        expect(shown.from <= to - length && shown.to >= to).toBe(true)
      }),
    )
  })
})
