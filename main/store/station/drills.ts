/** Drills of each school, one row of numbers across all stations, and which consoles have seen them. */
import type { Unit } from './tables.ts'

/** How far two stations' clocks may be apart; what is further ahead was written before a clock was set back. */
const furthestApart = 120_000

/** A drill of a school: its number counts from 1, `began_at` is UTC milliseconds. */
export interface StoredDrill {
  school_id: string
  number: number
  station_id: string
  began_at: number
}

/** Where it runs. */
interface DrillSession {
  school_id: string
  session_id: string
}

/** What one console says of one drill. Times are UTC milliseconds, of the console's clock until `received_at`. */
export interface DrillSeen {
  school_id: string
  number: number
  console_id: string
  cached_at: number
  painted_at: number | null
  seen_by: string | null
  received_at: number
}

/**
 * Begins the next drill of a school, in this session, and answers its number; null where one began less than `apart` milliseconds ago,
 * at whatever station.
 */
export async function beginDrill(
  unit: Unit,
  { school_id, station_id, began_at, session_id }: Omit<StoredDrill, 'number'> & DrillSession,
  apart: number,
): Promise<number | null> {
  const last = await unit
    .selectFrom('drills')
    .select(['number', 'began_at'])
    .where('school_id', '=', school_id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last && last.began_at > began_at - apart && last.began_at <= began_at + furthestApart) return null
  const begun = await unit
    .insertInto('drills')
    .values({ school_id, number: (last?.number ?? 0) + 1, station_id, session_id, began_at })
    // Another station was first.
    .onConflict((conflict) => conflict.columns(['school_id', 'number']).doNothing())
    .returning('number')
    .executeTakeFirst()
  return begun?.number ?? null
}

/** The drill that runs in a session; null where none does. */
export async function findDrill(unit: Unit, { school_id, session_id }: DrillSession): Promise<StoredDrill | null> {
  const drill = await unit
    .selectFrom('drills')
    .select(['school_id', 'number', 'station_id', 'began_at'])
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return drill ?? null
}

/** Keeps that the ladder fired for a drill, and how many people it would have told. False where the drill is over. */
export async function keepDrillFired(
  unit: Unit,
  { school_id, number, would_tell, fired_at }: Pick<StoredDrill, 'school_id' | 'number'> & DrillFired,
): Promise<boolean> {
  const kept = await unit
    .updateTable('drills')
    .set({ would_tell, fired_at })
    .where('school_id', '=', school_id)
    .where('number', '=', number)
    .where('outcome', 'is', null)
    .returning('number')
    .executeTakeFirst()
  return kept !== undefined
}

/** What the ladder did in a drill. `fired_at`: UTC milliseconds. */
export interface DrillFired {
  would_tell: number
  fired_at: number
}

/** What the ladder did in a drill; null = nothing yet. */
export async function drillFired(
  unit: Unit,
  { school_id, number }: Pick<StoredDrill, 'school_id' | 'number'>,
): Promise<DrillFired | null> {
  const drill = await unit
    .selectFrom('drills')
    .select(['would_tell', 'fired_at'])
    .where('school_id', '=', school_id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!drill || drill.fired_at === null) return null
  return { would_tell: drill.would_tell ?? 0, fired_at: drill.fired_at }
}

/** What came of a drill whose timer no station has worked in time. */
export const ladderDidNotFire = 'the ladder did not fire'

/**
 * Ends a drill: keeps what came of it, and removes its session with everything in it, those of earlier
 * drills that never ended, and drills that began before `keepSince`.
 */
export async function endDrill(
  unit: Unit,
  drill: Pick<StoredDrill, 'school_id' | 'number'> & { outcome: string },
  keepSince: number,
): Promise<void> {
  const { school_id, number, outcome } = drill
  await unit
    .updateTable('drills')
    .set({ outcome })
    .where('school_id', '=', school_id)
    .where('number', '=', number)
    .execute()
  // A later one is under way at another station.
  const over = unit
    .selectFrom('drills')
    .select('session_id')
    .where('school_id', '=', school_id)
    .where('number', '<=', number)
  await removeSessions(
    unit,
    await sessionsOfDrills(unit).where('school_id', '=', school_id).where('session_id', 'in', over).execute(),
  )
  await unit.deleteFrom('drills_seen').where('school_id', '=', school_id).where('received_at', '<', keepSince).execute()
  await unit
    .deleteFrom('consoles_closed')
    .where('school_id', '=', school_id)
    .where('closed_at', '<', keepSince)
    .execute()
  await unit
    .deleteFrom('drills')
    .where('school_id', '=', school_id)
    .where('began_at', '<', keepSince)
    // Numbers go on from the last one.
    .where('number', '<', number)
    .execute()
}

/** Removes the sessions of drills that this station had under way when it last ended. */
export async function removeOwnDrills(unit: Unit, stationId: string): Promise<void> {
  const own = unit.selectFrom('drills').select('session_id').where('station_id', '=', stationId)
  await removeSessions(unit, await sessionsOfDrills(unit).where('session_id', 'in', own).execute())
}

const sessionsOfDrills = (unit: Unit) =>
  unit.selectFrom('sessions').select(['school_id', 'session_id']).where('drill', '=', 1)

async function removeSessions(unit: Unit, sessions: readonly DrillSession[]): Promise<void> {
  for (const { school_id, session_id } of sessions)
    for (const table of ['timers', 'alert_sessions', 'markers', 'messages', 'sessions'] as const)
      await unit.deleteFrom(table).where('school_id', '=', school_id).where('session_id', '=', session_id).execute()
}

/** Keeps that a console has seen a drill; of what began before `since`, or never did, nothing is kept. */
export async function keepDrillSeen(unit: Unit, seen: DrillSeen, since: number): Promise<void> {
  const { school_id, number } = seen
  const drill = await unit
    .selectFrom('drills')
    .select('number')
    .where('school_id', '=', school_id)
    .where('number', '=', number)
    .where('began_at', '>', since)
    .executeTakeFirst()
  if (!drill) return
  await unit
    .insertInto('drills_seen')
    .values(seen)
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'number', 'console_id']).doUpdateSet((row) => ({
        painted_at: row.ref('excluded.painted_at'),
        seen_by: row.ref('excluded.seen_by'),
      })),
    )
    .execute()
}

/**
 * When a console last confirmed a drill of a school (UTC ms, by the station's clock); null = none has. What came while the
 * clock ran ahead (`now` = what it shows since it was put right) came at a time that is not known: 0, where nothing else did.
 */
export async function lastDrillSeen(unit: Unit, school_id: string, now: number): Promise<number | null> {
  const { last, ever } = await unit
    .selectFrom('drills_seen')
    .select(({ fn }) => [
      fn.max<number | null>('received_at').filterWhere('received_at', '<=', now).as('last'),
      fn.max<number | null>('received_at').as('ever'),
    ])
    .where('school_id', '=', school_id)
    .executeTakeFirstOrThrow()
  return last ?? (ever === null ? null : 0)
}

/** Keeps that a console of a school closed in good order, and the newest drill that it knew of then. */
export async function keepConsoleClosed(
  unit: Unit,
  closed: { school_id: string; console_id: string; number: number; closed_at: number },
): Promise<void> {
  const { newest } = await unit
    .selectFrom('drills')
    .select(({ fn }) => fn.max<number | null>('number').as('newest'))
    .where('school_id', '=', closed.school_id)
    .executeTakeFirstOrThrow()
  await unit
    .insertInto('consoles_closed')
    // One that was told of a drill that never was knows of none that is newer than the newest.
    .values({ ...closed, number: Math.min(closed.number, newest ?? 0) })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'console_id'])
        .doUpdateSet((row) => ({ number: row.ref('excluded.number'), closed_at: row.ref('excluded.closed_at') }))
        // One that comes late was said of an earlier end.
        .whereRef('consoles_closed.number', '<=', 'excluded.number'),
    )
    .execute()
}

/**
 * Whether every console that confirmed drills of a school until `since` (UTC ms, by the station's clock), or later,
 * has closed in good order since its last one.
 */
export async function haveAllClosed(unit: Unit, school_id: string, since: number): Promise<boolean> {
  const open = await unit
    .selectFrom('drills_seen')
    .leftJoin('consoles_closed', (join) =>
      join
        .onRef('consoles_closed.school_id', '=', 'drills_seen.school_id')
        .onRef('consoles_closed.console_id', '=', 'drills_seen.console_id')
        .onRef('consoles_closed.number', '>=', 'drills_seen.number')
        // A new database counts drills from one again: one that closed under a higher number has been opened since.
        .onRef('consoles_closed.closed_at', '>=', 'drills_seen.received_at'),
    )
    .select('drills_seen.console_id')
    .where('drills_seen.school_id', '=', school_id)
    .where('drills_seen.received_at', '>=', since)
    .where('consoles_closed.console_id', 'is', null)
    .executeTakeFirst()
  return open === undefined
}

/** Whom students of a school are assigned to: one person for all of them, `various`, or null = nobody. */
export async function assignedAtSchool(unit: Unit, school_id: string): Promise<string | null> {
  const people = await unit
    .selectFrom('assignments')
    .select('person_id')
    .distinct()
    .where('school_id', '=', school_id)
    .where('person_id', 'is not', null)
    .limit(2)
    .execute()
  return people.length > 1 ? 'various' : (people[0]?.person_id ?? null)
}

/** So many drills are looked back at. */
const lookedBack = 50

/**
 * Since when (UTC ms) the newest drills of a school did not pass at their station; null while they do. That no crisis
 * was found, or the ladder did not fire, counts at once, anything else the second time.
 */
export async function drillsFailingSince(unit: Unit, school_id: string): Promise<number | null> {
  const newest = await unit
    .selectFrom('drills')
    .select(['began_at', 'outcome'])
    .where('school_id', '=', school_id)
    .where('outcome', 'is not', null)
    .orderBy('number', 'desc')
    .limit(lookedBack)
    .execute()
  const passed = newest.findIndex(({ outcome }) => outcome === 'passed')
  const failed = passed < 0 ? newest : newest.slice(0, passed)
  const [last] = failed
  const counts = failed.length > 1 || last?.outcome === 'not a crisis' || last?.outcome === ladderDidNotFire
  return counts ? (failed.at(-1)?.began_at ?? null) : null
}
