import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segments, spanText } from '../../../renderer/sessions/highlight.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const anySpans = fc.array(
  fc.record({ start: fc.integer({ min: -5, max: 70 }), end: fc.integer({ min: -5, max: 70 }) }),
  {
    maxLength: 12,
  },
)

describe('segments of a message', () => {
  it('are the text again when joined, whatever the spans', () => {
    fc.assert(
      fc.property(anyText, anySpans, (text, spans) => {
        const pieces = segments(text, spans)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const [index, piece] of pieces.entries()) {
          expect(piece.end).toBeGreaterThan(piece.start)
          expect(piece.start).toBe(pieces[index - 1]?.end ?? 0)
        }
      }),
    )
  })

  it('cover every character of a span and name the span on each of them', () => {
    fc.assert(
      fc.property(anyText, anySpans, (text, spans) => {
        const pieces = segments(text, spans)
        for (const span of spans) {
          for (let at = Math.max(0, span.start); at < Math.min(span.end, text.length); at += 1) {
            const piece = pieces.find(({ start, end }) => start <= at && at < end)
            expect(piece?.spans).toContain(span)
          }
        }
      }),
    )
  })

  it('name no span on a character that the span does not cover, but for the other half of a pair', () => {
    fc.assert(
      fc.property(anyText, anySpans, (text, spans) => {
        for (const piece of segments(text, spans))
          for (const span of piece.spans) {
            expect(piece.start).toBeGreaterThanOrEqual(span.start - 1)
            expect(piece.end).toBeLessThanOrEqual(span.end + 1)
          }
      }),
    )
  })

  it('never cut a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), anySpans, (text, spans) => {
        for (const piece of segments(text, spans)) expect(piece.text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('keep both of two overlapping spans', () => {
    const text = 'I cannot sleep and I am tired'
    const sleep = { start: 2, end: 14 }
    const whole = { start: 9, end: 29 }
    expect(segments(text, [sleep, whole]).map(({ text, spans }) => [text, spans.length])).toEqual([
      ['I ', 0],
      ['cannot ', 1],
      ['sleep', 2],
      [' and I am tired', 1],
    ])
  })

  it('leave out empty and reversed spans', () => {
    expect(
      segments('abc', [
        { start: 1, end: 1 },
        { start: 2, end: 1 },
      ]),
    ).toEqual([{ start: 0, end: 3, text: 'abc', spans: [] }])
  })
})

describe('the words of a span', () => {
  it('are those of the message', () => {
    expect(spanText('so tired today', { start: 3, end: 8 })).toBe('tired')
  })

  it('are not invented where the span lies outside', () => {
    expect(spanText('abc', { start: 7, end: 9 })).toBeNull()
  })
})
