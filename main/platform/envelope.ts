import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { Envelope } from '../../shared/events.ts'

/** Seals and opens evidence. AES-256-GCM under a fresh data key, itself sealed by the evidence key. */
export interface EvidenceKey {
  /**
   * With a `purpose` the envelope opens for that purpose alone, so that none can be passed off as another: what a
   * student wrote as what an admin saved, say.
   */
  seal(text: string, purpose?: string): Envelope
  /** Throws when the envelope was made with another key or for another purpose, or was changed. */
  open(envelope: Envelope, purpose?: string): string
}

const nonceBytes = 12
const tagBytes = 16

/** An evidence key from 32 secret bytes. */
export function evidenceKey(key: Buffer): EvidenceKey {
  return {
    seal(text, purpose) {
      const dataKey = randomBytes(32)
      return {
        ciphertext: encrypt(dataKey, Buffer.from(text, 'utf8'), purpose).toString('base64'),
        encrypted_key: encrypt(key, dataKey).toString('base64'),
      }
    },
    open({ ciphertext, encrypted_key }, purpose) {
      const dataKey = decrypt(key, Buffer.from(encrypted_key, 'base64'))
      return decrypt(dataKey, Buffer.from(ciphertext, 'base64'), purpose).toString('utf8')
    },
  }
}

/** nonce ‖ ciphertext ‖ tag. Bytes as a key cost Node five times what a key object does. */
function encrypt(key: Buffer, plain: Buffer, purpose = ''): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce)
  cipher.setAAD(Buffer.from(purpose))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, purpose = ''): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('envelope too short')
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()])
}

/** Wraps and unwraps secrets with 32 secret bytes; `unwrap` throws where another key wrapped them. */
export function wrappingWith(key: Buffer): {
  wrap(secret: Buffer): Promise<string>
  unwrap(wrapped: string): Promise<Buffer>
} {
  return {
    wrap: async (secret) => encrypt(key, secret).toString('base64'),
    unwrap: async (wrapped) => decrypt(key, Buffer.from(wrapped, 'base64')),
  }
}
