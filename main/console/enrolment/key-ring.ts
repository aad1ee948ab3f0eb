import { evidenceKey, type EvidenceKey } from '../../platform/envelope.ts'
import { schoolKeys, type Database } from '../../store/console/index.ts'

/** The newest content key that a school has sealed to this console: what colleagues open; null = none yet. */
export function schoolKey(db: Database, schoolId: string): EvidenceKey | null {
  const [newest] = schoolKeys(db, schoolId)
  return newest ? evidenceKey(newest.content_key) : null
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
