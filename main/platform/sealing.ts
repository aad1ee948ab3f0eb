/**
 * Sealing a secret to somebody's public key: HPKE (RFC 9180), base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
 * AES-256-GCM. A sealed secret is base64(enc ‖ ciphertext), bound to a text that whoever opens it must know.
 */
import { createHash, createPrivateKey } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { publicKeyOf } from './raw-keys.ts'

export interface SealingKey {
  /** base64 */
  publicKey: string
  /** Rejects what was sealed to another key or bound to another text, and what was changed. */
  open(sealed: string, context: string): Promise<Buffer>
}

const kem = new DhkemX25519HkdfSha256()
const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() })
const info = new TextEncoder().encode('psyflo school key 1')
/** DER before the 32 bytes of a secret X25519 key (RFC 8410, 7). */
const secretPrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** A sealing key from 32 secret bytes. */
export function sealingKey(secret: Buffer): SealingKey {
  const publicKey = publicKeyOf(
    createPrivateKey({ key: Buffer.concat([secretPrefix, secret]), format: 'der', type: 'pkcs8' }),
  )
  return {
    publicKey,
    async open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64')
      const enc = copyOf(bytes.subarray(0, kem.encSize))
      const recipientKey = await kem.importKey('raw', copyOf(secret), false)
      const ciphertext = copyOf(bytes.subarray(kem.encSize))
      return Buffer.from(await suite.open({ recipientKey, enc, info }, ciphertext, new TextEncoder().encode(context)))
    },
  }
}

/** Seals a secret to a public key (base64). Rejects where that is no key anybody can have. */
export async function sealTo(publicKey: string, secret: Buffer, context: string): Promise<string> {
  const recipientPublicKey = await kem.importKey('raw', copyOf(Buffer.from(publicKey, 'base64')), true)
  const aad = new TextEncoder().encode(context)
  const { enc, ct } = await suite.seal({ recipientPublicKey, info }, copyOf(secret), aad)
  return Buffer.concat([Buffer.from(enc), Buffer.from(ct)]).toString('base64')
}

/** The bytes in a buffer of their own: a Buffer may lie in a larger one. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}

/** The name of a school's content key: a digest of it, hex, from which nothing of it is learned. */
export function contentKeyId(contentKey: Buffer): string {
  return createHash('sha256').update('psyflo content key').update(contentKey).digest('hex').slice(0, 32)
}
