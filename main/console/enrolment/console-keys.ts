import type { PublicKeys } from '../../../shared/enrolment.ts'
import type { Randomness } from '../../platform/ports.ts'
import { sealingKey, type SealingKey } from '../../platform/sealing.ts'
import { fingerprintOf, signingKey, type SigningKey } from '../../platform/signing.ts'
import { setting, type Database } from '../../store/console/index.ts'

export interface ConsoleKeys {
  signing: SigningKey
  sealing: SealingKey
  public: PublicKeys
  fingerprint: string
}

/** This console's own keys, made at first use; the secret halves stand in its encrypted database and nowhere else. */
export function consoleKeys(db: Database, randomness: Randomness): ConsoleKeys {
  const secret = (name: string) =>
    Buffer.from(
      setting(db, name, () => randomness.bytes(32).toString('base64')),
      'base64',
    )
  const signing = signingKey(secret('signing_secret'))
  const sealing = sealingKey(secret('sealing_secret'))
  const known: PublicKeys = { signing_key: signing.publicKey, sealing_key: sealing.publicKey }
  return { signing, sealing, public: known, fingerprint: fingerprintOf(known) }
}
