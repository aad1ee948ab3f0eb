import { createCipheriv, createDecipheriv } from 'node:crypto'
import { ConsoleError } from '../../shared/errors.ts'
import { isTooShort, shortestPassphrase } from '../../shared/passphrase.ts'
import { deriveKey } from './derive-key.ts'
import type { KeyProvider, Randomness, WrappedKey } from './ports.ts'

/** scrypt cost (RFC 7914): about 0.3 s and 128 MiB here; stored, so that it can grow. */
const cost = { N: 2 ** 17, r: 8, p: 1 }

/** Keeps the key under a passphrase: scrypt, then AES-256-GCM. */
export function passphraseProvider(passphrase: string, randomness: Randomness, scryptCost = cost): KeyProvider {
  return {
    name: 'passphrase',
    async wrap(key) {
      const salt = randomness.bytes(16).toString('base64')
      const nonce = randomness.bytes(12)
      const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, { salt, ...scryptCost }), nonce)
      const wrapped = Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString('base64')
      return {
        provider: 'passphrase',
        wrapped,
        parameters: { kdf: 'scrypt', salt, ...scryptCost },
      }
    },
    async unwrap({ wrapped, parameters }: WrappedKey) {
      const sealed = Buffer.from(wrapped, 'base64')
      const { N, r, p } = { N: Number(parameters['N']), r: Number(parameters['r']), p: Number(parameters['p']) }
      const key = await deriveKey(passphrase, { salt: String(parameters['salt']), N, r, p })
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
        decipher.setAuthTag(sealed.subarray(-16))
        return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
      } catch (cause) {
        throw new ConsoleError(
          {
            code: 'wrong_passphrase',
            happened: 'The passphrase does not open this console’s data.',
            safe: 'Nothing was changed.',
            todo: 'Try again; upper and lower case matter. Without it, only a recovery file opens the data (npm run keys -- --help).',
          },
          { cause },
        )
      }
    },
  }
}

/** Throws ConsoleError `short_passphrase` for one that may not be chosen. */
export function refuseShort(passphrase: string): void {
  if (!isTooShort(passphrase)) return
  throw new ConsoleError({
    code: 'short_passphrase',
    happened: `The passphrase has fewer than ${shortestPassphrase} characters.`,
    safe: 'Nothing was created with it.',
    todo: 'Choose a longer one; several words work well.',
  })
}

/** A key that lives in memory only: the demonstration school. Its data cannot be opened again. */
export function throwawayProvider(): KeyProvider {
  let kept: Buffer | undefined
  return {
    name: 'throwaway',
    wrap(key) {
      kept = key
      return Promise.resolve({ provider: 'throwaway', wrapped: '', parameters: {} })
    },
    unwrap() {
      if (kept) return Promise.resolve(kept)
      return Promise.reject(
        new ConsoleError({
          code: 'throwaway_key_gone',
          happened: 'This data belongs to a demonstration that has ended, and its key is gone.',
          safe: 'No real data is affected.',
          todo: 'Start the demonstration again; it creates its data from scratch.',
        }),
      )
    },
  }
}
