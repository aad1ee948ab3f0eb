import { z } from 'zod'

export const versionSchema = z.string().regex(/^\d+\.\d+\.\d+$/, 'is not a version such as 1.0.0')
export const phrasesSchema = z.array(z.string().min(1)).min(1)

/** A list of words in the file, a set for whoever looks words up. */
export const wordSetSchema = z
  .array(z.coerce.string().min(1))
  .min(1)
  .transform((words): ReadonlySet<string> => new Set(words))

/** SHA-256 of a file, in lower-case hex. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in lower-case hex')

/** From a reader's own number to a probability: 1 / (1 + exp(−(slope × number + intercept))) (Platt 1999). */
export const plattSchema = z.strictObject({
  slope: z.number().min(0).max(100),
  intercept: z.number().min(-100).max(100),
})
export type Platt = z.infer<typeof plattSchema>

/** A probability from a reader's number, rounded so that the last bits of a platform's arithmetic decide nothing. */
export function calibrated({ slope, intercept }: Platt, number: number): number {
  return Math.round(1e4 / (1 + Math.exp(-(slope * number + intercept)))) / 1e4
}

/** A signal of less is nothing at all, 0: what nobody would look at must not make a score. */
export const leastProbability = 0.1
