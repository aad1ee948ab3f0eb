/** The bytes that lie beside a manifest. */
import { DetectionFileError, quoteValue } from './errors.ts'

/** The bytes as their manifest describes them. Throws DetectionFileError where they are missing or others. */
export function checkedBytes(
  file: string,
  described: { bytes: number; sha256: string },
  bytes: Uint8Array | undefined,
  sha256: (bytes: Uint8Array) => string,
): Uint8Array {
  if (bytes === undefined) throw new DetectionFileError(file, '', 'missing', 'is missing')
  if (bytes.length !== described.bytes)
    throw new DetectionFileError(file, '', `${bytes.length} bytes`, `does not hold the ${described.bytes} bytes of its manifest`) // prettier-ignore
  const digest = sha256(bytes)
  if (digest !== described.sha256)
    throw new DetectionFileError(file, '', quoteValue(digest), 'does not have the SHA-256 of its manifest')
  return bytes
}
