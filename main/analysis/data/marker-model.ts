/** The fitted reader of item markers as data: a manifest in YAML, and its weights as bytes beside it. */
import { z } from 'zod'
import { markerTypes, markerTypeSchema, type MarkerType } from '../../../shared/estimates.ts'
import { probabilitySchema } from '../../../shared/risk.ts'
import { versionSchema } from './common.ts'
import { weightsSchema, weightTableOf } from './weights.ts'

/** The file of the weights, beside the manifest. */
export const markerWeightsFile = 'marker-model.bin'

const itemCalibrationSchema = z.strictObject({
  /** Platt scaling: probability = 1 / (1 + exp(−(slope × logit + offset))). */
  slope: z.number().positive().max(100),
  offset: z.number().min(-100).max(100),
  /** Probability from which the item is marked. */
  threshold: probabilitySchema,
  /** Probability below which a phrase of the item is not believed, but for the whole of a message. */
  doubt: probabilitySchema,
})

export const markerManifestSchema = z.strictObject({
  version: versionSchema,
  /** One linear model an item over hashed features, see main/analysis/markers/. */
  format: z.literal('hashed-logistic-1'),
  items: z.array(markerTypeSchema).refine((names) => names.join() === markerTypes.join(), 'are not the items of this program, in its order'),
  weights: weightsSchema(markerWeightsFile, 16),
  /** One for each item. */
  bias: z.array(z.number().min(-100).max(100)).length(markerTypes.length),
  calibration: z.record(markerTypeSchema, itemCalibrationSchema),
}) // prettier-ignore
export type MarkerManifest = z.infer<typeof markerManifestSchema>
export type MarkerCalibration = z.infer<typeof itemCalibrationSchema>

/** What the reader of markers is built from. */
export interface MarkerModel {
  version: string
  buckets: number
  bias: readonly number[]
  scale: number
  /** For each bucket one weight an item. */
  weights: Int8Array
  calibration: Readonly<Record<MarkerType, MarkerCalibration>>
}

/** The model of a manifest and the bytes beside it. Throws DetectionFileError where they do not belong together. */
export function markerModelOf(
  { version, weights, bias, calibration }: MarkerManifest,
  bytes: Uint8Array | undefined,
  sha256: (bytes: Uint8Array) => string,
): MarkerModel {
  const table = weightTableOf(weights, bytes, sha256)
  return { version, buckets: weights.shape[0], bias, scale: weights.scale, weights: table, calibration }
}
