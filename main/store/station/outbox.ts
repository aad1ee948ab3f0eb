/** The station's outbox: an event stands in it until it is known to have arrived. */
import { sql, type ExpressionBuilder } from 'kysely'
import type { Outbox, OutboxMessage, WaitingMessage } from '../outbox.ts'
import { furthestClaim, locksRows, type StationStore } from './store.ts'
import { template } from './template.ts'
import type { StationTables, Unit } from './tables.ts'

/** An event, and whose it is; '' = a record whose sender named no school. */
export interface StationMessage extends OutboxMessage {
  school_id: string
}

/** Puts events into the outbox, in this order. The same id twice is one event. */
export async function enqueue(unit: Unit, messages: readonly StationMessage[]): Promise<void> {
  for (const message of messages) await enqueuing(unit, message)
}

const enqueuing = template<StationMessage, unknown>((unit, value) =>
  unit
    .insertInto('outbox')
    .values({
      id: value('id'),
      school_id: value('school_id'),
      group_id: value('group'),
      event_type: value('event_type'),
      body: value('body'),
      created_at: value('at'),
      next_attempt_at: value('at'),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

/** Removes events that have arrived, by their ids; unknown ones are passed over. */
export async function deleteConfirmed(unit: Unit, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await unit.deleteFrom('outbox').where('id', 'in', ids).execute()
}

/** How many events wait to be published, and when the oldest of them was queued (UTC ms; null = none waits). */
export async function waitingEvents(unit: Unit): Promise<{ count: number; oldest: number | null }> {
  const { count, oldest } = await unit
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('oldest')])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldest: oldest === null ? null : Number(oldest) }
}

/** An event that was tried and is not published yet. `code`: as what it was refused. Times are UTC milliseconds. */
export interface RefusedEvent {
  position: number
  school_id: string
  event_type: string
  attempts: number
  code: string
  created_at: number
}

/** So many are looked at: where more are refused, these say enough. */
const mostRefused = 1000

/** The events that were tried and are not published yet, crises first, then the oldest; 1,000 at most. */
export async function refusedEvents(unit: Unit): Promise<RefusedEvent[]> {
  const rows = await unit
    .selectFrom('outbox as message')
    .select(['position', 'school_id', 'event_type', 'attempts', 'last_error', 'created_at'])
    .where('sent_at', 'is', null)
    .where('last_error', 'is not', null)
    .orderBy(isNoCrisis)
    .orderBy('position')
    .limit(mostRefused)
    .execute()
  return rows.map(({ last_error, ...row }) => ({ ...row, code: (last_error ?? '').slice(0, 100) }))
}

/** Puts everything unconfirmed back in line: a queue that lives in memory forgets when its process ends. */
export async function sendUnconfirmedAgain(unit: Unit): Promise<void> {
  await unit.updateTable('outbox').set({ sent_at: null, next_attempt_at: 0 }).where('sent_at', 'is not', null).execute()
}

/** How long a station that takes events has for publishing them, before another one may (milliseconds). */
const claimLasts = 60_000
/** How often a station looks for events that another one has left behind (milliseconds). */
const lookEvery = 10_000

/** An event that is taken, or marked as sent, and then is not: it is published once more, and changes nothing there. */
const again = { mayBeDoneAgain: true }

export interface StationOutboxOptions {
  store: StationStore
  stationId: string
  /** Whether an event stays until somebody confirms it; else it is gone once the topic has it. */
  awaitsConfirmation: boolean
}

/** The outbox as the sender works it. Where several stations share it, each event is in the hands of one. */
export function stationOutbox({ store, stationId, awaitsConfirmation }: StationOutboxOptions): Outbox {
  return {
    next: (now, limit) =>
      store.asStation(async (unit) => {
        const messages = await nextToSend(unit, { now, limit, by: stationId })
        if (store.shared && messages.length > 0)
          await unit
            .updateTable('outbox')
            .set({ claimed_by: stationId, claimed_until: now + claimLasts })
            .where(
              'position',
              'in',
              messages.map(({ position }) => position),
            )
            .execute()
        return messages
      }, again),
    markSent: (positions, at) =>
      store.asStation(async (unit) => {
        if (!awaitsConfirmation) {
          await unit.deleteFrom('outbox').where('position', 'in', positions).execute()
          return
        }
        await unit
          .updateTable('outbox')
          .set((row) => ({
            sent_at: at,
            attempts: row('attempts', '+', 1),
            last_error: null,
            claimed_by: null,
            claimed_until: 0,
          }))
          .where('position', 'in', positions)
          .execute()
      }, again),
    markFailed: (position, nextAttemptAt, error) =>
      store.asStation(async (unit) => {
        await unit
          .updateTable('outbox')
          .set((row) => ({
            attempts: row('attempts', '+', 1),
            next_attempt_at: nextAttemptAt,
            last_error: error,
            claimed_by: null,
            claimed_until: 0,
          }))
          .where('position', '=', position)
          .execute()
      }),
    async nextDue(now) {
      const due = await store.asStation(nextDue)
      return store.shared ? Math.min(due ?? Infinity, now + lookEvery) : due
    },
    tryAtOnce: (now) =>
      store.asStation(async (unit) => {
        await unit
          .updateTable('outbox')
          .set({ next_attempt_at: now })
          .where('sent_at', 'is', null)
          .where('next_attempt_at', '>', now)
          .execute()
      }),
  }
}

/**
 * How far ahead a next try can be (milliseconds): what is further was queued by a station whose clock was wrong, and
 * must not wait until its time has come.
 */
const furthestAttempt = 120_000

/** What is no crisis goes after all that are; written as the index has it. */
const isNoCrisis = sql<boolean>`message.event_type <> 'CRISIS_DETECTED'`

type Message = ExpressionBuilder<StationTables & { message: StationTables['outbox'] }, 'message'>

/** The events of a message's group that come before it and are not sent yet. */
const earlierOfGroup = (selectFrom: Message['selectFrom']) =>
  selectFrom('outbox as earlier')
    .select('earlier.position')
    .whereRef('earlier.group_id', '=', 'message.group_id')
    .where('earlier.sent_at', 'is', null)
    .whereRef('earlier.position', '<', 'message.position')

/**
 * Crises first, then the oldest; nothing but a crisis whose group has an earlier one that waits for its next
 * try, or that another station has.
 */
async function nextToSend(
  unit: Unit,
  { now, limit, by }: { now: number; limit: number; by: string },
): Promise<WaitingMessage[]> {
  return unit
    .selectFrom('outbox as message')
    .select(['position', 'id', 'group_id', 'event_type', 'body', 'attempts'])
    .where('sent_at', 'is', null)
    .where((row) => row.or([row('next_attempt_at', '<=', now), row('next_attempt_at', '>', now + furthestAttempt)]))
    .where((row) =>
      row.or([
        row('claimed_until', '<=', now),
        row('claimed_until', '>', now + furthestClaim),
        row('claimed_by', '=', by),
      ]),
    )
    .where(({ not, or, exists, selectFrom }) =>
      or([
        not(isNoCrisis),
        not(
          exists(
            earlierOfGroup(selectFrom).where((row) =>
              row.or([
                row.between('earlier.next_attempt_at', now + 1, now + furthestAttempt),
                row.and([
                  row.between('earlier.claimed_until', now + 1, now + furthestClaim),
                  row('earlier.claimed_by', '!=', by),
                ]),
              ]),
            ),
          ),
        ),
      ]),
    )
    .orderBy(isNoCrisis)
    .orderBy('position')
    .limit(limit)
    .$if(locksRows(unit), (query) => query.forUpdate().skipLocked())
    .execute()
}

/** When the next waiting message is due, those aside that another of their group holds back; null when none waits. */
async function nextDue(unit: Unit): Promise<number | null> {
  const row = await unit
    .selectFrom('outbox as message')
    .select(({ fn, ref, case: when }) =>
      fn
        .min<number | null>(
          when()
            .when('claimed_until', '>', ref('next_attempt_at'))
            .then(ref('claimed_until'))
            .else(ref('next_attempt_at'))
            .end(),
        )
        .as('due'),
    )
    .where('sent_at', 'is', null)
    .where(({ not, or, exists, selectFrom }) => or([not(isNoCrisis), not(exists(earlierOfGroup(selectFrom)))]))
    .executeTakeFirst()
  return row?.due ?? null
}
