import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { sealingKey, sealTo } from '../../../main/platform/sealing.ts'
import { sealingContext } from '../../../shared/enrolment.ts'

const key = sealingKey(systemRandomness.bytes(32))
const secret = systemRandomness.bytes(32)

describe('a sealed key', () => {
  it('opens for whom it was sealed, and looks different each time', async () => {
    const context = fc.string({ unit: 'grapheme', maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), context, async (bytes, context) => {
        const sealed = await sealTo(key.publicKey, Buffer.from(bytes), context)
        expect(await key.open(sealed, context)).toEqual(Buffer.from(bytes))
        expect(await sealTo(key.publicKey, Buffer.from(bytes), context)).not.toBe(sealed)
      }),
      { numRuns: 40 },
    )
  })

  it('opens with no other key, under no other name, and with no bit flipped', async () => {
    const sealed = await sealTo(key.publicKey, secret, 'for console 1')
    await expect(sealingKey(systemRandomness.bytes(32)).open(sealed, 'for console 1')).rejects.toThrow()
    await expect(key.open(sealed, 'for console 2')).rejects.toThrow()
    const bits = Buffer.from(sealed, 'base64').length * 8
    await fc.assert(
      fc.asyncProperty(fc.nat(bits - 1), async (bit) => {
        const bytes = Buffer.from(sealed, 'base64')
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        // X25519 ignores the highest bit of a public key; the key schedule, which takes it in, does not.
        await expect(key.open(bytes.toString('base64'), 'for console 1')).rejects.toThrow()
      }),
      { numRuns: 60 },
    )
  })

  it('of whatever shape is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String()), async (sealed) => {
        await expect(key.open(sealed, '')).rejects.toThrow()
      }),
      { numRuns: 40 },
    )
  })

  it('is sealed to no key whose secret everybody knows', async () => {
    const zero = Buffer.alloc(32).toString('base64')
    await expect(sealTo(zero, secret, '')).rejects.toThrow()
    await expect(sealTo('c2hvcnQ=', secret, '')).rejects.toThrow()
  })
})

it('what a seal is bound to tells schools, consoles and keys apart, however they are named', () => {
  const of = fc.record({ school_id: fc.string(), console_id: fc.string(), key_id: fc.string() })
  fc.assert(
    fc.property(of, of, (one, other) => {
      expect(sealingContext(one) === sealingContext(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
})
