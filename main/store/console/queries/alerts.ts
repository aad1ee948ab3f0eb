import type { ReopenReason } from '../../../../shared/alerts.ts'
import type { LoggedEvent, MessageAnalyzed, SealedWords } from '../../../../shared/events.ts'
import type { PatternCategory } from '../../../../shared/risk.ts'
import { saysLateAfter, watchWindow } from '../../../../shared/thresholds.ts'
import type {
  Unopened,
  AlertCounts,
  AlertFilter,
  AlertRow,
  InboxItem,
  InboxPage,
  RevealedEvidence,
  TriggerView,
} from '../../../../shared/views.ts'
import type { EvidenceKey } from '../../../platform/envelope.ts'
import { partsOfKey } from '../projections/index.ts'
import type { Database } from '../../open.ts'
import { prepared } from '../../prepared.ts'
import { nextStepColumn } from './notifications.ts'
import { joinRoster, labelColumns, labelOf, likePattern, ofSchool, type LabelRow } from './labels.ts'

// In the words of the partial index: in others it would not be used.
const unresolved = `alerts.state <> 'resolved'`
const filters: Record<Exclude<AlertFilter, 'watch'>, string> = {
  open: unresolved,
  // Few at any time: found by holder and receiver (the plus keeps the index of the inbox out of it).
  mine: `+${unresolved} AND alerts.key IN
    (SELECT key FROM alerts WHERE owner_id = @person UNION SELECT key FROM alerts WHERE hand_off_to = @person)`,
  all: 'TRUE',
}
const ofSchoolBy = (filter: Exclude<AlertFilter, 'watch'>, school: string) =>
  `${filter === 'mine' ? '+' : ''}${ofSchool('alerts', school)}`

/** What nobody holds, what is held, what is resolved; in each by severity, then by turn: the order of shared/inbox-order.ts. */
const inboxOrder = 'state_rank, tier_rank DESC, turn, key'
const orderColumns = 'alerts.state_rank, alerts.tier_rank, alerts.turn, alerts.key'

export interface InboxQuery {
  school: string
  person: string
  filter: AlertFilter
  search?: string | undefined
  offset: number
  limit: number
  now: number
}

/** One page of the inbox in its order. */
export function inboxPage(db: Database, query: InboxQuery): InboxPage {
  if (query.filter === 'watch') return watchedPage(db, query)
  const search = query.search?.trim()
  const where = [filters[query.filter]]
  if (search)
    where.push(
      `(roster.name LIKE @like ESCAPE '\\' OR alerts.student_hash LIKE @like ESCAPE '\\' OR alerts.categories LIKE @category ESCAPE '\\')`,
    )
  const parameters = {
    school: query.school,
    ...(query.filter === 'mine' && { person: query.person }),
    ...(search && { like: likePattern(search), category: likePattern(search.replaceAll(' ', '_')) }),
  }
  const from = `FROM alerts ${search ? joinRoster('alerts') : ''} WHERE ${where.join(' AND ')} AND`
  const total = db
    .prepare(`SELECT count(*) ${from} ${ofSchoolBy(query.filter, query.school)}`)
    .pluck()
    .get(parameters) as number
  const school = query.filter === 'mine' ? '+alerts.school_id' : 'alerts.school_id'
  // Keys first, from the index alone, each school in order and the two merged; the wide rows only of this page.
  const keys = db
    .prepare(
      `${
        query.school === ''
          ? `SELECT ${orderColumns} ${from} TRUE`
          : `SELECT ${orderColumns} ${from} ${school} = @school UNION ALL SELECT ${orderColumns} ${from} ${school} = ''`
      }
       ORDER BY ${inboxOrder} LIMIT @limit OFFSET @offset`,
    )
    .all({ ...parameters, limit: query.limit, offset: query.offset }) as { key: string }[]
  const rows = alertRows(
    db,
    query.school,
    keys.map(({ key }) => key),
  )
  return { total, offset: query.offset, rows: rows.map((row): InboxItem => ({ kind: 'alert', ...row })) }
}

/** Caution opens no alert: sessions of the last two days whose worst was caution, newest first. */
function watchedPage(db: Database, { school, search, offset, limit, now }: InboxQuery): InboxPage {
  const like = likePattern(search?.trim() ?? '')
  const from = `FROM sessions INDEXED BY sessions_by_time ${joinRoster('sessions')}
    WHERE ${ofSchool('sessions', school)} AND sessions.tier_rank = 1 AND sessions.last_message_at > @since
      AND (roster.name LIKE @like ESCAPE '\\' OR sessions.student_hash LIKE @like ESCAPE '\\')`
  const parameters = { school, like, since: now - watchWindow }
  const rows = db
    .prepare(
      `SELECT sessions.*, ${labelColumns} ${from} ORDER BY sessions.last_message_at DESC, sessions.id, sessions.school_id LIMIT @limit OFFSET @offset`,
    )
    .all({ ...parameters, limit, offset }) as (LabelRow & {
    id: string
    last_message_at: number
    message_count: number
  })[]
  return {
    total: db.prepare(`SELECT count(*) ${from}`).pluck().get(parameters) as number,
    offset,
    rows: rows.map((row): InboxItem => ({
      kind: 'watched',
      session_id: row.id,
      student: labelOf(row),
      last_message_at: row.last_message_at,
      message_count: row.message_count,
    })),
  }
}

/** Whether one of these sessions, by `keyOf(school, session)`, is one whose worst is caution. */
export function anyWatched(db: Database, sessions: readonly string[]): boolean {
  const find = prepared(db, `SELECT 1 FROM sessions WHERE school_id = ? AND id = ? AND tier_rank = 1`)
  return sessions.some((key) => {
    const { school_id, id } = partsOfKey(key)
    return find.get(school_id, id) !== undefined
  })
}

export function alertCounts(db: Database, school: string, person: string, now: number): AlertCounts {
  const count = (sql: string, parameters: object) => db.prepare(sql).pluck().get(parameters) as number
  return {
    ...openCounts(db, school),
    handed: handedCounts(db, school).find((count) => count.person === person)?.alerts ?? 0,
    mine: count(`SELECT count(*) FROM alerts WHERE ${ofSchoolBy('mine', school)} AND ${filters.mine}`, {
      school,
      person,
    }),
    all: count(`SELECT count(*) FROM alerts WHERE ${ofSchool('alerts', school)}`, { school }),
    watch: count(
      `SELECT count(*) FROM sessions INDEXED BY sessions_by_time WHERE ${ofSchool('sessions', school)} AND tier_rank = 1 AND last_message_at > @since`,
      { school, since: now - watchWindow },
    ),
  }
}

type OpenCounts = Pick<AlertCounts, 'open' | 'unacknowledged'>
const lastCounts = new WeakMap<Database, { state: string; counts: OpenCounts }>()

/** Alerts not resolved, and those of them that nobody holds. Counted once per change, however many ask. */
export function openCounts(db: Database, school: string): OpenCounts {
  // Our own writes by one number, another connection's by the other.
  const state = `${school} ${db.prepare('SELECT total_changes()').pluck().get()} ${db.pragma('data_version', { simple: true })}`
  const last = lastCounts.get(db)
  if (last?.state === state && !db.inTransaction) return last.counts
  const counts = db
    .prepare(
      `SELECT count(*) AS open, coalesce(sum(alerts.state_rank = 0), 0) AS unacknowledged FROM alerts
       WHERE ${ofSchool('alerts', school)} AND ${unresolved}`,
    )
    .get({ school }) as OpenCounts
  if (!db.inTransaction) lastCounts.set(db, { state, counts })
  return counts
}

/** The alerts of this school among some keys, in the order of the keys; the others are left out. */
export function alertRows(db: Database, school: string, keys: readonly string[]): AlertRow[] {
  const one = prepared(
    db,
    `SELECT alerts.*, ${nextStepColumn}, ${onlyPastColumn}, ${labelColumns} FROM alerts ${joinRoster('alerts')} WHERE alerts.key = @key AND ${ofSchool('alerts', school)}`,
  )
  return keys.flatMap((key) => {
    const row = one.get({ school, key }) as StoredAlert | undefined
    return row ? [toRow(row)] : []
  })
}

/** One row by its key; null when it is not of this school. */
export function alertRow(db: Database, school: string, key: string): AlertRow | null {
  return alertRows(db, school, [key])[0] ?? null
}

/** Keys of open alerts that no person has looked at, or that opened again since, most urgent first. */
export function unseenAlerts(db: Database, school: string, limit: number): string[] {
  const unseen = `${unresolved} AND alerts.state = 'open' AND (alerts.first_seen_at IS NULL OR alerts.reopened_at IS NOT NULL)`
  // Each school in the order of the index and the two merged, as in the inbox: no further than the first few.
  const keys = db.prepare(
    `${
      school === ''
        ? `SELECT ${orderColumns} FROM alerts WHERE ${unseen}`
        : `SELECT ${orderColumns} FROM alerts WHERE ${unseen} AND alerts.school_id = @school
           UNION ALL SELECT ${orderColumns} FROM alerts WHERE ${unseen} AND alerts.school_id = ''`
    }
     ORDER BY ${inboxOrder} LIMIT @limit`,
  )
  return (keys.all({ school, limit }) as { key: string }[]).map(({ key }) => key)
}

/** Keys of the alerts that wait for a person to accept them, most urgent first. */
export function handedTo(db: Database, of: { school: string; person: string }, limit: number): string[] {
  return prepared(
    db,
    `SELECT key FROM alerts INDEXED BY alerts_handed_to
     WHERE hand_off_to = @person AND ${unresolved} AND ${ofSchool('alerts', of.school)} ORDER BY ${inboxOrder} LIMIT @limit`,
  )
    .pluck()
    .all({ ...of, limit }) as string[]
}

/** How many alerts wait for each person to accept them. */
export function handedCounts(db: Database, school: string): { person: string; alerts: number }[] {
  return prepared(
    db,
    `SELECT hand_off_to AS person, count(*) AS alerts FROM alerts INDEXED BY alerts_handed_to
     WHERE hand_off_to IS NOT NULL AND ${unresolved} AND ${ofSchool('alerts', school)} GROUP BY hand_off_to`,
  ).all({ school }) as { person: string; alerts: number }[]
}

/** Whether a student has an alert that is not resolved. */
export function hasUnresolvedAlert(db: Database, student: { school_id: string; student_hash: string }): boolean {
  const found = prepared(db, `SELECT 1 FROM alerts WHERE school_id = ? AND student_hash = ? AND ${unresolved}`)
  return found.get(student.school_id, student.student_hash) !== undefined
}

/** Keys of the alerts that a message of the outbox concerns: those of its alert's session, whatever their school is by now. */
export function alertKeysOf(db: Database, messageId: string): string[] {
  const keys = prepared(
    db,
    `SELECT alerts.key FROM outbox
       JOIN alert_keys ON alert_keys.alias = json_extract(outbox.body, '$.alert_key')
       JOIN alerts ON alerts.school_id = alert_keys.school_id AND alerts.session_id = alert_keys.session_id
     WHERE outbox.id = ?`,
  )
  return keys.pluck().all(messageId) as string[]
}

/** The student's alerts before this one, newest first. */
export function earlierAlerts(
  db: Database,
  school: string,
  of: { school_id: string | null; student_hash: string },
  before: number,
  limit: number,
): AlertRow[] {
  return (
    db
      .prepare(
        `SELECT alerts.*, ${nextStepColumn}, ${onlyPastColumn}, ${labelColumns} FROM alerts ${joinRoster('alerts')}
         WHERE alerts.school_id = @of AND alerts.student_hash = @student_hash AND alerts.opened_at < @before
         ORDER BY alerts.opened_at DESC LIMIT @limit`,
      )
      .all({ school, of: of.school_id ?? '', student_hash: of.student_hash, before, limit }) as StoredAlert[]
  ).map(toRow)
}

/** What the screen may know of an alert's triggers without a reveal. */
export function triggerViews(db: Database, triggerIds: readonly string[]): TriggerView[] {
  return triggerEvents(db, triggerIds).map(({ id, received_at, event }) => ({
    id,
    at: event.timestamp,
    received_at,
    tier: event.event_type === 'CRISIS_DETECTED' ? 'crisis' : event.tier,
    score: event.event_type === 'CRISIS_DETECTED' ? event.consensus_score : event.score,
    categories: event.matched_patterns as PatternCategory[],
    hidden_patterns: event.hidden_patterns ?? 0,
    decided_by: event.decided_by ?? null,
    decided_on: event.decided_on ?? null,
    operating_point: event.operating_point ?? null,
    signals: event.signals ?? null,
    degraded: event.degraded ?? [],
    has_evidence:
      event.evidence !== undefined ||
      event.sealed_words !== undefined ||
      ('content' in event && event.content !== undefined),
    message_id: event.message_id ?? null,
  }))
}

/**
 * Opens the evidence of some triggers: the event's own first, else its message's, which is the message of the
 * same school, session and student. `unopened`: why what does not open does not. The caller has written the audit entry.
 */
export function openEvidence(
  db: Database,
  evidenceKey: EvidenceKey,
  triggerIds: readonly string[],
  unopened: Unopened,
): Omit<RevealedEvidence, 'whereabouts'>[] {
  const shown = new Set<string>()
  return triggerEvents(db, triggerIds).flatMap(({ id, school_id, event }) => {
    const own = event.evidence ?? ('content' in event ? event.content : undefined)
    const ownText = own ? openText(evidenceKey, own) : null
    const analysis = analysisOf(db, school_id, event)
    const messageText = analysis?.content ? openText(evidenceKey, analysis.content) : null
    const text = ownText ?? messageText
    // Two events about one message show it once.
    if (event.message_id !== undefined) {
      const said = JSON.stringify([event.message_id, text])
      if (shown.has(said)) return []
      shown.add(said)
    }
    const sealed = event.sealed_words ? openText(evidenceKey, event.sealed_words) : null
    const words = sealed === null ? null : (JSON.parse(sealed) as SealedWords)
    return [
      {
        trigger_id: id,
        message_id: event.message_id ?? null,
        at: event.occurred_at ?? event.timestamp,
        text,
        // Where phrases stand is known of the message as it was analysed, and of no other text.
        spans: analysis && text !== null && text === messageText ? analysis.flagged : [],
        reasoning: words?.reasoning || null,
        patterns: words?.patterns ?? [],
        unopened: text === null && (own ?? analysis?.content) ? unopened : null,
      },
    ]
  })
}

/** The analysis of the message that an event speaks of. */
function analysisOf(db: Database, school_id: string, event: TriggerEvent): MessageAnalyzed | null {
  const { session_id, message_id, student_hash } = event
  if (message_id === undefined) return null
  const body = prepared(
    db,
    `SELECT events.body FROM messages JOIN events ON events.seq = messages.event_seq
     WHERE messages.school_id = @school_id AND messages.session_id = @session_id AND messages.message_id = @message_id
       AND messages.student_hash = @student_hash`,
  )
    .pluck()
    .get({ school_id, session_id, message_id, student_hash }) as string | null | undefined
  return body ? (JSON.parse(body) as MessageAnalyzed) : null
}

function openText(evidenceKey: EvidenceKey, envelope: Parameters<EvidenceKey['open']>[0]): string | null {
  try {
    return evidenceKey.open(envelope)
  } catch {
    // Sealed with a key that this console does not have.
    return null
  }
}

type TriggerEvent = Extract<LoggedEvent, { event_type: 'CRISIS_DETECTED' | 'MESSAGE_ANALYZED' }>

function triggerEvents(
  db: Database,
  triggerIds: readonly string[],
): { id: string; school_id: string; received_at: number; event: TriggerEvent }[] {
  const rows = db
    .prepare(
      `SELECT triggers.id, triggers.school_id, triggers.received_at, events.body FROM triggers JOIN events ON events.seq = triggers.event_seq
       WHERE triggers.id IN (SELECT value FROM json_each(?)) ORDER BY triggers.at, triggers.id`,
    )
    .all(JSON.stringify(triggerIds)) as { id: string; school_id: string; received_at: number; body: string | null }[]
  return rows.flatMap(({ body, ...row }) =>
    body === null ? [] : [{ ...row, event: JSON.parse(body) as TriggerEvent }],
  )
}

interface StoredAlert extends LabelRow {
  key: string
  session_id: string
  tier: AlertRow['tier']
  state: AlertRow['state']
  score: number
  categories: string
  about_other: number
  opened_at: number
  received_at: number
  occurred_at: number | null
  last_trigger_at: number
  first_seen_at: number | null
  again_count: number
  owner_id: string | null
  owner_name: string | null
  due_at: number | null
  hand_off_to: string | null
  hand_off_to_name: string | null
  hand_off_urgent: number
  reopened_at: number | null
  reopened_reason: ReopenReason | null
  disposition: AlertRow['disposition']
  next_step_at: number | null
  only_past: number
}

const itsTriggers = `triggers.school_id = alerts.school_id AND triggers.session_id = alerts.session_id
    AND triggers.student_hash = alerts.student_hash AND triggers.at BETWEEN alerts.opened_at AND alerts.last_trigger_at`

/**
 * Column `only_past` of a row of `alerts`: nobody holds it, nothing of it came when it was said, and nobody has done more
 * than look at it since. A station runs its ladder by the same rule.
 */
const onlyPastColumn = `(alerts.state = 'open' AND alerts.reopened_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM triggers JOIN events ON events.seq = triggers.event_seq
  WHERE ${itsTriggers} AND json_extract(events.body, '$.backfill') IS NULL) AND NOT EXISTS (
  SELECT 1 FROM actions WHERE actions.school_id = alerts.school_id AND actions.session_id = alerts.session_id
    AND json_extract(action, '$.action') <> 'seen' AND json_extract(action, '$.backfill') IS NULL
    AND json_extract(action, '$.refused') IS NULL AND json_extract(action, '$.unvouched') IS NULL
    AND EXISTS (SELECT 1 FROM triggers, json_each(action, '$.covers') AS covered WHERE ${itsTriggers}
      AND covered.value IN (triggers.id, triggers.idempotency_key)))) AS only_past`

function toRow(row: StoredAlert): AlertRow {
  const lateBy = row.received_at - row.opened_at
  return {
    key: row.key,
    student: labelOf(row),
    session_id: row.session_id,
    tier: row.tier,
    state: row.state,
    score: row.score,
    categories: JSON.parse(row.categories) as PatternCategory[],
    about_other: row.about_other === 1,
    opened_at: row.opened_at,
    received_at: row.received_at,
    occurred_at: row.occurred_at,
    last_trigger_at: row.last_trigger_at,
    first_seen_at: row.first_seen_at,
    again_count: row.again_count,
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? row.owner_id },
    due_at: row.due_at,
    hand_off_to:
      row.hand_off_to === null
        ? null
        : {
            id: row.hand_off_to,
            name: row.hand_off_to_name ?? row.hand_off_to,
            urgent: row.hand_off_urgent === 1,
          },
    reopened:
      row.reopened_at === null || row.reopened_reason === null
        ? null
        : { at: row.reopened_at, reason: row.reopened_reason },
    disposition: row.disposition,
    late_by_ms: lateBy > saysLateAfter ? lateBy : null,
    next_step_at: row.next_step_at,
    only_past: row.only_past === 1,
  }
}
