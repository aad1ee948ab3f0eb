/** The numbers of the heartbeats of each school, one row of numbers across all stations. */
import { sql } from 'kysely'
import type { Unit } from './tables.ts'

/** How far two stations' clocks may be apart; what is further ahead was written before a clock was set back. */
const furthestApart = 120_000

/**
 * The number of a school's next heartbeat, from 1; null where one was made less than `apart` milliseconds
 * ago, by whatever station.
 */
export async function nextHeartbeat(
  unit: Unit,
  school_id: string,
  { now, apart }: { now: number; apart: number },
): Promise<number | null> {
  const row = await unit
    .insertInto('heartbeats')
    .values({ school_id, number: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('school_id')
        .doUpdateSet((kept) => ({ number: kept('heartbeats.number', '+', 1), last_at: now }))
        .where(sql<boolean>`heartbeats.last_at <= ${now - apart} OR heartbeats.last_at > ${now + furthestApart}`),
    )
    .returning('number')
    .executeTakeFirst()
  return row?.number ?? null
}
