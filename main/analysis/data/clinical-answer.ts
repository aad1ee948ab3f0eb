/** The answer that a clinical service is asked for, and reading it. */
import { z } from 'zod'
import { markerTypeSchema } from '../../../shared/estimates.ts'
import { probabilitySchema } from '../../../shared/risk.ts'

/** Answer of a clinical service; anything else is a failed signal. */
export const clinicalAnswerSchema = z.strictObject({
  score: probabilitySchema,
  detected: z.boolean(),
  marker: z.union([markerTypeSchema, z.literal('CRISIS')]).nullable(),
  reasoning: z.string().max(4000),
  /** Free text of a model: shown to clinicians only, never in a notification. */
  patterns: z.array(z.string().max(400)).max(50),
})
export type ClinicalAnswer = z.infer<typeof clinicalAnswerSchema>
