import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { fingerprintOf, isSignedBy, signingKey } from '../../../main/platform/signing.ts'
import { signedForm } from '../../../shared/enrolment.ts'

const key = signingKey(systemRandomness.bytes(32))
const message = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })

describe('a signature', () => {
  it('is made with the key of RFC 8032, test 1, where the secret is that one', () => {
    const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    expect(Buffer.from(signingKey(secret).publicKey, 'base64').toString('hex')).toBe(publicKey)
  })

  it('stands for a message in whatever order its fields come, across the wire', () => {
    fc.assert(
      fc.property(message, (said) => {
        const sent = JSON.parse(JSON.stringify(key.sign(said))) as Record<string, unknown>
        const turned = Object.fromEntries(Object.entries(sent).reverse())
        expect(isSignedBy(key.publicKey, sent)).toBe(true)
        expect(isSignedBy(key.publicKey, turned)).toBe(true)
        expect(isSignedBy(signingKey(systemRandomness.bytes(32)).publicKey, sent)).toBe(false)
      }),
    )
  })

  it('stands for no other message: not for one with a field more, less or other', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    fc.assert(
      fc.property(message, fc.string({ minLength: 1 }), value, (said, name, other) => {
        fc.pre(name !== 'signature')
        const sent = key.sign(said) as Record<string, unknown>
        const changed = { ...sent, [name]: other }
        fc.pre(signedForm(changed) !== signedForm(sent))
        expect(isSignedBy(key.publicKey, changed)).toBe(false)
        const { [name]: _, ...less } = changed
        expect(isSignedBy(key.publicKey, less)).toBe(!Object.hasOwn(sent, name))
      }),
    )
  })

  it('does not stand with any bit of it flipped', () => {
    const sent = key.sign({ said: 'this' })
    fc.assert(
      fc.property(fc.nat(64 * 8 - 1), (bit) => {
        expect(isSignedBy(key.publicKey, { ...sent, signature: flipped(sent.signature, bit) })).toBe(false)
      }),
    )
  })

  it('of whatever shape never throws', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.string(), fc.anything()),
        fc.anything(),
        (publicKey, said, signature) => {
          expect(isSignedBy(publicKey, { ...said, signature })).toBe(false)
        },
      ),
    )
  })
})

describe('a fingerprint', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array).toString('base64'))

  it('is five groups of four that can be read out, the same for the same keys and no others', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(255), (signing_key, sealing_key, bit) => {
        const fingerprint = fingerprintOf({ signing_key, sealing_key })
        expect(fingerprint).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}$/)
        expect(fingerprintOf({ signing_key, sealing_key })).toBe(fingerprint)
        expect(fingerprintOf({ signing_key: flipped(signing_key, bit), sealing_key })).not.toBe(fingerprint)
        expect(fingerprintOf({ signing_key, sealing_key: flipped(sealing_key, bit) })).not.toBe(fingerprint)
        if (signing_key !== sealing_key)
          expect(fingerprintOf({ signing_key: sealing_key, sealing_key: signing_key })).not.toBe(fingerprint)
      }),
    )
  })

  it('stays what it was: people have written it down', () => {
    const keys = {
      signing_key: Buffer.alloc(32, 1).toString('base64'),
      sealing_key: Buffer.alloc(32, 2).toString('base64'),
    }
    expect(fingerprintOf(keys)).toBe('Z0CA-ZMVT-DQ1V-S4QV-8HSH')
  })
})

function flipped(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'base64')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('base64')
}
