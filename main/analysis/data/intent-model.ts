/** The fitted intent classifier as data: a manifest in YAML, and its weights as bytes beside it. */
import { z } from 'zod'
import { plattSchema, versionSchema } from './common.ts'
import { weightsSchema, weightTableOf } from './weights.ts'

/** How a passage can be meant. `neutral`: nothing of the kind. */
export const intentClasses = [
  'neutral', 'danger', 'distress', 'joking', 'denial', 'quotation', 'third_party', 'threat', 'abuse',
] as const // prettier-ignore
export type IntentClass = (typeof intentClasses)[number]

/** A class that counts is at least as likely as not; one among nine somewhat less. */
const sure = z.number().min(0.5).max(1)
/** Never on a draw. */
const logOdds = z.number().min(0.5)
const likely = z.number().min(0.4).max(1)

const thresholdsSchema = z.strictObject({
  /** Danger so sure that it is a crisis by itself, and where the phrases name one beside it. */
  crisis: sure,
  crisis_with_phrase: sure,
  /** Danger that is at least `high`. */
  high: sure,
  /** A threat, abuse suffered, or worry about another. */
  other: likely,
  /** Lethal terms in jest. */
  joking: likely,
  /** Danger, a threat, abuse, worry or despair, summed up. */
  caution: sure,
})
/** Probabilities from which a class counts. */
export type IntentThresholds = z.infer<typeof thresholdsSchema>

/** From where an output of the classifier counts; how the values were chosen stands in the model card. */
const calibrationSchema = z.strictObject({
  /** By the length of the message: fewer than `shortPassage` tokens say little by themselves; a long one is read in windows. */
  short: thresholdsSchema,
  medium: thresholdsSchema,
  long: thresholdsSchema,
  /** From the log-odds of “anything that may call for somebody” in the worst passage to a probability, by length. */
  probability: z.strictObject({ short: plattSchema, medium: plattSchema, long: plattSchema }),
  /** Where the context rules have discounted every phrase (denied, quoted, an idiom). */
  discounted: z.strictObject({ crisis: sure, caution: sure }),
  /** Logarithm of a class's odds against danger and despair, from which a match is taken less literally. */
  reinterpretation: z.strictObject({ joking: logOdds, denial: logOdds, quotation: logOdds, third_party: logOdds }),
})
export type IntentCalibration = z.infer<typeof calibrationSchema>

/** The file of the weights, beside the manifest. */
export const intentWeightsFile = 'intent-model.bin'

export const intentManifestSchema = z.strictObject({
  version: versionSchema,
  /** Linear model over hashed features, see main/analysis/intent/. */
  format: z.literal('hashed-linear-1'),
  classes: z.array(z.enum(intentClasses)).refine((names) => names.join() === intentClasses.join(), 'are not the classes of this program, in its order'),
  weights: weightsSchema(intentWeightsFile, 9),
  /** One for each class. */
  bias: z.array(z.number().min(-100).max(100)).length(intentClasses.length),
  calibration: calibrationSchema,
}) // prettier-ignore
export type IntentManifest = z.infer<typeof intentManifestSchema>

/** What the classifier is built from. */
export interface IntentModel {
  version: string
  buckets: number
  bias: readonly number[]
  scale: number
  /** For each bucket one weight a class. */
  weights: Int8Array
  calibration: IntentCalibration
}

/** The model of a manifest and the bytes beside it. Throws DetectionFileError where they do not belong together. */
export function intentModelOf(
  { version, weights, bias, calibration }: IntentManifest,
  bytes: Uint8Array | undefined,
  sha256: (bytes: Uint8Array) => string,
): IntentModel {
  const table = weightTableOf(weights, bytes, sha256)
  return { version, buckets: weights.shape[0], bias, scale: weights.scale, weights: table, calibration }
}
