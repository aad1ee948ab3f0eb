/** Rows of the sessions that run through this station, and their metrics. */
import { sql } from 'kysely'
import type { SessionSummary } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import { locksRows } from './store.ts'
import { template } from './template.ts'
import type { StationTables, Unit } from './tables.ts'

export type SessionStatus = 'active' | 'ended' | 'escalated'
export interface SessionMetadata {
  locale?: string | undefined
  channel?: string | undefined
  device?: string | undefined
}
export type Resource = SessionSummary['suggested_resources'][number]

/** Which session: ids are a school's own. */
export interface SessionKey {
  school_id: string
  session_id: string
}

/** One session. Times are UTC milliseconds; `sentiment_average` is over student turns, null without any. */
export interface StoredSession extends SessionKey {
  student_hash: string
  status: SessionStatus
  started_at: number
  ended_at: number | null
  last_message_at: number | null
  metadata: SessionMetadata
  /** Of its newest message, whether it is decided or not; 0 = there is none. */
  last_sequence: number
  /** Messages that are decided. */
  message_count: number
  student_turns: number
  assistant_turns: number
  sentiment_average: number | null
  highest_tier: RiskTier
  notes: string[]
  suggested_resources: Resource[]
  /** It is that of a drill: in no count and in no list. */
  drill: boolean
}

interface SessionRow extends Omit<
  StoredSession,
  'metadata' | 'notes' | 'suggested_resources' | 'sentiment_average' | 'drill'
> {
  metadata: string
  notes: string
  resources: string
  sentiment_sum: number
  drill: number
}

const columns = [
  'school_id',
  'session_id',
  'student_hash',
  'status',
  'started_at',
  'ended_at',
  'last_message_at',
  'metadata',
  'last_sequence',
  'message_count',
  'student_turns',
  'assistant_turns',
  'sentiment_sum',
  'highest_tier',
  'notes',
  'resources',
  'drill',
] as const satisfies (keyof StationTables['sessions'])[]

export async function insertSession(
  unit: Unit,
  session: Pick<StoredSession, 'school_id' | 'session_id' | 'student_hash' | 'started_at' | 'metadata'> & {
    drill?: boolean
  },
): Promise<void> {
  const { school_id, session_id, student_hash, started_at, metadata, drill = false } = session
  await unit
    .insertInto('sessions')
    .values({
      ...{ school_id, session_id, student_hash, started_at, status: 'active', drill: Number(drill) },
      metadata: JSON.stringify(metadata),
    })
    .execute()
  if (!drill) await addToCount(unit, { school_id, status: 'active', count: 1 })
}

/** Last of what a unit of work does, for whoever else opens or ends a session of this school waits for its end. */
const addToCount = template<StationTables['session_counts'], unknown>((unit, value) =>
  unit
    .insertInto('session_counts')
    .values({ school_id: value('school_id'), status: value('status'), count: value('count') })
    .onConflict((conflict) =>
      conflict.columns(['school_id', 'status']).doUpdateSet((row) => ({
        count: row('session_counts.count', '+', row.ref('excluded.count')),
      })),
    ),
)

/** Counts a session that nobody else changes meanwhile under its next status, in one order for all. */
async function moveCount(unit: Unit, school_id: string, from: SessionStatus, to: SessionStatus): Promise<void> {
  if (from === to) return
  const moves = [
    { status: from, count: -1 },
    { status: to, count: 1 },
  ].sort((a, b) => a.status.localeCompare(b.status))
  for (const move of moves) await addToCount(unit, { school_id, ...move })
}

/**
 * The session of this key; null when there is none. `lock`: nobody else changes it until this unit of work
 * ends, at whatever station: its messages keep their order.
 */
export async function findSession(
  unit: Unit,
  { school_id, session_id }: SessionKey,
  { lock = false } = {},
): Promise<StoredSession | null> {
  const [row] = await (lock ? lockedRow : plainRow)(unit, { school_id, session_id })
  return row ? fromRow(row) : null
}

const rowOf = ({ lock }: { lock: boolean }) =>
  template<SessionKey, SessionRow>((unit, value) =>
    unit
      .selectFrom('sessions')
      .select(columns)
      .where('school_id', '=', value('school_id'))
      .where('session_id', '=', value('session_id'))
      .$if(lock && locksRows(unit), (query) => query.forUpdate()),
  )
const plainRow = rowOf({ lock: false })
const lockedRow = rowOf({ lock: true })

/** Gives a message that is not decided yet its number, from 1; one that is gets it when it is counted. */
export async function nextSequence(unit: Unit, { school_id, session_id }: SessionKey): Promise<number> {
  const { last_sequence } = await unit
    .updateTable('sessions')
    .set((row) => ({ last_sequence: row('last_sequence', '+', 1) }))
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  return last_sequence
}

/** What one more decided message changes of its session, which nobody else changes meanwhile. */
export interface MessageCounted {
  status: SessionStatus
  last_sequence: number
  student_turns: number
  assistant_turns: number
  /** Of a student's message, else 0. */
  sentiment: number
  highest_tier: RiskTier
  notes: readonly string[]
  suggested_resources: readonly Resource[]
  said_at: number
}

/** Counts one message into the metrics of its session, which has this status until then. */
export async function countMessage(
  unit: Unit,
  { school_id, session_id, status, drill = false }: SessionKey & Pick<StoredSession, 'status'> & { drill?: boolean },
  { notes, suggested_resources, ...counted }: MessageCounted,
): Promise<void> {
  await counting(unit, {
    ...{ school_id, session_id },
    ...counted,
    notes: JSON.stringify(notes),
    resources: JSON.stringify(suggested_resources),
  })
  if (!drill) await moveCount(unit, school_id, status, counted.status)
}

const counting = template<
  SessionKey & Omit<MessageCounted, 'notes' | 'suggested_resources'> & { notes: string; resources: string },
  unknown
>((unit, value) =>
  unit
    .updateTable('sessions')
    .set((row) => ({
      status: value('status'),
      last_sequence: value('last_sequence'),
      message_count: row('message_count', '+', 1),
      student_turns: row('student_turns', '+', value('student_turns')),
      assistant_turns: row('assistant_turns', '+', value('assistant_turns')),
      sentiment_sum: row('sentiment_sum', '+', value('sentiment')),
      highest_tier: value('highest_tier'),
      notes: value('notes'),
      resources: value('resources'),
      last_message_at: sql<number>`CASE WHEN last_message_at > ${value('said_at')} THEN last_message_at ELSE ${value('said_at')} END`,
    }))
    .where('school_id', '=', value('school_id'))
    .where('session_id', '=', value('session_id')),
)

/** Ends a session, which has this status until then. */
export async function markEnded(
  unit: Unit,
  { school_id, session_id, status }: SessionKey & Pick<StoredSession, 'status'>,
  endedAt: number,
  summary: SessionSummary,
): Promise<void> {
  await unit
    .updateTable('sessions')
    .set({ status: 'ended', ended_at: endedAt, summary: JSON.stringify(summary) })
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .execute()
  await moveCount(unit, school_id, status, 'ended')
}

/** The summary kept when the session ended; null before. */
export async function findSummary(unit: Unit, { school_id, session_id }: SessionKey): Promise<SessionSummary | null> {
  const row = await unit
    .selectFrom('sessions')
    .select('summary')
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return row?.summary ? (JSON.parse(row.summary) as SessionSummary) : null
}

export interface SessionFilter {
  school_id: string
  status?: SessionStatus | undefined
  student_hash?: string | undefined
}

/** How many sessions of a school there are; those of one student are counted, all others are counted already. */
export async function countSessions(unit: Unit, filter: SessionFilter): Promise<number> {
  const { school_id, status, student_hash } = filter
  if (student_hash === undefined) {
    const { sum } = await unit
      .selectFrom('session_counts')
      .select(({ fn }) => fn.sum<number | string | null>('count').as('sum'))
      .where('school_id', '=', school_id)
      .$if(status !== undefined, (query) => query.where('status', '=', status as SessionStatus))
      .executeTakeFirstOrThrow()
    return Number(sum ?? 0)
  }
  const { count } = await matching(unit, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A page of a school's sessions, newest first. */
export async function listSessions(
  unit: Unit,
  filter: SessionFilter,
  page: { limit: number; offset: number },
): Promise<StoredSession[]> {
  return (await sessionPage(unit, filter, page).execute()).map(fromRow)
}

/** The question behind `listSessions`. */
export function sessionPage(unit: Unit, filter: SessionFilter, { limit, offset }: { limit: number; offset: number }) {
  return matching(unit, filter)
    .select(columns)
    .orderBy('started_at', 'desc')
    .orderBy('session_id')
    .limit(limit)
    .offset(offset)
}

/** Only what is asked for stands in the statement: “anything or this” would pass by every index. */
function matching(unit: Unit, { school_id, status, student_hash }: SessionFilter) {
  return unit
    .selectFrom('sessions')
    .where('school_id', '=', school_id)
    .where('drill', '=', 0)
    .$if(status !== undefined, (query) => query.where('status', '=', status as SessionStatus))
    .$if(student_hash !== undefined, (query) => query.where('student_hash', '=', student_hash as string))
}

/** Whether a school has any session here. */
export async function hasSessions(unit: Unit, schoolId: string): Promise<boolean> {
  const row = await unit
    .selectFrom('sessions')
    .select('session_id')
    .where('school_id', '=', schoolId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function fromRow({ metadata, notes, resources, sentiment_sum, drill, ...rest }: SessionRow): StoredSession {
  return {
    ...rest,
    metadata: JSON.parse(metadata) as SessionMetadata,
    notes: JSON.parse(notes) as string[],
    suggested_resources: JSON.parse(resources) as Resource[],
    sentiment_average: rest.student_turns === 0 ? null : sentiment_sum / rest.student_turns,
    drill: drill === 1,
  }
}
