import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assess } from '../evaluation/engine.ts'

const pieces = fc.constantFrom(
  'i want to die', 'kill', 'k i l l', 'su1c1de', 'not', 'they told me to', 'and i will', 'my friend', 'lol', '...', '!!!', '"', "don't", '\u200b', '\u0301', '\u202e',
  '😀', '\ud800', '\udc00', '@', '$', '*', '.', '\n', '?', '𝐢', 'а', '我想死', '不', 'İ', 'ﷺ', 'quiero morir', 'on the bridge', 'pills', 'goodbye', '\u0000',
) // prettier-ignore
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
)

it('no text of 100,000 makes the engine throw, or point outside the text', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(text, (message) => {
      const { score, level, matches, markers } = assess(message)
      const spans = [...matches, ...markers]
      const fits = spans.every(({ start, end }) => start >= 0 && end > start && end <= message.length)
      return fits && score >= (level === 'CRISIS' ? 0.9 : level === 'CAUTION' ? 0.65 : 0) && score <= 1
    }),
    { numRuns: 100_000, seed: 20_260_122 },
  )
})

it.each(['i want to die ', '我想死', 'k*ll ', '"', '\ud83d', 'on the bridge with pills goodbye '])(
  'three megabytes are answered: %j',
  { timeout: 600_000 },
  (unit) => expect(assess(unit.repeat(Math.ceil(3_000_000 / unit.length))).tier).toBeDefined(),
)
