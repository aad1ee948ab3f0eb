import { randomBytes, randomUUID } from 'node:crypto'
import type { Randomness } from './ports.ts'

/** The operating system's cryptographic randomness. */
export const systemRandomness: Randomness = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
  fraction: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
}
