import { z } from 'zod'

export const versionSchema = z.string().regex(/^\d+\.\d+\.\d+$/, 'is not a version such as 1.0.0')
export const phrasesSchema = z.array(z.string().min(1)).min(1)

/** A list of words in the file, a set for whoever looks words up. */
export const wordSetSchema = z
  .array(z.coerce.string().min(1))
  .min(1)
  .transform((words): ReadonlySet<string> => new Set(words))
