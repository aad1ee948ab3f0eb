/** The consoles of each school, with the keys that they announced and what was decided about them. */
import type { EnrolmentState, PublicKeys } from '../../../shared/enrolment.ts'
import { enqueue, type StationMessage } from './outbox.ts'
import { locksRows, type StationStore } from './store.ts'
import type { Unit } from './tables.ts'

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
   * Approves a pair of keys and publishes what it then needs, the key that was sealed to it first; the keys approved
   * before are revoked. False where somebody else has decided meanwhile: then nothing changes.
   */
  approve(decision: Decision & { sealed_key_id: string; publish: readonly StationMessage[] }): Promise<boolean>
  /** Refuses keys that wait, revokes keys that were approved. False where somebody else has decided meanwhile. */
  revoke(decision: Decision & { to: 'refused' | 'revoked' }): Promise<boolean>
  /** Publishes another key to a console that is approved still, once. False where it has that key already. */
  reseal(of: ConsoleName & { sealed_key_id: string; publish: StationMessage }): Promise<boolean>
}

export function enrolmentStore(store: StationStore): EnrolmentStore {
  /** With the rights of the school where one is named. */
  const asked = <T>(schoolId: string | null, work: (unit: Unit) => Promise<T>): Promise<T> =>
    schoolId === null ? store.asStation(work) : store.asSchool(schoolId, work)

  return {
    announce: ({ at, ...keys }) =>
      store.asSchool(keys.school_id, async (unit) => {
        await unit
          .insertInto('consoles')
          .values({ ...keys, state: 'waiting', announced_at: at })
          .onConflict((conflict) => conflict.columns(['school_id', 'console_id', 'fingerprint']).doNothing())
          .execute()
      }),
    find: ({ console_id, school_id = null }: { console_id: string; school_id?: string | null | undefined }) =>
      asked(school_id, (unit) => consolesOf(unit, school_id).where('console_id', '=', console_id).execute()),
    list: (schoolId) =>
      asked(schoolId, (unit) =>
        consolesOf(unit, schoolId)
          .orderBy((row) => row('state', '<>', 'waiting'))
          .orderBy('announced_at', 'desc')
          .orderBy('console_id')
          .orderBy('fingerprint')
          .execute(),
      ),
    approve: ({ publish, sealed_key_id, ...decision }) =>
      store.asSchool(decision.school_id, async (unit) => {
        const { school_id, console_id, fingerprint, from, by, at } = decision
        const known = await lockKeysOf(unit, decision)
        if (!known.some((each) => each.fingerprint === fingerprint && each.state === from)) return false
        await unit
          .updateTable('consoles')
          .set({ state: 'revoked', decided_at: at, decided_by: by })
          .where('school_id', '=', school_id)
          .where('console_id', '=', console_id)
          .where('fingerprint', '<>', fingerprint)
          .where('state', '=', 'approved')
          .execute()
        await decide(unit, { ...decision, to: 'approved', sealed_key_id })
        await enqueue(unit, publish)
        return true
      }),
    revoke: (decision) => store.asSchool(decision.school_id, (unit) => decide(unit, decision)),
    reseal: ({ publish, sealed_key_id, ...of }) =>
      store.asSchool(of.school_id, async (unit) => {
        // The condition is part of the change: of several stations that start at once, one sends the key.
        const { numUpdatedRows } = await thatConsole(unit, of)
          .set({ sealed_key_id })
          .where('state', '=', 'approved')
          .where((row) => row.or([row('sealed_key_id', 'is', null), row('sealed_key_id', '<>', sealed_key_id)]))
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await enqueue(unit, [publish])
        return true
      }),
  }
}

function consolesOf(unit: Unit, schoolId: string | null) {
  return unit
    .selectFrom('consoles')
    .selectAll()
    .$if(schoolId !== null, (query) => query.where('school_id', '=', schoolId as string))
}

/** All keys of a console as they stand; nobody else decides about any of them until this unit has ended. */
function lockKeysOf(unit: Unit, { school_id, console_id }: Omit<ConsoleName, 'fingerprint'>) {
  return consolesOf(unit, school_id)
    .where('console_id', '=', console_id)
    .orderBy('fingerprint')
    .$if(locksRows(unit), (query) => query.forUpdate())
    .execute()
}

function thatConsole(unit: Unit, { school_id, console_id, fingerprint }: ConsoleName) {
  return unit
    .updateTable('consoles')
    .where('school_id', '=', school_id)
    .where('console_id', '=', console_id)
    .where('fingerprint', '=', fingerprint)
}

/** False where it is not any more what it was. */
async function decide(
  unit: Unit,
  { to, from, by, at, sealed_key_id, ...of }: Decision & { to: EnrolmentState; sealed_key_id?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await thatConsole(unit, of)
    .set({ state: to, decided_at: at, decided_by: by, ...(sealed_key_id !== undefined && { sealed_key_id }) })
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
