import { expect, it } from 'vitest'
import { isTooShort } from '../../shared/passphrase.ts'

it.each([
  ['eleven char', true],
  ['twelve chars', false],
  // One letter and its accent are one character in the composed form, which the key is derived from.
  ['e\u0301leven char', true],
  ['🔑'.repeat(11), true],
  ['🔑'.repeat(12), false],
])('“%s” is too short: %s', (passphrase, short) => {
  expect(isTooShort(passphrase)).toBe(short)
})
