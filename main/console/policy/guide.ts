import { defaultGuide, type GuideStep } from '../../../shared/guide.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import type { Database } from '../../store/console/index.ts'
import { cachedPolicy } from './cached-policy.ts'

/** What a school does about an alert, step by step: as its directory says, else what every school begins with. */
export function guideOf(of: { db: Database; evidenceKey: EvidenceKey }, schoolId: string): readonly GuideStep[] {
  return cachedPolicy(of.db, of.evidenceKey, schoolId).kept?.policy.guide ?? defaultGuide
}
