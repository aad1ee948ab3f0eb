/** Test alerts that people sent themselves, and what became of them. Times are UTC milliseconds. */
import type { Selectable } from 'kysely'
import type { StationTables, Unit } from './tables.ts'

type TestAlert = Selectable<StationTables['test_alerts']>

/** When somebody last sent themselves one; null = never. */
export async function lastTestAlert(
  unit: Unit,
  { school_id, person }: Pick<TestAlert, 'school_id' | 'person'>,
): Promise<number | null> {
  const row = await unit
    .selectFrom('test_alerts')
    .select('sent_at')
    .where('school_id', '=', school_id)
    .where('person', '=', person)
    .orderBy('sent_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.sent_at ?? null
}

/** Writes down that one is on its way. */
export async function insertTestAlert(
  unit: Unit,
  test: Pick<TestAlert, 'school_id' | 'test_id' | 'channel' | 'person' | 'sent_at'>,
): Promise<void> {
  await unit
    .insertInto('test_alerts')
    .values({ ...test, settled_at: null, outcome: null, code: null })
    .execute()
}

/** Writes down what became of it. */
export async function settleTestAlert(
  unit: Unit,
  { school_id, test_id, channel }: Pick<TestAlert, 'school_id' | 'test_id' | 'channel'>,
  settled: Pick<TestAlert, 'settled_at' | 'outcome' | 'code'>,
): Promise<void> {
  await unit
    .updateTable('test_alerts')
    .set(settled)
    .where('school_id', '=', school_id)
    .where('test_id', '=', test_id)
    .where('channel', '=', channel)
    .execute()
}
