/** Messages to people: one to one person by one channel, about one alert or several. Times are UTC milliseconds. */
import type { Selectable } from 'kysely'
import { furthestClaim, locksRows } from './store.ts'
import type { StationTables, Unit } from './tables.ts'

export type Telling = Selectable<StationTables['tellings']>
export type TellWindow = Selectable<StationTables['tell_windows']>
type TellingName = Pick<Telling, 'school_id' | 'telling_id'>
type DueTelling = TellingName & Pick<Telling, 'due_at'>

/** What was told last to a person by a channel; nobody else changes it until this unit of work ends. */
export async function lockTellWindow(
  unit: Unit,
  of: Pick<TellWindow, 'school_id' | 'person' | 'channel'>,
): Promise<TellWindow> {
  return unit
    .insertInto('tell_windows')
    .values({ ...of, told_at: 0, crisis_at: 0, telling_id: null })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'person', 'channel'])
        .doUpdateSet((row) => ({ told_at: row.ref('tell_windows.told_at') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function keepTellWindow(unit: Unit, { school_id, person, channel, ...set }: TellWindow): Promise<void> {
  await unit
    .updateTable('tell_windows')
    .set(set)
    .where('school_id', '=', school_id)
    .where('person', '=', person)
    .where('channel', '=', channel)
    .execute()
}

/** Keeps a message that is to be sent once it is due. */
export async function insertTelling(
  unit: Unit,
  telling: Pick<
    Telling,
    'school_id' | 'telling_id' | 'kind' | 'person' | 'channel' | 'late_ms' | 'due_at' | 'created_at'
  >,
): Promise<void> {
  const open = { state: 'waiting', claimed_by: null, claimed_until: 0, settled_at: null, code: null, reference: null }
  await unit
    .insertInto('tellings')
    .values({ ...telling, ...(open as Omit<Telling, keyof typeof telling>) })
    .execute()
}

/**
 * Whether a person was told by this way, less than `within` milliseconds ago, that the alarm of their school fails, by
 * whatever station and for whatever reason; nobody else tells them until this unit of work ends.
 */
export async function alarmWasTold(
  unit: Unit,
  { school_id, person, channel }: Pick<Telling, 'school_id' | 'person' | 'channel'>,
  { now, within }: { now: number; within: number },
): Promise<boolean> {
  await lockTellWindow(unit, { school_id, person, channel })
  const told = toldWithin(unit, { school_id, person, channel, kind: 'alarm failing' }, { now, within })
  return (await told.executeTakeFirst()) !== undefined
}

/**
 * Whether an alert was handed to a person by a message of its own by this way, less than `within` milliseconds ago: one
 * that was sent, or still will be.
 */
export async function handOffWasTold(
  unit: Unit,
  { school_id, person, channel }: Pick<Telling, 'school_id' | 'person' | 'channel'>,
  { now, within }: { now: number; within: number },
): Promise<boolean> {
  const told = toldWithin(unit, { school_id, person, channel, kind: 'hand off' }, { now, within })
  return (await told.where('state', '!=', 'dropped').executeTakeFirst()) !== undefined
}

/** A message of a kind to a person by a way, made less than `within` milliseconds ago. */
const toldWithin = (
  unit: Unit,
  { school_id, kind, person, channel }: Pick<Telling, 'school_id' | 'kind' | 'person' | 'channel'>,
  { now, within }: { now: number; within: number },
) =>
  unit
    .selectFrom('tellings')
    .select('telling_id')
    .where('school_id', '=', school_id)
    .where('kind', '=', kind)
    .where('person', '=', person)
    .where('channel', '=', channel)
    .where('created_at', '>', now - within)
    // Further ahead than a station's clock can be it was written by one that was wrong.
    .where('created_at', '<=', now + furthestClaim)
    .limit(1)

/** Messages that are due and in nobody's hands, the longest due first: the first `limit` that come after `after`. */
export async function dueTellings(
  unit: Unit,
  now: number,
  limit: number,
  after: DueTelling | null = null,
): Promise<DueTelling[]> {
  return unit
    .selectFrom('tellings')
    .select(['school_id', 'telling_id', 'due_at'])
    .where('state', '=', 'waiting')
    .where((row) => row.or([row('due_at', '<=', now), row('due_at', '>', now + furthestClaim)]))
    .where((row) => row.or([row('claimed_until', '<=', now), row('claimed_until', '>', now + furthestClaim)]))
    .$if(after !== null, (query) =>
      query.where((row) =>
        row(
          row.refTuple('due_at', 'school_id', 'telling_id'),
          '>',
          row.tuple(after?.due_at ?? 0, after?.school_id ?? '', after?.telling_id ?? ''),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('school_id')
    .orderBy('telling_id')
    .limit(limit)
    .execute()
}

/**
 * Takes a message in hand until `until`: from here on nothing is added to it. Null where another station has it, or it
 * was sent.
 */
export async function claimTelling(
  unit: Unit,
  { school_id, telling_id }: TellingName,
  claim: { now: number; by: string; until: number },
): Promise<Telling | null> {
  const telling = await unit
    .selectFrom('tellings')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('telling_id', '=', telling_id)
    .where('state', '=', 'waiting')
    .where((row) =>
      row.or([row('claimed_until', '<=', claim.now), row('claimed_until', '>', claim.now + furthestClaim)]),
    )
    .$if(locksRows(unit), (query) => query.forUpdate().skipLocked())
    .executeTakeFirst()
  if (!telling) return null
  await unit
    .updateTable('tell_windows')
    .set({ telling_id: null })
    .where('school_id', '=', school_id)
    .where('person', '=', telling.person)
    .where('channel', '=', telling.channel)
    .where('telling_id', '=', telling_id)
    .execute()
  await unit
    .updateTable('tellings')
    .set({ claimed_by: claim.by, claimed_until: claim.until })
    .where('school_id', '=', school_id)
    .where('telling_id', '=', telling_id)
    .execute()
  return telling
}

/** Writes down what became of a message. False where that is written already. */
export async function settleTelling(
  unit: Unit,
  { school_id, telling_id }: TellingName,
  settled: Pick<Telling, 'code' | 'reference'> & { state: Exclude<Telling['state'], 'waiting'>; settled_at: number },
): Promise<boolean> {
  const row = await unit
    .updateTable('tellings')
    .set({ ...settled, claimed_by: null })
    .where('school_id', '=', school_id)
    .where('telling_id', '=', telling_id)
    .where('state', '=', 'waiting')
    .returning('telling_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives up what a station had in hand: its process of before is gone. */
export async function releaseTellings(unit: Unit, by: string): Promise<void> {
  await unit
    .updateTable('tellings')
    .set({ claimed_by: null, claimed_until: 0 })
    .where('state', '=', 'waiting')
    .where('claimed_by', '=', by)
    .execute()
}
