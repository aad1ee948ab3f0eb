/** What alerts are made of: their triggers, and what people did about them, by session. */
import { sql, type Selectable } from 'kysely'
import { locksRows } from './store.ts'
import { template } from './template.ts'
import type { StationTables, Unit } from './tables.ts'
import type { SessionKey } from './sessions.ts'

/** One member of the set that is reduced. `body`: JSON of a trigger, or of the event about an action. */
export type AlertStep = Pick<Selectable<StationTables['alert_steps']>, 'step_id' | 'kind' | 'body'> & {
  /** Of a told past. */
  told: boolean
}

/** How much of a session is kept, and what came last: whoever holds the same knows all of it. */
export interface AlertSession {
  steps: number
  /** '' = nothing yet. */
  last_step: string
}

/** The session as it stands; nobody else adds to it, or works its timers, until this unit of work ends. */
export async function lockAlertSession(unit: Unit, key: SessionKey): Promise<AlertSession> {
  const { school_id, session_id } = key
  const [row] = await locking(unit, { school_id, session_id })
  return row as AlertSession
}

const locking = template<SessionKey, object>((unit, value) =>
  unit
    .insertInto('alert_sessions')
    .values({ school_id: value('school_id'), session_id: value('session_id'), steps: 0, last_step: '' })
    // An update that changes nothing, and locks the row.
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'session_id']).doUpdateSet((row) => ({ steps: row.ref('alert_sessions.steps') })),
    )
    .returning(['steps', 'last_step']),
)

/** Adds to a session that is locked. Answers what was new, in the order given; what is known stays as it is. */
export async function addAlertSteps(unit: Unit, key: SessionKey, steps: readonly AlertStep[]): Promise<AlertStep[]> {
  const fresh: AlertStep[] = []
  for (const step of steps) {
    const { school_id, session_id } = key
    const [row] = await adding(unit, { school_id, session_id, ...step, told: Number(step.told) })
    if (row) fresh.push(step)
  }
  const last = fresh.at(-1)
  if (last)
    await unit
      .updateTable('alert_sessions')
      .set((row) => ({ steps: row('steps', '+', fresh.length), last_step: last.step_id }))
      .where('school_id', '=', key.school_id)
      .where('session_id', '=', key.session_id)
      .execute()
  return fresh
}

const adding = template<StationTables['alert_steps'], object>((unit, value) =>
  unit
    .insertInto('alert_steps')
    .values({
      school_id: value('school_id'),
      session_id: value('session_id'),
      step_id: value('step_id'),
      kind: value('kind'),
      told: value('told'),
      body: value('body'),
    })
    .onConflict((conflict) => conflict.columns(['school_id', 'session_id', 'step_id']).doNothing())
    .returning('step_id'),
)

/** The whole set of a session. */
export async function alertStepsOf(unit: Unit, { school_id, session_id }: SessionKey): Promise<AlertStep[]> {
  const rows = await unit
    .selectFrom('alert_steps')
    .select(['step_id', 'kind', 'told', 'body'])
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .execute()
  return rows.map((row) => ({ ...row, told: row.told === 1 }))
}

/** Takes everything out of a session that is locked, and answers it. */
export async function takeAlertSteps(unit: Unit, { school_id, session_id }: SessionKey): Promise<AlertStep[]> {
  const rows = await unit
    .deleteFrom('alert_steps')
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .returning(['step_id', 'kind', 'told', 'body'])
    .execute()
  if (rows.length > 0)
    await unit
      .updateTable('alert_sessions')
      .set({ steps: 0, last_step: '' })
      .where('school_id', '=', school_id)
      .where('session_id', '=', session_id)
      .execute()
  return rows.map((row) => ({ ...row, told: row.told === 1 }))
}

/** The schools in which a session of this id has alerts. */
export async function schoolsOfAlertSession(unit: Unit, sessionId: string): Promise<string[]> {
  const rows = await unit
    .selectFrom('alert_sessions')
    .select('school_id')
    .where('session_id', '=', sessionId)
    .where('school_id', '!=', '')
    .execute()
  return rows.map(({ school_id }) => school_id)
}

/**
 * The session, if nobody else has it in hand; null = somebody has, or there is none. On a file nobody else ever has.
 */
export async function tryAlertSession(unit: Unit, { school_id, session_id }: SessionKey): Promise<boolean> {
  const row = await unit
    .selectFrom('alert_sessions')
    .select(sql<number>`1`.as('there'))
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .$if(locksRows(unit), (query) => query.forUpdate().skipLocked())
    .executeTakeFirst()
  return row !== undefined
}
