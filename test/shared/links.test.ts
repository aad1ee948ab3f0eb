import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fragmentOf, linkIn } from '../../shared/links.ts'

const id = 'Ab3_-'.repeat(7).slice(0, 32)

it('is read from an address as from its last part, however it was pasted', () => {
  for (const text of [fragmentOf({ kind: 'alerts', id }), `http://127.0.0.1:8740/#/alerts/${id}`, `  #alerts/${id}\n`])
    expect(linkIn(text)).toEqual({ kind: 'alerts', id })
  for (const text of ['', '#/alerts', `#/sessions/${id}`, `#/alerts/${id}x`, `#/alerts/${id.slice(1)}`])
    expect(linkIn(text)).toBeNull()
})

it('comes back as it was written, and no text breaks the reading', () => {
  fc.assert(
    fc.property(fc.constantFrom('alerts', 'students', 'incident'), fc.stringMatching(/^[\w-]{32}$/), (kind, made) => {
      expect(linkIn(fragmentOf({ kind, id: made }))).toEqual({ kind, id: made })
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void linkIn(text)))
})
