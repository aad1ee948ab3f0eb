import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endsOf, longestMessage, windowOverlap, windowsOf } from '../../../../main/station/sessions/windows.ts'

it('cuts text of any length so that every stretch as long as the overlap stands whole in some window', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5 * longestMessage }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (length, where) => {
        const text = Array.from({ length: Math.ceil(length / 6) }, (_, index) => String(index).padStart(6, '0'))
          .join('')
          .slice(0, length)
        const windows = windowsOf(text)
        for (const window of windows) expect(window.length).toBeLessThanOrEqual(longestMessage)
        const start = Math.floor(where * Math.max(0, length - windowOverlap))
        const stretch = text.slice(start, start + windowOverlap)
        expect(windows.some((window) => window.includes(stretch))).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
})

it('leaves a text that fits whole', () => {
  expect(windowsOf('')).toEqual([''])
  expect(windowsOf('a'.repeat(longestMessage))).toHaveLength(1)
  expect(windowsOf('hello')).toEqual(['hello'])
})

it('of a text of any length the two ends are few to assess, and what fits is whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 * longestMessage }), (length) => {
      const text = `${'a'.repeat(Math.floor(length / 2))}${'b'.repeat(Math.ceil(length / 2))}`
      const ends = endsOf(text)
      expect(windowsOf(ends).length).toBeLessThanOrEqual(3)
      if (length <= 2 * longestMessage) expect(ends).toBe(text)
      expect([text.startsWith(ends.slice(0, longestMessage)), text.endsWith(ends.slice(-longestMessage))]).toEqual([
        true,
        true,
      ])
    }),
    { numRuns: 50 },
  )
})
