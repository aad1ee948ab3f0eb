import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whenPresets } from '../../../renderer/controls/when-presets.ts'

const newYork = 'America/New_York'
const at = (iso: string) => Date.parse(iso)

function presets(kind: 'soon' | 'later', now: number, zone = newYork) {
  return whenPresets(kind, now, zone).map(({ name, at: instant }) => [name, new Date(instant).toISOString()])
}

describe('the usual times', () => {
  it('are minutes, an hour and tomorrow morning for what is done about an alert', () => {
    expect(presets('soon', at('2026-11-17T15:00:20Z'))).toEqual([
      ['in', '2026-11-17T15:16:00.000Z'],
      ['in', '2026-11-17T16:01:00.000Z'],
      ['tomorrow', '2026-11-18T14:00:00.000Z'],
    ])
  })

  it('offer Monday before a weekend', () => {
    expect(presets('later', at('2026-11-20T15:00:00Z'))).toEqual([
      ['tomorrow', '2026-11-21T14:00:00.000Z'],
      ['monday', '2026-11-23T14:00:00.000Z'],
      ['week', '2026-11-27T14:00:00.000Z'],
    ])
    expect(presets('later', at('2026-11-21T15:00:00Z'))[1]).toEqual(['monday', '2026-11-23T14:00:00.000Z'])
  })

  it('stay at nine where the clocks are set in between', () => {
    // New York sets its clocks on March 8 and November 1, 2026.
    expect(presets('later', at('2026-03-07T20:00:00Z'))[0]).toEqual(['tomorrow', '2026-03-08T13:00:00.000Z'])
    expect(presets('later', at('2026-10-31T20:00:00Z'))[0]).toEqual(['tomorrow', '2026-11-01T14:00:00.000Z'])
  })

  it('lie ahead, at nine of their day, in every zone', () => {
    const zones = [
      'America/New_York',
      'America/Santiago',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'Pacific/Auckland',
      'UTC',
    ]
    const moments = fc.integer({ min: at('2020-01-01'), max: at('2035-01-01') })
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (now, zone) => {
        const shown = new Intl.DateTimeFormat('en-US', {
          timeZone: zone,
          hour: '2-digit',
          minute: '2-digit',
          weekday: 'short',
          hourCycle: 'h23',
        })
        for (const { name, at: instant } of whenPresets('later', now, zone)) {
          expect(instant).toBeGreaterThan(now)
          expect(shown.format(instant)).toContain('09:00')
          if (name === 'monday') expect(shown.format(instant)).toContain('Mon')
        }
      }),
    )
  })
})
