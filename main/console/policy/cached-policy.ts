import { policySchema, type KeptPolicy } from '../../../shared/policy.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { sealedPolicy, type Database } from '../../store/console/index.ts'

/**
 * The directory and calendar of a school as this console heard of them last: null where nothing came; `sealed` where
 * the console has no key that opens what came, or it is of a form that this version does not know.
 */
export function cachedPolicy(db: Database, evidenceKey: EvidenceKey, schoolId: string): KeptPolicy | 'sealed' | null {
  const kept = sealedPolicy(db, schoolId)
  if (kept === null) return null
  const { version, changed_at, changed_by, sealed } = kept
  try {
    return { version, policy: policySchema.parse(JSON.parse(evidenceKey.open(sealed))), changed_at, changed_by }
  } catch {
    return 'sealed'
  }
}
