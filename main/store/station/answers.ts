/** Texts that people sent back: each taken once, and when they were told of what. Times are UTC milliseconds. */
import { hours } from '../../../shared/time.ts'
import type { Unit } from './tables.ts'

/** A text that is older is not taken in any case. */
const forgottenAfter = hours(1)

/**
 * Takes a text, whatever stations hear of it; in a unit of the station. False where it was taken before. `digest`: of
 * what its provider calls it.
 */
export async function claimText(unit: Unit, { digest, at }: { digest: string; at: number }): Promise<boolean> {
  await unit
    .deleteFrom('texts_received')
    .where('received_at', '<', at - forgottenAfter)
    .execute()
  const row = await unit
    .insertInto('texts_received')
    // Of no school: whoever is in two would else have taken it once in each.
    .values({ school_id: '', digest, received_at: at })
    .onConflict((conflict) => conflict.columns(['school_id', 'digest']).doNothing())
    .returning('digest')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * When somebody was last told of each alert, by its key, of what was begun until a time; what still waits to be sent has
 * told them nothing (null). An alert that is not there was begun to be told later.
 */
export async function toldTimes(
  unit: Unit,
  { school_id, person, until }: { school_id: string; person: string; until: number },
): Promise<Map<string, number | null>> {
  const rows = await unit
    .selectFrom('deliveries')
    .leftJoin('tellings', (join) =>
      join
        .onRef('tellings.school_id', '=', 'deliveries.school_id')
        .onRef('tellings.telling_id', '=', 'deliveries.telling_id'),
    )
    .select(({ fn }) => [
      'deliveries.alert_key',
      fn
        .max('deliveries.attempted_at')
        .filterWhere((row) =>
          row.or([row('deliveries.state', '=', 'delivered'), row('tellings.settled_at', 'is not', null)]),
        )
        .as('told_at'),
    ])
    .where('deliveries.school_id', '=', school_id)
    .where('deliveries.person', '=', person)
    .where('deliveries.attempted_at', '<=', until)
    .groupBy('deliveries.alert_key')
    .execute()
  return new Map(
    rows.map(({ alert_key, told_at }) => [alert_key, (told_at as unknown) === null ? null : Number(told_at)]),
  )
}
