import { acknowledgeTarget } from '../../../../shared/thresholds.ts'
import { minutes } from '../../../../shared/time.ts'
import type { OverviewView } from '../../../../shared/views.ts'
import { startOfDay } from '../../../../shared/zone.ts'
import type { Database } from '../../open.ts'
import { ofSchool } from './labels.ts'

const histogramMinutes = [1, 2, 5, 10, 15, 30, 60] as const

/**
 * Alerts per day and tier, by the days of `zone` (the school's, an IANA name), and the time to acknowledge against 5 minutes. These count alerts,
 * the workload that everyone who may see this can also list one by one; they say nothing of students.
 */
export function overview(
  db: Database,
  { school, periodDays, now, zone }: { school: string; periodDays: number; now: number; zone: string },
): OverviewView {
  const starts = Array.from({ length: periodDays + 1 }, (_, index) => startOfDay(now, zone, index - periodDays + 1))
  const from = starts[0] as number
  const to = starts.at(-1) as number
  const perDay = starts.slice(0, -1).map((day) => ({ day, crisis: 0, high: 0 }))
  const opened = db
    .prepare(
      `SELECT opened_at, tier FROM alerts WHERE ${ofSchool('alerts', school)} AND opened_at >= @from AND opened_at < @to ORDER BY opened_at`,
    )
    .all({ school, from, to }) as { opened_at: number; tier: 'crisis' | 'high' }[]
  let index = 0
  for (const { opened_at, tier } of opened) {
    while (opened_at >= (starts[index + 1] as number)) index += 1
    ;(perDay[index] as (typeof perDay)[number])[tier] += 1
  }
  return { from, to, days: perDay, acknowledge: acknowledgeTimes(db, school, from, to, now) }
}

function acknowledgeTimes(
  db: Database,
  school: string,
  from: number,
  to: number,
  now: number,
): OverviewView['acknowledge'] {
  const took = db
    .prepare(
      `SELECT acknowledged_at - received_at FROM alerts
       WHERE ${ofSchool('alerts', school)} AND opened_at >= @from AND opened_at < @to AND acknowledged_at IS NOT NULL
       ORDER BY 1`,
    )
    .pluck()
    .all({ school, from, to }) as number[]
  const waiting = db
    .prepare(
      `SELECT received_at FROM alerts INDEXED BY alerts_unresolved
       WHERE ${ofSchool('alerts', school)} AND state <> 'resolved' AND state = 'open' AND acknowledged_at IS NULL`,
    )
    .pluck()
    .all({ school }) as number[]
  const quantile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? null
  let lower = -Infinity
  const histogram = [...histogramMinutes, null].map((upTo) => {
    const upper = upTo === null ? Infinity : minutes(upTo)
    const inside = took.filter((ms) => ms > lower && ms <= upper).length
    lower = upper
    return { up_to_minutes: upTo, count: inside }
  })
  return {
    target_ms: acknowledgeTarget,
    acknowledged: took.length,
    within_target: took.filter((ms) => ms <= acknowledgeTarget).length,
    p50_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    waiting: waiting.length,
    waiting_over_target: waiting.filter((at) => now - at > acknowledgeTarget).length,
    histogram,
  }
}
