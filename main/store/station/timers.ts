/** The timers of alerts: rows, so that nothing is forgotten by a process that ends. Times are UTC milliseconds. */
import { sql, type Selectable } from 'kysely'
import type { AlertName } from './alerts.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { StationTables, Unit } from './tables.ts'

export type Timer = Selectable<StationTables['timers']>
type TimerName = Pick<Timer, 'school_id' | 'alert_key' | 'kind'>

/** Sets the timer of this kind of an alert, in the place of the one that it has. */
export async function setTimer(unit: Unit, timer: Timer): Promise<void> {
  const { school_id: _, alert_key: __, kind: ___, ...row } = timer
  await unit
    .insertInto('timers')
    .values(timer)
    .onConflict((conflict) => conflict.columns(['school_id', 'alert_key', 'kind']).doUpdateSet(row))
    .execute()
}

export async function deleteTimer(unit: Unit, { school_id, alert_key, kind }: TimerName): Promise<void> {
  await unit
    .deleteFrom('timers')
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .where('kind', '=', kind)
    .execute()
}

export async function findTimer(unit: Unit, { school_id, alert_key, kind }: TimerName): Promise<Timer | null> {
  const row = await unit
    .selectFrom('timers')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('alert_key', '=', alert_key)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ?? null
}

/** The rung timers of these alerts, in a fixed order; nobody else changes them until this unit of work ends. */
export async function lockRungTimers(unit: Unit, alerts: readonly AlertName[]): Promise<Timer[]> {
  const locked: Timer[] = []
  const names = new Map(
    alerts.map(({ school_id, alert_key }) => [`${school_id} ${alert_key}`, { school_id, alert_key }]),
  )
  for (const [, { school_id, alert_key }] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const row = await unit
      .updateTable('timers')
      // An update that changes nothing, and locks the row.
      .set((timer) => ({ rung: timer.ref('rung') }))
      .where('school_id', '=', school_id)
      .where('alert_key', '=', alert_key)
      .where('kind', '=', 'rung')
      .returningAll()
      .executeTakeFirst()
    if (row) locked.push(row)
  }
  return locked
}

/**
 * How far a clock may stand before the moment at which a timer was set. Beyond it one of the two was wrong, and its time
 * may never come: it has come now. Stations that share a database have clocks of their own.
 */
const clocksApart = (shared: boolean): number => (shared ? minutes(2) : seconds(5))

interface Look {
  now: number
  /** Whether several stations share the database. */
  shared: boolean
}

/**
 * Whether the time of a timer has come. What a person promised is a time of day: it comes when the clock says so. That of a
 * drill has come when it is set, whatever a clock has shown since.
 */
export function isDue(timer: Pick<Timer, 'kind' | 'due_at' | 'created_at'>, { now, shared }: Look): boolean {
  if (timer.kind === 'drill') return true
  return timer.due_at <= now || (timer.kind === 'rung' && timer.created_at > now + clocksApart(shared))
}

/** Timers whose time has come, the longest due first: the first `limit` of them that come after `after`. */
export async function dueTimers(
  unit: Unit,
  { now, shared }: Look,
  limit: number,
  after: Timer | null = null,
): Promise<Timer[]> {
  return unit
    .selectFrom('timers')
    .selectAll()
    .where((row) =>
      row.or([
        row('due_at', '<=', now),
        row('kind', '=', 'drill'),
        row.and([row('created_at', '>', now + clocksApart(shared)), row('kind', '=', 'rung')]),
      ]),
    )
    .$if(after !== null, (query) =>
      query.where((row) =>
        row(
          row.refTuple('due_at', 'school_id', 'alert_key', 'kind'),
          '>',
          row.tuple(after?.due_at ?? 0, after?.school_id ?? '', after?.alert_key ?? '', after?.kind ?? 'due'),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('school_id')
    .orderBy('alert_key')
    .orderBy('kind')
    .limit(limit)
    .execute()
}

/** Rung timers that are later than `late` milliseconds. */
export async function lateTimers(unit: Unit, { now, late }: { now: number; late: number }): Promise<Timer[]> {
  return unit
    .selectFrom('timers')
    .selectAll()
    .where('kind', '=', 'rung')
    .where('due_at', '<', now - late)
    .execute()
}

/** Takes away rung timers of no alert, or of a run of the ladder that is over. Answers how many there were, by school. */
export async function deleteStrayTimers(unit: Unit): Promise<string[]> {
  const rows = await unit
    .deleteFrom('timers')
    .where('kind', '=', 'rung')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alerts')
            .select('alerts.alert_key')
            .whereRef('alerts.school_id', '=', 'timers.school_id')
            .whereRef('alerts.alert_key', '=', 'timers.alert_key')
            .whereRef('alerts.run', '=', 'timers.run'),
        ),
      ),
    )
    .returning('school_id')
    .execute()
  return rows.map(({ school_id }) => school_id)
}

/** A station looks every second, and so notices a change at the latest after a look that takes its time. */
const noticedAfter = seconds(10)
/** Two stations notice one change within so long of each other, */
const noticedWithin = seconds(30)
/** and measure it the same but for so much: each from its own last look. */
const measuredWithin = seconds(10)

/**
 * The clock was set back by `by` milliseconds, and shows `now`: what was to come in so long comes in so long. Of several
 * stations that notice it one does this; false where another one has.
 */
export async function setTimersBack(unit: Unit, { by, now, shared }: Look & { by: number }): Promise<boolean> {
  const change = { noticed_at: now, set_back_by: by }
  const isFirst = await unit
    .insertInto('clock_changes')
    .values({ id: 1, ...change })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(change)
        .where(
          sql<boolean>`${sql.lit(!shared)} OR abs(clock_changes.noticed_at - ${now}) > ${noticedWithin}
            OR abs(clock_changes.set_back_by - ${by}) > ${measuredWithin}`,
        ),
    )
    .returning('id')
    .executeTakeFirst()
  if (!isFirst) return false
  // What was written since the change shows the new time already.
  const isNew = sql<boolean>`created_at BETWEEN ${now - noticedAfter} AND ${now}`
  await unit
    .updateTable('timers')
    .set((row) => ({ due_at: row('due_at', '-', by), created_at: row('created_at', '-', by) }))
    .where('kind', '=', 'rung')
    .where(({ not }) => not(isNew))
    .execute()
  await unit
    .updateTable('alerts')
    .set((row) => ({ next_at: row('next_at', '-', by), fired_at: row('fired_at', '-', by) }))
    .where('next_at', 'is not', null)
    .where(({ not }) => not(sql<boolean>`coalesce(fired_at, run_began_at) BETWEEN ${now - noticedAfter} AND ${now}`))
    .execute()
  await unit
    .updateTable('tellings')
    .set((row) => ({ due_at: row('due_at', '-', by), claimed_until: row('claimed_until', '-', by) }))
    .where('state', '=', 'waiting')
    .where(({ not }) => not(isNew))
    .execute()
  await unit
    .updateTable('tell_windows')
    .set((row) => ({ told_at: row('told_at', '-', by), crisis_at: row('crisis_at', '-', by) }))
    .execute()
  await unit
    .updateTable('deliveries')
    .set((row) => ({ answer_by: row('answer_by', '-', by) }))
    .where('answer_by', 'is not', null)
    .where('state', '=', 'attempted')
    .execute()
  return true
}
