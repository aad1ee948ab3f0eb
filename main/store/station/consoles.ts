/** The consoles of each school, with the keys that they announced and what was decided about them. */
import type { EnrolmentState, PublicKeys } from '../../../shared/enrolment.ts'
import type { Database } from '../open.ts'
import { enqueue, type OutboxMessage } from '../outbox.ts'
import { prepared } from '../prepared.ts'

/** One pair of keys of one console. Times are UTC milliseconds. */
export interface AnnouncedConsole extends PublicKeys {
  school_id: string
  console_id: string
  fingerprint: string
  state: EnrolmentState
  announced_at: number
  decided_at: number | null
  /** Id of the person who decided. */
  decided_by: string | null
  /** The content key that was sealed to it last; null = none yet. */
  sealed_key_id: string | null
}

/** Which pair of keys is meant. */
type ConsoleName = Pick<AnnouncedConsole, 'school_id' | 'console_id' | 'fingerprint'>

interface Decision extends ConsoleName {
  /** What it must be still, for the decision to count. */
  from: EnrolmentState
  by: string
  at: number
}

/** What the station keeps of consoles. Every change is one transaction; what it publishes is part of it. */
export interface EnrolmentStore {
  /** Keeps a pair of keys as waiting; one that is known stays what it is. */
  announce(console: PublicKeys & ConsoleName & { at: number }): Promise<void>
  /** Every pair of keys of a console; of all schools where none is named. */
  find(of: { console_id: string; school_id?: string | undefined }): Promise<AnnouncedConsole[]>
  /** Every console of a school, or of all; those that wait first, then the newest. */
  list(schoolId: string | null): Promise<AnnouncedConsole[]>
  /**
   * Approves a pair of keys and publishes the key that was sealed to it; the keys approved before are revoked. False
   * where somebody else has decided meanwhile.
   */
  approve(decision: Decision & { sealed_key_id: string; publish: OutboxMessage }): Promise<boolean>
  /** Refuses keys that wait, revokes keys that were approved. False where somebody else has decided meanwhile. */
  revoke(decision: Decision & { to: 'refused' | 'revoked' }): Promise<boolean>
  /** Publishes another key to a console that is approved still. */
  reseal(of: ConsoleName & { sealed_key_id: string; publish: OutboxMessage }): Promise<void>
}

const columns = `school_id, console_id, fingerprint, signing_key, sealing_key, state, announced_at, decided_at,
  decided_by, sealed_key_id`
const named = 'school_id = @school_id AND console_id = @console_id AND fingerprint = @fingerprint'

export function enrolmentStore(db: Database): EnrolmentStore {
  const decide = (decision: Decision & { to: EnrolmentState }): boolean =>
    prepared(
      db,
      `UPDATE consoles SET state = @to, decided_at = @at, decided_by = @by WHERE ${named} AND state = @from`,
    ).run(decision).changes > 0
  const keepSealed = (of: ConsoleName & { sealed_key_id: string }) =>
    prepared(db, `UPDATE consoles SET sealed_key_id = @sealed_key_id WHERE ${named} AND state = 'approved'`).run(of)

  return {
    async announce(console) {
      prepared(
        db,
        `INSERT INTO consoles (school_id, console_id, fingerprint, signing_key, sealing_key, state, announced_at)
         VALUES (@school_id, @console_id, @fingerprint, @signing_key, @sealing_key, 'waiting', @at) ON CONFLICT DO NOTHING`,
      ).run(console)
    },
    async find({ console_id, school_id = null }: { console_id: string; school_id?: string | undefined | null }) {
      return prepared(
        db,
        `SELECT ${columns} FROM consoles WHERE console_id = @console_id AND (@school_id IS NULL OR school_id = @school_id)`,
      ).all({ console_id, school_id }) as AnnouncedConsole[]
    },
    async list(schoolId) {
      return prepared(
        db,
        `SELECT ${columns} FROM consoles WHERE @school IS NULL OR school_id = @school
         ORDER BY state <> 'waiting', announced_at DESC, console_id, fingerprint`,
      ).all({ school: schoolId }) as AnnouncedConsole[]
    },
    async approve({ publish, sealed_key_id, ...decision }) {
      return db
        .transaction(() => {
          const { school_id, console_id, fingerprint, at, by } = decision
          prepared(
            db,
            `UPDATE consoles SET state = 'revoked', decided_at = @at, decided_by = @by
             WHERE school_id = @school_id AND console_id = @console_id AND fingerprint <> @fingerprint AND state = 'approved'`,
          ).run({ school_id, console_id, fingerprint, at, by })
          if (!decide({ ...decision, to: 'approved' })) return false
          keepSealed({ school_id, console_id, fingerprint, sealed_key_id })
          enqueue(db, publish)
          return true
        })
        .immediate()
    },
    async revoke(decision) {
      return decide(decision)
    },
    async reseal({ publish, ...of }) {
      db.transaction(() => {
        if (keepSealed(of).changes > 0) enqueue(db, publish)
      }).immediate()
    },
  }
}
