import { describe, expect, it } from 'vitest'
import { safeLink } from '../../../renderer/sessions/safe-link.ts'
import { spanCounts } from '../../../renderer/sessions/span-look.ts'

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
