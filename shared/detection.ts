/** How cautiously a school has its students' messages read: one choice for the whole school, kept with its policy. */
import { z } from 'zod'

/** The operating points, from the fewest alarms to the most. What each costs and misses stands in consensus.yaml. */
export const operatingPointNames = ['fewer_alarms', 'balanced', 'more_caution'] as const
export const operatingPointNameSchema = z.enum(operatingPointNames)
export type OperatingPointName = z.infer<typeof operatingPointNameSchema>

/** The sets of weights that the four signals may be combined with. */
export const weightSetNames = ['published', 'refitted'] as const
export const weightSetNameSchema = z.enum(weightSetNames)
export type WeightSetName = z.infer<typeof weightSetNameSchema>

/** Longest reason of a choice, in characters. */
export const longestDetectionReason = 500

const reasonSchema = z
  .string()
  .trim()
  .min(1)
  .max(longestDetectionReason)
  .regex(/^[^\0]+$/)

const detectionChoiceSchema = z.object({
  operating_point: operatingPointNameSchema,
  /** Null = those that the detection files name. */
  weights: weightSetNameSchema.nullable(),
})
/** What the engine is told of a school's choice. */
export type DetectionChoice = z.output<typeof detectionChoiceSchema>

/** A choice with the reason for it, as somebody makes it. */
export const detectionChangeSchema = detectionChoiceSchema.extend({ why: reasonSchema })
export type DetectionChange = z.output<typeof detectionChangeSchema>

/** As a school's policy keeps it. */
export const keptDetectionSchema = detectionChoiceSchema.extend({
  /** Who chose it, when (UTC milliseconds) and why; null = nobody has chosen yet. */
  chosen: z.object({ by: z.string().min(1).max(200), at: z.int().min(0), why: reasonSchema }).nullable(),
})
export type KeptDetection = z.output<typeof keptDetectionSchema>

/** What holds where a school has chosen nothing. */
export const usualDetection: KeptDetection = { operating_point: 'balanced', weights: null, chosen: null }
