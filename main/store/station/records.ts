/** What people did, as the station relays it: each kept once, with its place in the order of its session. */
import type { SessionKey } from './sessions.ts'
import type { Unit } from './tables.ts'

export interface RelayedRecord {
  /** '' = its sender named none. */
  school_id: string
  ack_id: string
  /** What gives it its place: its session, or what stands for its student; null = it has no place in any order. */
  session_id: string | null
  relayed_at: number
}

/**
 * Keeps a record and gives it the next position of its session, from 1. Answers whether it is new: one that
 * is known keeps what it has.
 */
export async function keepRecord(
  unit: Unit,
  record: RelayedRecord,
): Promise<{ isNew: boolean; position: number | null }> {
  const { school_id, ack_id, session_id, relayed_at } = record
  // First the lock of its session: two stations that relay the same record at once do it one after the other.
  const position = session_id === null ? null : await nextPosition(unit, school_id, session_id)
  const kept = await unit
    .insertInto('records')
    .values({ school_id, ack_id, session_id, position, relayed_at })
    .onConflict((conflict) => conflict.columns(['school_id', 'ack_id']).doNothing())
    .returning('ack_id')
    .executeTakeFirst()
  if (kept) return { isNew: true, position }
  // The position goes back: positions have no gaps.
  if (session_id !== null) await returnPosition(unit, school_id, session_id)
  return { isNew: false, position: null }
}

/** When a record about a session of a school was relayed (UTC ms, by the station's clock); null = it is not known. */
export async function relayedAt(unit: Unit, school_id: string, ack_id: string): Promise<number | null> {
  const row = await unit
    .selectFrom('records')
    .select(({ fn }) => fn.min<number | null>('relayed_at').as('at'))
    // Its sender may have named no school.
    .where('school_id', 'in', [school_id, ''])
    .where('ack_id', '=', ack_id)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Holds the order of a session: until this unit of work ends nobody else gives a place in it. */
export async function lockRecordOrder(unit: Unit, { school_id, session_id }: SessionKey): Promise<void> {
  await unit
    .insertInto('record_positions')
    .values({ school_id, session_id, last: 0 })
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'session_id']).doUpdateSet((row) => ({ last: row.ref('record_positions.last') })),
    )
    .execute()
}

async function nextPosition(unit: Unit, school_id: string, session_id: string): Promise<number> {
  const { last } = await unit
    .insertInto('record_positions')
    .values({ school_id, session_id, last: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'session_id'])
        .doUpdateSet((row) => ({ last: row('record_positions.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

async function returnPosition(unit: Unit, school_id: string, session_id: string): Promise<void> {
  await unit
    .updateTable('record_positions')
    .set((row) => ({ last: row('last', '-', 1) }))
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .execute()
}
