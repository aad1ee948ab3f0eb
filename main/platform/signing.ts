/** Signatures of consoles (Ed25519, RFC 8032), and the short name of their keys that people compare. */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { base32crockford } from '@scure/base'
import { signedForm, type PublicKeys } from '../../shared/enrolment.ts'
import { publicKeyOf } from './raw-keys.ts'

export interface SigningKey {
  /** base64 */
  publicKey: string
  /** The same message with its signature; texts that are no Unicode are made so first. */
  sign<Message extends object>(message: Message): Message & { signature: string }
}

/** DER before the 32 bytes of an Ed25519 key: secret (RFC 8410, 7) and public (4). */
const secretPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A signing key from 32 secret bytes. */
export function signingKey(secret: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([secretPrefix, secret]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: publicKeyOf(key),
    sign(message) {
      const sent = wellFormed(message)
      const form = signedForm(sent as Record<string, unknown>)
      if (form === null) throw new Error('a message without a canonical form')
      return { ...sent, signature: sign(null, Buffer.from(form, 'utf8'), key).toString('base64') }
    },
  }
}

/** Whether the signature that a message carries was made over it with this key. Never throws. */
export function isSignedBy(publicKey: string, message: Record<string, unknown>): boolean {
  const { signature } = message
  const form = signedForm(message)
  if (typeof signature !== 'string' || form === null) return false
  try {
    const der = Buffer.concat([publicPrefix, Buffer.from(publicKey, 'base64')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const bytes = Buffer.from(signature, 'base64')
    // One signature has one text: what base64 readers skip over is no other way to write it.
    return bytes.toString('base64') === signature && verify(null, Buffer.from(form, 'utf8'), key, bytes)
  } catch {
    return false
  }
}

/** Characters of a fingerprint, 5 bits each: whoever wants another pair of keys with the same one tries 2^100 of them. */
const fingerprintLength = 20

/** What people compare of a console's keys: five groups of four letters and digits, none of which look alike. */
export function fingerprintOf({ signing_key, sealing_key }: PublicKeys): string {
  const keys = [signing_key, sealing_key].map((key) => Buffer.from(key, 'base64'))
  const digest = createHash('sha256').update(Buffer.concat(keys)).digest()
  const text = base32crockford.encode(digest).slice(0, fingerprintLength)
  return (text.match(/.{4}/g) ?? []).join('-')
}

function wellFormed<Message extends object>(message: Message): Message {
  return JSON.parse(JSON.stringify(message), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as Message
}
