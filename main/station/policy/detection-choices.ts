/** What each school has chosen of how cautiously its students' messages are read, at hand while they are. */
import { usualDetection, type DetectionChoice } from '../../../shared/detection.ts'
import { seconds } from '../../../shared/time.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import type { Policies } from './policies.ts'

export interface DetectionChoices {
  /**
   * Resolves when the choice of a school is known as it stood at most `freshFor` ago, or could not be found out in time:
   * then the last one that was known holds. Never rejects: no message waits for more.
   */
  know(schoolId: string): Promise<void>
  /** The choice that was last known; the usual one where none is. */
  of(schoolId: string): DetectionChoice
  /** The choice may be another: the next message asks again. */
  changed(schoolId: string): void
}

/** How long a choice is taken for the one that stands: another station may have kept another meanwhile. */
const freshFor = seconds(15)

/** How long a message waits for it. */
const longestWait = seconds(1)

export function createDetectionChoices({
  read,
  clock,
  logger,
}: {
  read: Policies['read']
  clock: Clock
  logger: Logger
}): DetectionChoices {
  const known = new Map<string, DetectionChoice>()
  /** The newest question of each school that nothing has overtaken; it stays until it fails or the choice is changed. */
  const questions = new Map<string, { asked: Promise<void>; at: number }>()

  function ask(schoolId: string): Promise<void> {
    const at = clock.now()
    const isNewest = (): boolean => questions.get(schoolId) === question
    const answer = async (): Promise<void> => {
      try {
        const { operating_point, weights } = (await read(schoolId)).policy.detection
        if (isNewest()) known.set(schoolId, { operating_point, weights })
      } catch {
        if (isNewest()) questions.delete(schoolId)
        logger.warn({}, 'what a school has chosen for detection could not be read: what was known last holds')
      }
    }
    const question = { asked: Promise.resolve().then(answer), at }
    questions.set(schoolId, question)
    return question.asked
  }

  return {
    async know(schoolId) {
      const last = questions.get(schoolId)
      const age = last ? clock.now() - last.at : Infinity
      const asked = last && age >= 0 && age < freshFor ? last.asked : ask(schoolId)
      let cancel = (): void => undefined
      const late = new Promise<void>((resolve) => (cancel = clock.after(longestWait, resolve)))
      await Promise.race([asked, late])
      cancel()
    },
    of: (schoolId) => known.get(schoolId) ?? usualDetection,
    changed: (schoolId) => void questions.delete(schoolId),
  }
}
