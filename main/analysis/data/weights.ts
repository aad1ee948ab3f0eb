/** Fitted weights as data: what a manifest says of the file of bytes beside it, and the table in that file. */
import { z } from 'zod'
import { checkedBytes } from './binary.ts'
import { sha256Schema } from './common.ts'

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
      sha256: sha256Schema,
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
  const checked = checkedBytes(weights.file, weights, bytes, sha256)
  return new Int8Array(checked.buffer, checked.byteOffset, checked.length)
}
