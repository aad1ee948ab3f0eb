import type { MarkerType } from '../../../../shared/estimates.ts'
import type { LoggedEvent } from '../../../../shared/events.ts'
import type { PatternCategory, RiskTier } from '../../../../shared/risk.ts'
import { tierRank } from '../../../../shared/risk.ts'
import { recentRisk } from '../../../../shared/thresholds.ts'
import { days } from '../../../../shared/time.ts'
import type { RosterEntry, StudentRow, Trajectory, TrajectoryMark, TrajectoryPoint } from '../../../../shared/views.ts'
import type { Database } from '../../open.ts'
import { keyOf } from '../projections/index.ts'
import { rosterEntry } from '../roster.ts'
import { thinSeries } from './thin-series.ts'
import { joinRoster, labelColumns, labelOf, likePattern, ofSchool, tierAt, type LabelRow } from './labels.ts'

const sparkDays = 30
/** A rise or fall of the mean daily score that counts as a trend, 0–1. */
const trendStep = 0.08

interface CaseloadRow extends LabelRow {
  counselor: string | null
  last_message_at: number | null
  tier_rank: number
  score: number | null
  open_alerts: number
}

const caseload = (school: string) => `
  SELECT students.school_id, students.student_hash, students.last_message_at, ${labelColumns}, roster.counselor AS counselor,
    coalesce(week.tier_rank, 0) AS tier_rank, week.score AS score, coalesce(open.alerts, 0) AS open_alerts
  FROM students ${joinRoster('students')}
  LEFT JOIN (SELECT school_id, student_hash, max(tier_rank) AS tier_rank, max(score) AS score
             FROM student_days INDEXED BY student_days_by_day WHERE day > @since GROUP BY school_id, student_hash) AS week
    ON week.school_id = students.school_id AND week.student_hash = students.student_hash
  LEFT JOIN (SELECT school_id, student_hash, count(*) AS alerts FROM alerts WHERE state <> 'resolved'
             GROUP BY school_id, student_hash) AS open
    ON open.school_id = students.school_id AND open.student_hash = students.student_hash
  WHERE ${ofSchool('students', school)}`

// The same for one student, by looking up instead of gathering everybody's.
const oneStudent = (school: string) => `
  SELECT students.school_id, students.student_hash, students.last_message_at, ${labelColumns}, roster.counselor AS counselor,
    coalesce(max(student_days.tier_rank), 0) AS tier_rank, max(student_days.score) AS score,
    (SELECT count(*) FROM alerts WHERE alerts.school_id = students.school_id AND student_hash = @student_hash
       AND state <> 'resolved') AS open_alerts
  FROM students ${joinRoster('students')}
  LEFT JOIN student_days ON student_days.school_id = students.school_id
    AND student_days.student_hash = students.student_hash AND student_days.day > @since
  WHERE students.student_hash = @student_hash AND ${ofSchool('students', school)}
  GROUP BY students.school_id ORDER BY students.school_id DESC LIMIT 2`

/** The caseload: open alerts first, then by the worst of the last 7 days. */
export function studentPage(
  db: Database,
  query: {
    school: string
    search?: string | undefined
    tier?: RiskTier | undefined
    offset: number
    limit: number
    now: number
  },
): { total: number; offset: number; rows: StudentRow[] } {
  const conditions: string[] = []
  const search = query.search?.trim()
  if (search)
    conditions.push(
      `(name LIKE @like ESCAPE '\\' OR student_hash LIKE @like ESCAPE '\\' OR class LIKE @like ESCAPE '\\' OR counselor LIKE @like ESCAPE '\\')`,
    )
  if (query.tier) conditions.push('tier_rank = @tier')
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const parameters = {
    school: query.school,
    since: query.now - recentRisk,
    ...(search && { like: likePattern(search) }),
    ...(query.tier && { tier: tierRank(query.tier) }),
  }
  const countOf = () =>
    db
      .prepare(`SELECT count(*) FROM (${caseload(query.school)}) ${where}`)
      .pluck()
      .get(parameters) as number
  const rows = db
    .prepare(
      `SELECT * FROM (${caseload(query.school)}) ${where}
       ORDER BY (open_alerts > 0) DESC, tier_rank DESC, score DESC, last_message_at DESC, student_hash, school_id LIMIT @limit OFFSET @offset`,
    )
    .all({ ...parameters, limit: query.limit, offset: query.offset }) as CaseloadRow[]
  return {
    total: where === '' ? countStudents(db, query.school) : countOf(),
    offset: query.offset,
    rows: rows.map((row) => toStudentRow(db, row, query.now)),
  }
}

function countStudents(db: Database, school: string): number {
  return db
    .prepare(`SELECT count(*) FROM students WHERE ${ofSchool('students', school)}`)
    .pluck()
    .get({ school }) as number
}

/**
 * The student of this hash in the reader's school; null when there is none. A console without a school, which
 * cannot tell two schools' students of one hash apart, is shown neither.
 */
export function studentByHash(
  db: Database,
  school: string,
  student_hash: string,
  now: number,
): (StudentRow & { roster: RosterEntry | null }) | null {
  const found = db.prepare(oneStudent(school)).all({ school, since: now - recentRisk, student_hash }) as CaseloadRow[]
  const row = school === '' && found.length > 1 ? undefined : found[0]
  return row ? { ...toStudentRow(db, row, now), roster: rosterEntry(db, school, student_hash) } : null
}

function toStudentRow(db: Database, row: CaseloadRow, now: number): StudentRow {
  const today = Math.floor(now / days(1))
  const daily = db
    .prepare('SELECT day, score FROM student_days WHERE school_id = ? AND student_hash = ? AND day > ? ORDER BY day')
    .all(row.school_id, row.student_hash, (today - sparkDays) * days(1)) as { day: number; score: number }[]
  const spark = Array.from({ length: sparkDays }, () => null as number | null)
  for (const { day, score } of daily) {
    const index = day / days(1) - today + sparkDays - 1
    if (index >= 0 && index < sparkDays) spark[index] = score
  }
  return {
    student: labelOf(row),
    tier: tierAt(row.tier_rank),
    score: row.score,
    trend: trendOf(spark),
    last_message_at: row.last_message_at,
    sessions: db
      .prepare('SELECT count(*) FROM sessions WHERE student_hash = ? AND school_id = ?')
      .pluck()
      .get(row.student_hash, row.school_id) as number,
    open_alerts: row.open_alerts,
    counselor: row.counselor,
    spark,
  }
}

/** The last 7 days against the 23 before, by mean of daily highest scores; without evidence in both, unknown. */
function trendOf(spark: readonly (number | null)[]): StudentRow['trend'] {
  const mean = (scores: readonly (number | null)[]) => {
    const known = scores.filter((score) => score !== null)
    return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length
  }
  const now = mean(spark.slice(-7))
  const before = mean(spark.slice(0, -7))
  if (now === null || before === null) return 'unknown'
  return now - before > trendStep ? 'declining' : before - now > trendStep ? 'improving' : 'stable'
}

/** A student is known by (school, hash). */
export interface StudentKey {
  school_id: string
  student_hash: string
}

interface PointRow {
  session_id: string
  id: string
  at: number
  score: number
  tier_rank: number
}

/** The risk trajectory of one student, thinned to what a chart can show. */
export function trajectory(
  db: Database,
  { school_id, student_hash, from, to, points }: StudentKey & { from: number; to: number; points: number },
): Trajectory {
  const all = db
    .prepare(
      `SELECT session_id, id, at, score, tier_rank FROM risk_points
       WHERE school_id = ? AND student_hash = ? AND at BETWEEN ? AND ? ORDER BY at, session_id, id`,
    )
    .all(school_id, student_hash, from, to) as PointRow[]
  const kept = thinSeries(all, points, (point) => point.tier_rank)
  const details = new Map(
    (
      db
        .prepare(
          `SELECT risk_points.session_id, risk_points.id, risk_points.message_id, events.body FROM json_each(@kept) AS kept
           CROSS JOIN risk_points ON risk_points.school_id = @school_id AND risk_points.session_id = kept.value ->> 0
             AND risk_points.id = kept.value ->> 1
           JOIN events ON events.seq = event_seq`,
        )
        .all({ school_id, kept: JSON.stringify(kept.map(({ session_id, id }) => [session_id, id])) }) as {
        session_id: string
        id: string
        message_id: string | null
        body: string | null
      }[]
    ).map((row) => [keyOf(row.session_id, row.id), row]),
  )
  return {
    from: all[0] ? Math.max(from, all[0].at) : from,
    to,
    total: all.length,
    points: kept.map(({ session_id, id, at, score, tier_rank }): TrajectoryPoint => {
      const detail = details.get(keyOf(session_id, id))
      const event = detail?.body ? (JSON.parse(detail.body) as LoggedEvent) : null
      const analysed = event && 'matched_patterns' in event ? event : null
      return {
        at,
        score,
        tier: tierAt(tier_rank),
        session_id,
        message_id: detail?.message_id ?? null,
        categories: (analysed?.matched_patterns ?? []) as PatternCategory[],
        decided_by: analysed?.decided_by ?? null,
        decided_on: analysed?.decided_on ?? null,
      }
    }),
    marks: marks(db, { school_id, student_hash }, from, to),
  }
}

function marks(db: Database, of: StudentKey, from: number, to: number): TrajectoryMark[] {
  const rows = db
    .prepare(
      `SELECT key, tier_rank, opened_at, acknowledged_at, resolved_at FROM alerts
       WHERE school_id = @school_id AND student_hash = @student_hash AND (opened_at BETWEEN @from AND @to OR acknowledged_at BETWEEN @from AND @to)
       ORDER BY opened_at DESC LIMIT 200`,
    )
    .all({ ...of, from, to }) as {
    key: string
    tier_rank: number
    opened_at: number
    acknowledged_at: number | null
    resolved_at: number | null
  }[]
  return rows
    .flatMap((row): TrajectoryMark[] => {
      const mark = (kind: TrajectoryMark['kind'], at: number | null) =>
        at === null ? [] : [{ at, kind, alert_key: row.key, tier: tierAt(row.tier_rank) }]
      return [
        ...mark('alert', row.opened_at),
        ...mark('acknowledged', row.acknowledged_at),
        ...mark('resolved', row.resolved_at),
      ]
    })
    .filter(({ at }) => at >= from && at <= to)
    .sort((a, b) => a.at - b.at)
}

/** A student's markers and the times of their messages since a time, oldest first. */
export function clinicalEvidence(
  db: Database,
  { school_id, student_hash }: StudentKey,
  since: number,
): { markers: { marker_type: MarkerType; confidence: number; at: number }[]; messageTimes: number[] } {
  return {
    markers: db
      .prepare(
        'SELECT marker_type, confidence, at FROM markers WHERE school_id = ? AND student_hash = ? AND at >= ? ORDER BY at',
      )
      .all(school_id, student_hash, since) as { marker_type: MarkerType; confidence: number; at: number }[],
    messageTimes: db
      .prepare('SELECT at FROM risk_points WHERE school_id = ? AND student_hash = ? AND at >= ? ORDER BY at')
      .pluck()
      .all(school_id, student_hash, since) as number[],
  }
}
