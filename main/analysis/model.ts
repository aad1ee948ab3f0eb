/** The small fitted model of the local clinical signal: logistic regression over hashed words and cues. */
import { z } from 'zod'

export const modelSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** Number of hash buckets, a power of two. */
  buckets: z.int().min(1),
  bias: z.number(),
  /** Weights as base64 of signed bytes, one per bucket; the real weight is byte × scale. */
  scale: z.number(),
  weights: z.string(),
})
