/** Whom an alert was told to, how, and what became of it. Times are UTC milliseconds. */
import type { Selectable } from 'kysely'
import type { AlertName } from './alerts.ts'
import type { StationTables, Unit } from './tables.ts'

export type Delivery = Selectable<StationTables['deliveries']>
type DeliveryName = Pick<Delivery, 'school_id' | 'delivery_id'>

export async function insertDelivery(unit: Unit, delivery: Delivery): Promise<void> {
  await unit.insertInto('deliveries').values(delivery).execute()
}

/** The deliveries that one message is. */
export async function deliveriesOfTelling(
  unit: Unit,
  { school_id, telling_id }: { school_id: string; telling_id: string },
): Promise<Delivery[]> {
  return unit
    .selectFrom('deliveries')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('telling_id', '=', telling_id)
    .execute()
}

export async function findDelivery(unit: Unit, { school_id, delivery_id }: DeliveryName): Promise<Delivery | null> {
  const row = await unit
    .selectFrom('deliveries')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('delivery_id', '=', delivery_id)
    .executeTakeFirst()
  return row ?? null
}

/** Desktops that have not answered in time. */
export async function unansweredDeliveries(unit: Unit, now: number, limit: number): Promise<Delivery[]> {
  return unit
    .selectFrom('deliveries')
    .selectAll()
    .where('state', '=', 'attempted')
    .where('answer_by', '<=', now)
    .orderBy('answer_by')
    .limit(limit)
    .execute()
}

/**
 * Writes down what became of a delivery. Null where that is written already; what came too late to count as failed
 * has still arrived.
 */
export async function settleDelivery(
  unit: Unit,
  { school_id, delivery_id }: DeliveryName,
  settled: Pick<Delivery, 'code'> & { state: Exclude<Delivery['state'], 'attempted'>; settled_at: number },
): Promise<Delivery | null> {
  const row = await unit
    .updateTable('deliveries')
    .set(settled)
    .where('school_id', '=', school_id)
    .where('delivery_id', '=', delivery_id)
    .where('state', 'in', settled.state === 'delivered' ? ['attempted', 'failed'] : ['attempted'])
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** The runs for which a person was sent a message of an alert by one way, which arrived, since a moment, UTC milliseconds. */
export async function runsHeardSince(
  unit: Unit,
  { school_id, alert_key, person, channel }: AlertName & Pick<Delivery, 'person' | 'channel'>,
  since: number,
): Promise<string[]> {
  const rows = await unit
    .selectFrom('deliveries')
    .select('run')
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .where('person', '=', person)
    .where('channel', '=', channel)
    .where('state', '=', 'delivered')
    .where('telling_id', 'is not', null)
    .where('attempted_at', '>', since)
    .execute()
  return rows.map(({ run }) => run)
}

/** Whether somebody was told by one firing of a rung, or may still be. */
export async function mayHaveArrived(
  unit: Unit,
  { school_id, alert_key, run, firing }: AlertName & Pick<Delivery, 'run' | 'firing'>,
): Promise<boolean> {
  const row = await unit
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .where('run', '=', run)
    .where('firing', '=', firing)
    .where('state', '!=', 'failed')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
