/** From a passphrase to a key (scrypt, RFC 7914), with a head start where the passphrase is known before the program. */
import { scrypt, type ScryptOptions } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const deriveScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

export interface ScryptParameters {
  /** Base64. */
  salt: string
  N: number
  r: number
  p: number
}

interface Derivation extends ScryptParameters {
  passphrase: string
  key: Promise<Buffer>
}
let ahead: Derivation | null = null

/** Where a data directory keeps its wrapped key. */
export function keystorePath(dataDir: string): string {
  return join(dataDir, 'keystore.json')
}

/** The 32 bytes that a passphrase gives; rejects where the parameters cannot be used. */
export function deriveKey(passphrase: string, { salt, N, r, p }: ScryptParameters): Promise<Buffer> {
  const begun = ahead
  ahead = null
  if (
    begun &&
    begun.passphrase === passphrase &&
    begun.salt === salt &&
    begun.N === N &&
    begun.r === r &&
    begun.p === p
  )
    return begun.key
  return deriveScrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, { N, r, p, maxmem: 256 * N * r })
}

/**
 * Begins to derive the key of a data directory, in a thread of its own, for the `deriveKey` that will ask for it:
 * it takes as long as loading the program. Says nothing of a key store that is missing or broken; whoever opens
 * it does.
 */
export function deriveAhead(dataDir: string, passphrase: string): void {
  try {
    const { provider, parameters } = JSON.parse(readFileSync(keystorePath(dataDir), 'utf8')) as {
      provider: unknown
      parameters: Record<keyof ScryptParameters, unknown>
    }
    if (provider !== 'passphrase') return
    const { N, r, p } = { N: Number(parameters.N), r: Number(parameters.r), p: Number(parameters.p) }
    const salt = String(parameters.salt)
    const key = deriveKey(passphrase, { salt, N, r, p })
    // Where nobody asks, nobody needs to know that it failed.
    key.catch(() => undefined)
    ahead = { passphrase, salt, N, r, p, key }
  } catch {
    // Opening the key store explains it.
  }
}
