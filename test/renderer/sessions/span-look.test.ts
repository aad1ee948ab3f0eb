import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeLink } from '../../../renderer/sessions/safe-link.ts'
import { joinedSpans, spanCounts } from '../../../renderer/sessions/span-look.ts'

const span = (meaning?: string) => ({ start: 0, end: 1, category: 'self_harm', ...(meaning ? { meaning } : {}) })

describe('a flagged phrase', () => {
  it('is set aside where the context rules said so', () => {
    for (const meaning of ['negated', 'past', 'hypothetical', 'quoted', 'hyperbole'])
      expect(spanCounts(span(meaning))).toBe(false)
  })

  it('counts when it is meant, about somebody else, or of a meaning not known here', () => {
    for (const meaning of [undefined, 'affirmed', 'about someone else', 'trivial cause', 'something new'])
      expect(spanCounts(span(meaning))).toBe(true)
  })
})

describe('overlapping phrases', () => {
  it('of one category and meaning are told as one', () => {
    const at = (start: number, end: number, category = 'self_harm') => ({ start, end, category })
    expect(joinedSpans([at(10, 20), at(4, 16), at(12, 18), at(12, 18, 'hopelessness'), at(30, 40)])).toEqual([
      at(4, 20),
      at(12, 18, 'hopelessness'),
      at(30, 40),
    ])
  })

  it('cover together exactly what they covered apart', () => {
    const span = fc.record({
      start: fc.nat(40),
      length: fc.integer({ min: 1, max: 9 }),
      category: fc.constantFrom('a', 'b'),
    })
    fc.assert(
      fc.property(fc.array(span), (parts) => {
        const spans = parts.map(({ start, length, category }) => ({ start, end: start + length, category }))
        const covered = (list: typeof spans) =>
          new Set(
            list.flatMap(({ start, end, category }) =>
              Array.from({ length: end - start }, (_, at) => `${category}${start + at}`),
            ),
          )
        expect(covered(joinedSpans(spans) as typeof spans)).toEqual(covered(spans))
      }),
    )
  })
})

describe('a link of a resource', () => {
  it('is followed for phone, text, mail and web', () => {
    for (const link of ['tel:988', 'sms:741741', 'https://988lifeline.org/', 'mailto:a@b.c'])
      expect(safeLink(link)).toBe(link)
  })

  it('is not a link when it could run or is none', () => {
    for (const link of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'call 988', undefined])
      expect(safeLink(link)).toBeNull()
  })
})
