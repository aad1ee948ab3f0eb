/** A console as a station sees it: its keys, and what it says of them. */
import { systemRandomness } from '../../main/platform/randomness.ts'
import { sealingKey } from '../../main/platform/sealing.ts'
import { fingerprintOf, signingKey } from '../../main/platform/signing.ts'
import type { ConsoleAnnounced } from '../../shared/enrolment.ts'

export function announcingConsole({ console_id = 'console-1', school_id }: { console_id?: string; school_id: string }) {
  const signing = signingKey(systemRandomness.bytes(32))
  const sealing = sealingKey(systemRandomness.bytes(32))
  const keys = { signing_key: signing.publicKey, sealing_key: sealing.publicKey }
  return {
    console_id,
    school_id,
    signing,
    sealing,
    keys,
    fingerprint: fingerprintOf(keys),
    /** Its announcement; what is changed is signed with the rest. */
    announcement(changes: Partial<ConsoleAnnounced> = {}) {
      return signing.sign<Omit<ConsoleAnnounced, 'signature'>>({
        schema_version: 1,
        ack_id: systemRandomness.uuid(),
        event_type: 'CONSOLE_ANNOUNCED',
        console_id,
        school_id,
        ...keys,
        at: '2026-01-20T10:15:00.000Z',
        ...changes,
      })
    },
  }
}
