import { policyPurpose } from '../../../shared/policy.ts'
import { evidenceKey, type EvidenceKey } from '../../platform/envelope.ts'
import { schoolKeys, sealedPolicies, type Database } from '../../store/console/index.ts'

/** The content key of a school that colleagues open, too; null = none yet. */
export function schoolKey(db: Database, schoolId: string): EvidenceKey | null {
  const [first] = schoolKeysInOrder(db, schoolId)
  return first ? evidenceKey(first) : null
}

/**
 * The content keys of a school: first the one that opens its newest directory, then the newest. Anybody who may write
 * into the queue can seal a key to this console; so one that merely came later does not take the place of one in use.
 */
export function schoolKeysInOrder(db: Database, schoolId: string): Buffer[] {
  const keys = schoolKeys(db, schoolId).map(({ content_key }) => content_key)
  if (keys.length < 2) return keys
  for (const { sealed, version, changed_at, changed_by } of sealedPolicies(db, schoolId)) {
    const purpose = policyPurpose({ school_id: schoolId, version, changed_at, changed_by })
    const inUse = keys.find((key) => isOpenedBy(key, sealed, purpose))
    if (inUse) return [inUse, ...keys.filter((key) => key !== inUse)]
  }
  return keys
}

function isOpenedBy(key: Buffer, sealed: Parameters<EvidenceKey['open']>[0], purpose: string): boolean {
  try {
    evidenceKey(key).open(sealed, purpose)
    return true
  } catch {
    return false
  }
}

/**
 * Opens with every content key that the console's own school has sealed to it, then with its own key; seals with its
 * own. Keys that come while it is in use are used at once.
 */
export function keyRing(options: { db: Database; own: EvidenceKey; schoolId(): string }): EvidenceKey {
  const { db, own, schoolId } = options
  return {
    seal: (text, purpose) => own.seal(text, purpose),
    open(envelope, purpose) {
      for (const { content_key } of schoolKeys(db, schoolId())) {
        try {
          return evidenceKey(content_key).open(envelope, purpose)
        } catch {
          // Sealed with another key: an older one of the school, or the console's own.
        }
      }
      return own.open(envelope, purpose)
    },
  }
}
