/** The consoles of each school, with the keys that they announced and what was decided about them. */
import type { EnrolmentState, PublicKeys } from '../../../shared/enrolment.ts'
import { enqueue, type StationMessage } from './outbox.ts'
import type { StationStore } from './store.ts'
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
   * Approves a pair of keys and publishes the key that was sealed to it; the keys approved before are revoked. False
   * where somebody else has decided meanwhile.
   */
  approve(decision: Decision & { sealed_key_id: string; publish: StationMessage }): Promise<boolean>
  /** Refuses keys that wait, revokes keys that were approved. False where somebody else has decided meanwhile. */
  revoke(decision: Decision & { to: 'refused' | 'revoked' }): Promise<boolean>
  /** Publishes another key to a console that is approved still. */
  reseal(of: ConsoleName & { sealed_key_id: string; publish: StationMessage }): Promise<void>
}

const columns = [
  'school_id',
  'console_id',
  'fingerprint',
  'signing_key',
  'sealing_key',
  'state',
  'announced_at',
  'decided_at',
  'decided_by',
  'sealed_key_id',
] as const

export function enrolmentStore(store: StationStore): EnrolmentStore {
  return {
    announce: ({ at, ...console }) =>
      store.asSchool(console.school_id, async (unit) => {
        await unit
          .insertInto('consoles')
          .values({ ...console, state: 'waiting', announced_at: at })
          .onConflict((conflict) => conflict.columns(['school_id', 'console_id', 'fingerprint']).doNothing())
          .execute()
      }),
    find: ({ console_id, school_id }) =>
      store.asStation((unit) =>
        unit
          .selectFrom('consoles')
          .select(columns)
          .where('console_id', '=', console_id)
          .$if(school_id !== undefined, (query) => query.where('school_id', '=', school_id as string))
          .execute(),
      ),
    async list(schoolId) {
      const all = (unit: Unit) =>
        unit
          .selectFrom('consoles')
          .select(columns)
          .$if(schoolId !== null, (query) => query.where('school_id', '=', schoolId as string))
          .orderBy('announced_at', 'desc')
          .orderBy('console_id')
          .orderBy('fingerprint')
          .execute()
      const rows = await (schoolId === null ? store.asStation(all) : store.asSchool(schoolId, all))
      return [...rows.filter(({ state }) => state === 'waiting'), ...rows.filter(({ state }) => state !== 'waiting')]
    },
    approve: ({ publish, sealed_key_id, ...decision }) =>
      store.asSchool(decision.school_id, async (unit) => {
        const { school_id, console_id, fingerprint, at, by } = decision
        // First the console's rows: two who decide at once do it one after the other.
        await unit
          .updateTable('consoles')
          .set({ state: 'revoked', decided_at: at, decided_by: by })
          .where('school_id', '=', school_id)
          .where('console_id', '=', console_id)
          .where('fingerprint', '!=', fingerprint)
          .where('state', '=', 'approved')
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('consoles as meant')
                .select('meant.fingerprint')
                .where('meant.school_id', '=', school_id)
                .where('meant.console_id', '=', console_id)
                .where('meant.fingerprint', '=', fingerprint)
                .where('meant.state', '=', decision.from),
            ),
          )
          .execute()
        if (!(await decide(unit, { ...decision, to: 'approved' }))) return false
        await keepSealed(unit, { school_id, console_id, fingerprint, sealed_key_id })
        await enqueue(unit, [publish])
        return true
      }),
    revoke: (decision) => store.asSchool(decision.school_id, (unit) => decide(unit, decision)),
    reseal: ({ publish, ...of }) =>
      store.asSchool(of.school_id, async (unit) => {
        if (await keepSealed(unit, of)) await enqueue(unit, [publish])
      }),
  }
}

async function decide(unit: Unit, decision: Decision & { to: EnrolmentState }): Promise<boolean> {
  const { school_id, console_id, fingerprint, from, to, by, at } = decision
  const { numUpdatedRows } = await unit
    .updateTable('consoles')
    .set({ state: to, decided_at: at, decided_by: by })
    .where('school_id', '=', school_id)
    .where('console_id', '=', console_id)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function keepSealed(unit: Unit, of: ConsoleName & { sealed_key_id: string }): Promise<boolean> {
  const { school_id, console_id, fingerprint, sealed_key_id } = of
  const { numUpdatedRows } = await unit
    .updateTable('consoles')
    .set({ sealed_key_id })
    .where('school_id', '=', school_id)
    .where('console_id', '=', console_id)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
