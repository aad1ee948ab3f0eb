import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { evidenceKey } from '../../../main/platform/envelope.ts'
import { envelopeSchema } from '../../../shared/events.ts'

const key = evidenceKey(systemRandomness.bytes(32))

it('gives back what was sealed, and looks different each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const sealed = key.seal(text)
      expect(envelopeSchema.parse(sealed)).toEqual(sealed)
      expect(key.open(sealed)).toBe(text)
      expect(key.seal(text)).not.toEqual(sealed)
    }),
  )
})

it('does not open with another key, after a change, or from another envelope’s parts', () => {
  const [one, other] = [key.seal('one'), key.seal('other')]
  expect(() => evidenceKey(systemRandomness.bytes(32)).open(one)).toThrow()
  expect(() => key.open({ ...one, encrypted_key: other.encrypted_key })).toThrow()
  const bytes = Buffer.from(one.ciphertext, 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => key.open({ ...one, ciphertext: bytes.toString('base64') })).toThrow()
  expect(() => key.open({ ciphertext: '', encrypted_key: '' })).toThrow()
})
