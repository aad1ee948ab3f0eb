/** What is being written of a safety plan, and how it stands to what is saved. Pure. */
import { safetyPlanHeadings, type SafetyPlan, type SafetyPlanHeading } from '../../shared/student-records.ts'
import type { SafetyPlanVersion } from '../../shared/views.ts'

export interface PlanDraft {
  /** The version that was the newest when writing began; null = there was none. */
  based_on: string | null
  sections: SafetyPlan
}

export const emptyPlan: SafetyPlan = {
  warning_signs: '',
  coping_strategies: '',
  people_and_places_for_distraction: '',
  people_to_ask_for_help: '',
  professionals_and_agencies: '',
  making_the_environment_safe: '',
}

/** A draft that begins with a version, or empty; saved, it follows the newest one of `versions` (newest first). */
export function draftFrom(
  versions: readonly Pick<SafetyPlanVersion, 'id'>[],
  from: Pick<SafetyPlanVersion, 'sections'> | undefined,
): PlanDraft {
  return { based_on: versions[0]?.id ?? null, sections: { ...emptyPlan, ...from?.sections } }
}

/** What a colleague saved since the draft was begun; null = nothing. */
export function savedMeanwhile(draft: PlanDraft, versions: readonly SafetyPlanVersion[]): SafetyPlanVersion | null {
  const [newest] = versions
  return newest !== undefined && newest.id !== draft.based_on ? newest : null
}

/** Headings under which two plans say something else, but for blanks around it. */
export function differing(a: SafetyPlan, b: SafetyPlan): SafetyPlanHeading[] {
  return safetyPlanHeadings.filter((heading) => a[heading].trim() !== b[heading].trim())
}

/** Own words followed by saved ones that are not in them already. */
export function joined(mine: string, saved: string): string {
  const [own, other] = [mine.trim(), saved.trim()]
  if (own.includes(other)) return own
  return own === '' ? other : `${own}\n${other}`
}

/** The plan without blanks around its words. */
export function trimmed(sections: SafetyPlan): SafetyPlan {
  return Object.fromEntries(safetyPlanHeadings.map((heading) => [heading, sections[heading].trim()])) as SafetyPlan
}

/** Whether anything is written at all. */
export function saysSomething(sections: SafetyPlan): boolean {
  return safetyPlanHeadings.some((heading) => sections[heading].trim() !== '')
}
