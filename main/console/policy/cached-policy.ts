import { policyPurpose, policySchema, type KeptPolicy } from '../../../shared/policy.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { sealedPolicies, type Database } from '../../store/console/index.ts'

interface CachedPolicy {
  /** Null = none came that opens. */
  kept: KeptPolicy | null
  /** What came last, maybe after that, does not open: the console lacks its key, or this version its form. */
  sealed: boolean
}

/** The directory and calendar of a school as this console heard of them last, of those that it can read. */
export function cachedPolicy(db: Database, evidenceKey: EvidenceKey, schoolId: string): CachedPolicy {
  let sealed = false
  for (const told of sealedPolicies(db, schoolId)) {
    const { version, changed_at, changed_by } = told
    const purpose = policyPurpose({ school_id: schoolId, version, changed_at, changed_by })
    try {
      const policy = policySchema.parse(JSON.parse(evidenceKey.open(told.sealed, purpose)))
      return { kept: { version, policy, changed_at, changed_by }, sealed }
    } catch {
      sealed = true
    }
  }
  return { kept: null, sealed }
}
