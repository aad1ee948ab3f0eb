import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printable } from '../../../main/chat/printable.ts'

/** Text in which what a terminal obeys is as frequent as words. */
const wild = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\u001b]0;title\u0007', '\u009b31m', '\r', '\u0008', '\u202e', '\u2028', 'word'),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
    ),
  )
  .map((parts) => parts.join(''))

it('leaves nothing that a terminal would obey, whatever it is given', () => {
  fc.assert(
    fc.property(wild, (text) => {
      const left = printable(text)
      // Category Cc: C0, DEL and C1.
      expect(left.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      expect(printable(left)).toBe(left)
    }),
  )
})

it('leaves every word, line and sign that is to be seen as it was', () => {
  const seen = fc.string({ unit: fc.constantFrom('a', 'é', 'ß', ' ', '\n', '\t', '👩‍👧', '„', 'ж', 'א', '水') })
  fc.assert(fc.property(seen, (text) => printable(text) === text))
  expect(printable('one\r\ntwo\rthree\u2028four')).toBe('one\ntwo\nthree\nfour')
})
