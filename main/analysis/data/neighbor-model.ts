/** The known sentences that messages are compared with, as data: a manifest in YAML, and their features as bytes beside it. */
import { z } from 'zod'
import type { PatternCategory } from '../../../shared/risk.ts'
import { checkedBytes } from './binary.ts'
import { plattSchema, sha256Schema, versionSchema, type Platt } from './common.ts'
import { DetectionFileError } from './errors.ts'

/** The file of the sentences, beside the manifest. */
export const neighborsFile = 'neighbors.bin'

/** What a sentence of the file speaks of, by the number that stands for it there; null = plain talk. */
const neighborCategories: readonly (PatternCategory | null)[] = [null, 'suicidal_ideation', 'hopelessness']

/** Bytes of a feature, lowest first. */
const featureBytes = 3

export const neighborManifestSchema = z.strictObject({
  version: versionSchema,
  /** Sentence after sentence: one byte for what it speaks of, one for how many features follow, three a feature. */
  format: z.literal('hashed-sentences-1'),
  sentences: z.strictObject({
    file: z.literal(neighborsFile),
    count: z.int().min(0).max(200_000),
    /** Length of the file. */
    bytes: z.int().min(0),
    /** Of the file. */
    sha256: sha256Schema,
  }),
  /** From the margin to a probability. */
  calibration: plattSchema,
})
export type NeighborManifest = z.infer<typeof neighborManifestSchema>

export interface KnownSentence {
  /** Null = plain talk. */
  category: PatternCategory | null
  /** Below 2²⁴, each once. */
  features: readonly number[]
}

export interface NeighborModel {
  sentences: readonly KnownSentence[]
  calibration: Platt
}

/** The model of a manifest and the bytes beside it. Throws DetectionFileError where they do not belong together. */
export function neighborModelOf(
  { sentences: { file, count, ...described }, calibration }: NeighborManifest,
  given: Uint8Array | undefined,
  sha256: (bytes: Uint8Array) => string,
): NeighborModel {
  const bytes = checkedBytes(file, described, given, sha256)
  const broken = (): never => {
    throw new DetectionFileError(file, '', `${count} sentences`, 'does not hold the sentences of its manifest')
  }
  const sentences: KnownSentence[] = []
  let at = 0
  while (at < bytes.length) {
    const category = neighborCategories[bytes[at]!]
    const end = at + 2 + bytes[at + 1]! * featureBytes
    // Where a byte is missing at the end the sum is no number, and this is false too.
    if (category === undefined || !(end <= bytes.length)) return broken()
    const features: number[] = []
    for (let from = at + 2; from < end; from += featureBytes)
      features.push(bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16))
    sentences.push({ category, features })
    at = end
  }
  return sentences.length === count ? { sentences, calibration } : broken()
}

/** The bytes of sentences, at most 255 features of each. */
export function neighborBytesOf(sentences: readonly KnownSentence[]): Uint8Array {
  return Uint8Array.from(
    sentences.flatMap(({ category, features }) => {
      const kept = features.slice(0, 255)
      const bytes = kept.flatMap((feature) => [feature & 0xff, (feature >> 8) & 0xff, feature >> 16])
      return [neighborCategories.indexOf(category), kept.length, ...bytes]
    }),
  )
}
