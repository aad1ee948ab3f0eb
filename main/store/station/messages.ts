/** Rows of the messages that came through this station, each with its assessment and its sealed words. */
import type { Selectable } from 'kysely'
import type { Assessment } from '../../../shared/assessment.ts'
import type { Envelope } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { SessionKey } from './sessions.ts'
import { furthestClaim, locksRows } from './store.ts'
import { template } from './template.ts'
import type { StationTables, Unit } from './tables.ts'

/** Who speaks in a chat. */
export type MessageRole = 'student' | 'assistant' | 'system'

/** Why the sender was told no, although the message was analysed and kept. */
export type RefusedAs = 'ended' | 'reused' | 'too large' | 'too many'

/** One message as it is kept. `content` is null for a school that keeps none, once it is not needed. */
export interface StoredMessage extends SessionKey {
  message_id: string
  sequence: number
  /** Accepted: kept and numbered, while a service is still asked; its decision says nothing yet. */
  state: 'accepted' | 'analyzed'
  role: MessageRole
  client_message_id: string | null
  content_digest: string
  said_at: number
  /** It was told later than it was said, by somebody who may: no news. */
  told: boolean
  content: Envelope | null
  refused: RefusedAs | null
  tier: RiskTier
  score: number
  sentiment: number
  assessment: Assessment | null
}

/** Which station awaits the answer about an accepted message, and until when the others leave it alone (UTC ms). */
export interface Claim {
  by: string
  until: number
}

type MessageRow = Omit<Selectable<StationTables['messages']>, 'claimed_by' | 'claimed_until'>

const columns = [
  'school_id',
  'session_id',
  'message_id',
  'sequence',
  'state',
  'role',
  'client_message_id',
  'content_digest',
  'said_at',
  'told',
  'content',
  'content_key',
  'refused',
  'tier',
  'score',
  'sentiment',
  'assessment',
] as const satisfies (keyof MessageRow)[]

/** Keeps a message; `claim` of one that is accepted only. */
export async function insertMessage(unit: Unit, message: StoredMessage, claim: Claim | null = null): Promise<void> {
  await inserting(unit, {
    ...message,
    told: Number(message.told),
    content: message.content?.ciphertext ?? null,
    content_key: message.content?.encrypted_key ?? null,
    assessment: message.assessment && JSON.stringify(message.assessment),
    claimed_by: claim?.by ?? null,
    claimed_until: claim?.until ?? 0,
  })
}

const inserting = template<StationTables['messages'], unknown>((unit, value) =>
  unit.insertInto('messages').values({
    school_id: value('school_id'),
    session_id: value('session_id'),
    message_id: value('message_id'),
    sequence: value('sequence'),
    state: value('state'),
    role: value('role'),
    client_message_id: value('client_message_id'),
    content_digest: value('content_digest'),
    said_at: value('said_at'),
    told: value('told'),
    content: value('content'),
    content_key: value('content_key'),
    refused: value('refused'),
    tier: value('tier'),
    score: value('score'),
    sentiment: value('sentiment'),
    assessment: value('assessment'),
    claimed_by: value('claimed_by'),
    claimed_until: value('claimed_until'),
  }),
)

/** Writes down what an accepted message was found to be. */
export async function markAnalyzed(unit: Unit, message: StoredMessage): Promise<void> {
  const { tier, score, sentiment, assessment } = message
  await unit
    .updateTable('messages')
    .set({
      state: 'analyzed',
      ...{ tier, score, sentiment },
      assessment: assessment && JSON.stringify(assessment),
      claimed_by: null,
      claimed_until: 0,
    })
    .where('school_id', '=', message.school_id)
    .where('session_id', '=', message.session_id)
    .where('message_id', '=', message.message_id)
    .execute()
}

/** The last `count` messages of a session up to a sequence number, oldest first. */
export async function latestMessages(
  unit: Unit,
  key: SessionKey,
  count: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<StoredMessage[]> {
  const rows = await messagesIn(unit, key)
    .where('sequence', '<=', upTo)
    .orderBy('sequence', 'desc')
    .limit(count)
    .execute()
  return rows.map(fromRow).reverse()
}

/** Every message of a session, oldest first. */
export async function messagesOf(unit: Unit, key: SessionKey): Promise<StoredMessage[]> {
  return (await messagesIn(unit, key).orderBy('sequence').execute()).map(fromRow)
}

/** The message of a session that its sender named so; null when there is none. */
export async function findByClientId(
  unit: Unit,
  key: SessionKey,
  clientMessageId: string,
): Promise<StoredMessage | null> {
  const { school_id, session_id } = key
  const [row] = await byClientId(unit, { school_id, session_id, client_message_id: clientMessageId })
  return row ? fromRow(row) : null
}

const byClientId = template<SessionKey & { client_message_id: string }, MessageRow>((unit, value) =>
  messagesIn(unit, { school_id: value('school_id'), session_id: value('session_id') }).where(
    'client_message_id',
    '=',
    value('client_message_id'),
  ),
)

export async function findMessage(unit: Unit, key: SessionKey, messageId: string): Promise<StoredMessage | null> {
  const row = await messagesIn(unit, key).where('message_id', '=', messageId).executeTakeFirst()
  return row ? fromRow(row) : null
}

/** When each message of a session was said that was told later (UTC ms), by its id. */
export async function toldMessages(unit: Unit, { school_id, session_id }: SessionKey): Promise<Map<string, number>> {
  const rows = await unit
    .selectFrom('messages')
    .select(['message_id', 'said_at'])
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .where('told', '=', 1)
    .execute()
  return new Map(rows.map(({ message_id, said_at }) => [message_id, said_at]))
}

/** Drops the words (not the assessment) of a session's messages up to a sequence number, once they are analysed. */
export async function forgetContent(
  unit: Unit,
  { school_id, session_id }: SessionKey,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await unit
    .updateTable('messages')
    .set({ content: null, content_key: null })
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
    .where('sequence', '<=', upTo)
    .where('state', '=', 'analyzed')
    .where('content', 'is not', null)
    .execute()
}

/**
 * Claims accepted messages of any school whose claim has run out by `now`, the longest waiting first, and
 * answers them. Two stations that ask at the same time get different ones.
 */
export async function claimUnfinished(
  unit: Unit,
  { now, limit, ...claim }: Claim & { now: number; limit: number },
): Promise<StoredMessage[]> {
  const due = await unit
    .selectFrom('messages')
    .select(columns)
    .where('state', '=', 'accepted')
    .where((row) => row.or([row('claimed_until', '<=', now), row('claimed_until', '>', now + furthestClaim)]))
    .orderBy('claimed_until')
    .orderBy('sequence')
    .limit(limit)
    .$if(locksRows(unit), (query) => query.forUpdate().skipLocked())
    .execute()
  for (const { school_id, session_id, message_id } of due)
    await unit
      .updateTable('messages')
      .set({ claimed_by: claim.by, claimed_until: claim.until })
      .where('school_id', '=', school_id)
      .where('session_id', '=', session_id)
      .where('message_id', '=', message_id)
      .execute()
  return due.map(fromRow)
}

/** Gives up what a station has claimed: its process of before is gone. */
export async function releaseClaims(unit: Unit, by: string): Promise<void> {
  await unit
    .updateTable('messages')
    .set({ claimed_by: null, claimed_until: 0 })
    .where('state', '=', 'accepted')
    .where('claimed_by', '=', by)
    .execute()
}

function messagesIn(unit: Unit, { school_id, session_id }: SessionKey) {
  return unit
    .selectFrom('messages')
    .select(columns)
    .where('school_id', '=', school_id)
    .where('session_id', '=', session_id)
}

function fromRow({ told, content, content_key, assessment, ...rest }: MessageRow): StoredMessage {
  return {
    ...rest,
    told: told === 1,
    content: content !== null && content_key !== null ? { ciphertext: content, encrypted_key: content_key } : null,
    assessment: assessment === null ? null : (JSON.parse(assessment) as Assessment),
  }
}
