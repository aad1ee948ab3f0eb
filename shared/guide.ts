/**
 * The guide that acknowledging an alert opens: what a school does, step by step. A school edits it as data, in its
 * directory; what stands here is what it begins with.
 */
import { z } from 'zod'
import type { Alert } from './alerts.ts'
import { patternCategories, type PatternCategory } from './risk.ts'

const categories = Object.keys(patternCategories) as [PatternCategory, ...PatternCategory[]]

/** One step of a school's guide. */
export const guideStepSchema = z.object({
  /** Stays with the step when its words change: by it is known what was done. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'is not made of small letters, digits and hyphens'),
  title: z.string().trim().min(1).max(120),
  hint: z.string().trim().max(400),
  /** At which tiers it is shown. */
  tiers: z
    .array(z.enum(['high', 'crisis']))
    .min(1)
    .max(2),
  /** For which categories; empty = for all. */
  categories: z.array(z.enum(categories)).max(categories.length),
  /** At which tiers an alert is resolved only when it is done, or a reason is given. */
  required: z.array(z.enum(['high', 'crisis'])).max(2),
})
export type GuideStep = z.output<typeof guideStepSchema>

export const guideSchema = z
  .array(guideStepSchema)
  .max(30)
  .refine((steps) => new Set(steps.map(({ id }) => id)).size === steps.length, 'names a step twice')

const both = ['crisis', 'high'] satisfies GuideStep['tiers']
const step = (id: string, title: string, hint: string, of: Partial<GuideStep> = {}): GuideStep => ({
  ...{ id, title, hint, tiers: [...both], categories: [], required: [] },
  ...of,
})

/**
 * The steps that are done by something done elsewhere in the program, by what does them; a school whose guide has no such
 * step has none done.
 */
export const stepsDoneBy = {
  followUp: 'follow-up',
  safetyPlan: 'safety-plan',
  guardianReached: 'call-guardian',
} as const

/** What a school begins with. The order is that of the hour after an alarm. */
export const defaultGuide: readonly GuideStep[] = [
  step(
    'be-with-student',
    'Be with the student',
    'Stay with them, or ask an adult who is near to stay until you arrive.',
    {
      tiers: ['crisis'],
      required: ['crisis'],
    },
  ),
  step(
    'ask-directly',
    'Ask directly about suicide',
    'Ask plainly: “Are you thinking about killing yourself?” Asking does not plant the idea.',
    {
      categories: ['suicidal_intent', 'suicidal_ideation'],
      required: ['crisis'],
    },
  ),
  step(
    'remove-means',
    'Make the place safe',
    'Ask what they could use and where it is. Have medication, blades and firearms removed or locked away.',
    {
      tiers: ['crisis'],
    },
  ),
  step(
    stepsDoneBy.guardianReached,
    'Call a guardian',
    'Tell them what was said and what is happening now. Do not call where the contact list says so.',
    {
      required: ['crisis'],
    },
  ),
  step(stepsDoneBy.safetyPlan, 'Write or review the safety plan', 'In the student’s own words, together with them.'),
  step('who-stays', 'Agree who stays, and until when', 'Name the person and the time.', { tiers: ['crisis'] }),
  step(stepsDoneBy.followUp, 'Set a follow-up for tomorrow', 'A check-in that outlives this alert.', {
    required: ['crisis'],
  }),
]

/** What of an alert decides which steps are its own. */
export type Guided = Pick<Alert, 'tier' | 'categories'>

/** The steps of a guide for one alert, in order. */
export function stepsFor(guide: readonly GuideStep[], { tier, categories: of }: Guided): GuideStep[] {
  return guide.filter(
    (each) =>
      each.tiers.includes(tier) && (each.categories.length === 0 || each.categories.some((name) => of.includes(name))),
  )
}

/** The steps that resolving this alert needs and nobody has done. `done`: ids of steps. */
export function missingSteps(guide: readonly GuideStep[], alert: Guided, done: ReadonlySet<string>): GuideStep[] {
  return stepsFor(guide, alert).filter(({ id, required }) => required.includes(alert.tier) && !done.has(id))
}
