import { createPublicKey, type KeyObject } from 'node:crypto'

/** The 32 bytes of the public key that belongs to a secret one of Curve25519, base64. */
export function publicKeyOf(secret: KeyObject): string {
  const { x } = createPublicKey(secret).export({ format: 'jwk' })
  if (x === undefined) throw new Error('a key without a public half')
  return Buffer.from(x, 'base64url').toString('base64')
}
