/** Fitted weights as data: what a manifest says of the file of bytes beside it, and the table in that file. */
import { z } from 'zod'
import { DetectionFileError, quoteValue } from './errors.ts'

/** Form of a manifest's `weights`: one signed byte for each hash bucket and column, row by row. */
export const weightsSchema = <F extends string, N extends number>(file: F, columns: N) =>
  z
    .strictObject({
      file: z.literal(file),
      dtype: z.literal('int8'),
      /** Hash buckets (a power of two) × columns. */
      shape: z.tuple([z.int().min(1).refine((value) => (value & (value - 1)) === 0, 'is no power of two'), z.literal(columns)]),
      /** Length of the file. */
      bytes: z.int().min(1),
      /** Of the file, in lower-case hex. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in lower-case hex'),
      /** Weight = byte × scale. */
      scale: z.number().positive().max(10),
    })
    .refine(({ shape: [buckets, each], bytes }) => bytes === buckets * each, {
      message: 'is another number than the shape asks for',
      path: ['bytes'],
    }) // prettier-ignore

/** One weight for each bucket and column. Throws DetectionFileError where the bytes are not those of the manifest. */
export function weightTableOf(
  weights: { file: string; bytes: number; sha256: string },
  bytes: Uint8Array | undefined,
  sha256: (bytes: Uint8Array) => string,
): Int8Array {
  const { file } = weights
  if (bytes === undefined) throw new DetectionFileError(file, '', 'missing', 'is missing')
  if (bytes.length !== weights.bytes)
    throw new DetectionFileError(file, '', `${bytes.length} bytes`, `does not hold the ${weights.bytes} bytes of its manifest`)
  const digest = sha256(bytes)
  if (digest !== weights.sha256)
    throw new DetectionFileError(file, '', quoteValue(digest), 'does not have the SHA-256 of its manifest')
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
} // prettier-ignore
