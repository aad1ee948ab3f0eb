/** Alerts as they stand, and how far the ladder of each has come. Times are UTC milliseconds. */
import { sql, type Selectable } from 'kysely'
import type { PatternCategory } from '../../../shared/risk.ts'
import type { SessionKey } from './sessions.ts'
import type { StationTables, Unit } from './tables.ts'

/** What of an alert is asked for together. */
export interface AlertDocument {
  /** Every key by which it has or may have been known. */
  aliases: string[]
  /** Idempotency keys of its triggers, the newest 500. */
  covers: string[]
  /** Their identities, in the same order. */
  trigger_ids: string[]
  categories: PatternCategory[]
  score: number
  /** When it was last said that it is as severe as it is. Absent = kept by an older version. */
  said_at?: number
}

export type AlertRow = Omit<Selectable<StationTables['alerts']>, 'document'> & { document: AlertDocument }

export interface AlertName {
  school_id: string
  alert_key: string
}

/** The alerts of a session. */
export async function alertsOfSession(unit: Unit, { school_id, session_id }: SessionKey): Promise<AlertRow[]> {
  const rows = await unit
    .selectFrom('alerts')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .execute()
  return rows.map(fromRow)
}

/** The alert of this key; null where there is none, or it has another key by now. */
export async function findAlert(unit: Unit, { school_id, alert_key }: AlertName): Promise<AlertRow | null> {
  const row = await unit
    .selectFrom('alerts')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

/** Keeps an alert in the place of whatever stands under its key. */
export async function putAlert(unit: Unit, alert: AlertRow): Promise<void> {
  const { school_id: _, alert_key: __, ...row } = { ...alert, document: JSON.stringify(alert.document) }
  await unit
    .insertInto('alerts')
    .values({ ...alert, document: row.document })
    .onConflict((conflict) => conflict.columns(['school_id', 'alert_key']).doUpdateSet(row))
    .execute()
}

/** Takes away an alert that another one has taken in, with its timers; whom it told counts as told of the other. */
export async function mergeAlert(unit: Unit, { school_id, alert_key }: AlertName, into: string): Promise<void> {
  const of = <Table extends 'alerts' | 'timers'>(table: Table) =>
    unit
      .deleteFrom(table as 'alerts')
      .where('school_id', '=', school_id)
      .where('alert_key', '=', alert_key)
      .execute()
  await of('alerts')
  await of('timers')
  await unit
    .updateTable('deliveries')
    .set({ alert_key: into })
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .execute()
}

/** Highest number by which an alert is answered; after it they begin again. */
const highestNumber = 99

/** The number by which somebody who is told of it may answer, from 1; with 99 others in between it may come again. */
export async function nextAlertNumber(unit: Unit, school_id: string): Promise<number> {
  const { last } = await unit
    .insertInto('alert_numbers')
    .values({ school_id, last: 1 })
    .onConflict((conflict) =>
      conflict
        .column('school_id')
        .doUpdateSet({ last: sql<number>`alert_numbers.last % ${sql.lit(highestNumber)} + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last)
}

/** The alerts that need a timer of this kind and have none. */
export async function alertsWithoutTimer(unit: Unit, kind: 'rung' | 'due'): Promise<AlertRow[]> {
  const rows = await unit
    .selectFrom('alerts')
    .selectAll()
    .$if(kind === 'rung', (query) => query.where('run', 'is not', null))
    // One of a told past has no number, and nobody waits for what was promised then.
    .$if(kind === 'due', (query) =>
      query.where('state', '=', 'acknowledged').where('due_at', 'is not', null).where('number', '>', 0),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('timers')
            .select('timers.alert_key')
            .whereRef('timers.school_id', '=', 'alerts.school_id')
            .whereRef('timers.alert_key', '=', 'alerts.alert_key')
            .where('timers.kind', '=', kind)
            .$if(kind === 'rung', (query) => query.whereRef('timers.run', '=', 'alerts.run')),
        ),
      ),
    )
    .execute()
  return rows.map(fromRow)
}

/** The alerts of which somebody was told and that are not resolved, the most urgent first: what can be answered. */
export async function alertsToldTo(
  unit: Unit,
  { school_id, person }: { school_id: string; person: string },
): Promise<AlertRow[]> {
  const rows = await unit
    .selectFrom('alerts')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('state', '!=', 'resolved')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.delivery_id')
          .whereRef('deliveries.school_id', '=', 'alerts.school_id')
          .whereRef('deliveries.alert_key', '=', 'alerts.alert_key')
          .where('deliveries.person', '=', person),
      ),
    )
    // Held by nobody first, then by severity, then the longest waiting.
    .orderBy('state', 'desc')
    .orderBy('tier')
    .orderBy('opened_at')
    .execute()
  return rows.map(fromRow)
}

function fromRow(row: Selectable<StationTables['alerts']>): AlertRow {
  return { ...row, document: JSON.parse(row.document) as AlertDocument }
}
