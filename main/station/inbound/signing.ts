/** With what a station signs what people told it by text: kept wrapped in its database, made at the first start. */
import type { Randomness } from '../../platform/ports.ts'
import { fingerprintOf, signingKey } from '../../platform/signing.ts'
import { keepSetting, type StationStore } from '../../store/station/index.ts'

export interface StationSigning {
  /** The same message with the id of the key and a signature. */
  sign<Message extends object>(message: Message): Message & { key_id: string; signature: string }
}

/** Stations on one database sign with one key. */
export async function openSigning({
  store,
  wrapping,
  randomness,
}: {
  store: StationStore
  wrapping: { wrap(secret: Buffer): Promise<string>; unwrap(wrapped: string): Promise<Buffer> }
  randomness: Randomness
}): Promise<StationSigning> {
  const made = await wrapping.wrap(randomness.bytes(32))
  const kept = await store.asStation((unit) => keepSetting(unit, 'signing_key', made))
  const key = signingKey(await wrapping.unwrap(kept))
  // It seals nothing: its fingerprint is that of the one key it has.
  const key_id = fingerprintOf({ signing_key: key.publicKey, sealing_key: '' })
  return { sign: (message) => key.sign({ ...message, key_id }) }
}
