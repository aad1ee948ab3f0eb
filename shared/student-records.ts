/**
 * What people keep about a student beyond any one alert: the safety plan and follow-ups. Each saving is a record; of
 * those about one thing the one with the highest position counts, and none is erased.
 */
import { z } from 'zod'

const id = z.string().min(1).max(200)
const name = z.string().max(200)

/**
 * The six headings of the Safety Planning Intervention (Stanley & Brown, 2012), in their order; each holds the
 * student’s own words.
 */
export const safetyPlanHeadings = [
  'warning_signs',
  'coping_strategies',
  'people_and_places_for_distraction',
  'people_to_ask_for_help',
  'professionals_and_agencies',
  'making_the_environment_safe',
] as const
export type SafetyPlanHeading = (typeof safetyPlanHeadings)[number]

const section = z.string().max(4000)
export const safetyPlanSchema = z.object({
  warning_signs: section,
  coping_strategies: section,
  people_and_places_for_distraction: section,
  people_to_ask_for_help: section,
  professionals_and_agencies: section,
  making_the_environment_safe: section,
})
export type SafetyPlan = z.output<typeof safetyPlanSchema>

/** `withdrawn`: it was set by mistake. */
export const followUpEndSchema = z.enum(['done', 'not needed', 'withdrawn'])
export type FollowUpEnd = z.output<typeof followUpEndSchema>

/** The fields of each kind; `time`: how an instant is written on this side. Words may be sealed: then they are absent. */
export function studentRecordFields<Time extends z.ZodType<number>>(time: Time) {
  return {
    SAFETY_PLAN_SAVED: { sections: safetyPlanSchema.optional() },
    FOLLOW_UP_SET: {
      /** Known by the id of the record that set it first. */
      follow_up: id,
      next_action: z.string().max(2000).optional(),
      due_at: time,
      owner: id,
      owner_name: name.optional(),
      /** The alert from which it was set. */
      alert_key: z.string().max(200).optional(),
    },
    FOLLOW_UP_DONE: { follow_up: id, outcome: followUpEndSchema, note: z.string().max(20_000).optional() },
  }
}

export const studentRecordTypes = ['SAFETY_PLAN_SAVED', 'FOLLOW_UP_SET', 'FOLLOW_UP_DONE'] as const

/** Fields that each record has beside those of its kind. */
export const studentRecordedFields = <Time extends z.ZodType<number>>(time: Time) => ({
  ack_id: id,
  console_id: z.string().max(200),
  by: id,
  by_name: name.optional(),
  role: name.optional(),
  at: time,
  key_id: z.string().max(100).optional(),
  signature: z.string().max(100).optional(),
  /** Why a station does not stand by it: then it is kept, and changes nothing. */
  refused: z.string().max(100).optional(),
  /** Its place in the order of its student, from 1; given by the relay of a station. */
  position: z.int().min(1).optional(),
})
