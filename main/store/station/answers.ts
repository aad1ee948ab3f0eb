/** Texts that people sent back: each taken once, and when they were told of what. Times are UTC milliseconds. */
import { hours } from '../../../shared/time.ts'
import type { Unit } from './tables.ts'

/** A text that is older is not taken in any case. */
const forgottenAfter = hours(1)

/** Takes a text, whatever stations hear of it. False where it was taken before. `digest`: of what its provider calls it. */
export async function claimText(
  unit: Unit,
  { school_id, digest, at }: { school_id: string; digest: string; at: number },
): Promise<boolean> {
  await unit
    .deleteFrom('texts_received')
    .where('school_id', '=', school_id)
    .where('received_at', '<', at - forgottenAfter)
    .execute()
  const row = await unit
    .insertInto('texts_received')
    .values({ school_id, digest, received_at: at })
    .onConflict((conflict) => conflict.columns(['school_id', 'digest']).doNothing())
    .returning('digest')
    .executeTakeFirst()
  return row !== undefined
}

/** When somebody was last told of each alert, by its key; what still waits to be sent has told them nothing. */
export async function toldTimes(
  unit: Unit,
  { school_id, person }: { school_id: string; person: string },
): Promise<Map<string, number>> {
  const rows = await unit
    .selectFrom('deliveries')
    .leftJoin('tellings', (join) =>
      join
        .onRef('tellings.school_id', '=', 'deliveries.school_id')
        .onRef('tellings.telling_id', '=', 'deliveries.telling_id'),
    )
    .select(({ fn }) => ['deliveries.alert_key', fn.max('deliveries.attempted_at').as('told_at')])
    .where('deliveries.school_id', '=', school_id)
    .where('deliveries.person', '=', person)
    .where((row) => row.or([row('deliveries.state', '=', 'delivered'), row('tellings.settled_at', 'is not', null)]))
    .groupBy('deliveries.alert_key')
    .execute()
  return new Map(rows.map(({ alert_key, told_at }) => [alert_key, Number(told_at)]))
}
