/** Which alerts are news to this window, when they are said, and which wait for somebody. Pure but for the timer. */
import { desktopAnswersWithin } from '../../shared/thresholds.ts'
import type { AlertRow, DeskCallView, InboxChange } from '../../shared/views.ts'
import { waits } from './ringing.ts'

/** The state in which each alert was last heard, and with whom it was known to be since, by key. */
export type Heard = Map<string, { state: string; holder: string }>

/** Differs when the alert got worse, spoke again, was opened again, or was handed on. */
function stateOf(row: AlertRow): string {
  return [row.last_trigger_at, row.tier, row.score, row.again_count, row.reopened?.at, row.hand_off_to?.id].join(' ')
}

/** Differs when somebody else holds the alert, or it waits for somebody else. */
function holderOf(row: AlertRow): string {
  return `${row.owner?.id} ${row.hand_off_to?.id}`
}

/**
 * The alerts of a change that were not heard in this state yet, and those that are handed to this person, or back;
 * remembers them as heard. The first change of a subscription is what nobody has seen so far and may repeat what was
 * heard.
 */
export function newsOf(heard: Heard, { rows, announce }: Pick<InboxChange, 'rows' | 'announce'>): AlertRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const news = announce
    .flatMap((key) => byKey.get(key) ?? [])
    .filter((row) => {
      const before = heard.get(row.key)
      return before?.state !== stateOf(row) || before.holder !== holderOf(row)
    })
  for (const row of rows) {
    const before = heard.get(row.key)
    if (before) heard.set(row.key, { ...before, holder: holderOf(row) })
  }
  for (const row of news) heard.set(row.key, { state: stateOf(row), holder: holderOf(row) })
  return news
}

/** After something was said, what follows within this time is said together (milliseconds). */
const together = 1500

/**
 * Says alerts at once, and those that follow closely together, so that a flood is one sentence after
 * another and not fifty sounds. A crisis never waits behind something lesser. `stop` says no more.
 */
export function createTeller(say: (rows: AlertRow[]) => void): { tell: (rows: AlertRow[]) => void; stop: () => void } {
  let waiting = new Map<string, AlertRow>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let saidCrisis = false
  const sayNow = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.size === 0) return
    const rows = [...waiting.values()]
    waiting = new Map()
    saidCrisis = rows.some(isCrisis)
    timer = setTimeout(sayNow, together)
    say(rows)
  }
  return {
    tell(rows) {
      for (const row of rows) waiting.set(row.key, row)
      if (timer === null || (!saidCrisis && rows.some(isCrisis))) sayNow()
    },
    stop() {
      if (timer) clearTimeout(timer)
      waiting.clear()
    },
  }
}

export function isCrisis(row: AlertRow): boolean {
  return row.tier === 'crisis'
}

/** Which crises that wait for `me` or for anybody are announced after a change, the latest first; `before`: which were. */
export function announcedAfter(
  before: readonly AlertRow[],
  news: readonly AlertRow[],
  { rows, removed }: Pick<InboxChange, 'rows' | 'removed'>,
  me: string,
): readonly AlertRow[] {
  const changed = new Map(rows.map((row) => [row.key, row]))
  const gone = new Set(removed)
  const fresh = new Set(news.map(({ key }) => key))
  const kept = before.filter(({ key }) => !gone.has(key) && !fresh.has(key)).map((row) => changed.get(row.key) ?? row)
  return [...news, ...kept].filter((row) => isCrisis(row) && waits(row, me))
}

/** What waits after a change; null where that alone does not say so. */
export function waitingAfter(
  before: readonly AlertRow[],
  { rows, removed, announce, everything }: Pick<InboxChange, 'rows' | 'removed' | 'announce' | 'everything'>,
  me: string,
): readonly AlertRow[] | null {
  if (everything) return null
  const known = new Set(before.map((row) => row.key))
  const news = new Set(announce)
  const waiting = rows.filter((row) => waits(row, me))
  // It waits, and is no news: taken back perhaps, or told of a past. Main knows.
  if (waiting.some((row) => row.state === 'open' && !known.has(row.key) && !news.has(row.key))) return null
  const changed = new Set([...rows.map((row) => row.key), ...removed])
  if (waiting.length === 0 && ![...known].some((key) => changed.has(key))) return before
  return [...waiting, ...before.filter((row) => !changed.has(row.key))]
}

/**
 * Shows each call of the ladder once where it is seen, and answers it: what nobody can see waits until somebody can, as
 * long as it counts. An alert that was said a moment ago is not said once more.
 */
export function createCalls(parts: {
  now: () => number
  /** Whether somebody who sits here would see it. */
  isSeen: () => boolean
  /** Null = of an alert that is not known here. */
  say: (alerts: (AlertRow | null)[]) => void
  answer: (deliveryIds: string[]) => void
}): { take: (calls: readonly DeskCallView[]) => void; heard: (rows: readonly AlertRow[]) => void; look: () => void } {
  let waiting = new Map<string, { call: DeskCallView; until: number }>()
  const known = new Set<string>()
  const heardAt = new Map<string, number>()
  const look = () => {
    const now = parts.now()
    waiting = new Map([...waiting].filter(([, { until }]) => now < until))
    if (waiting.size === 0 || !parts.isSeen()) return
    const calls = [...waiting.values()].map(({ call }) => call)
    waiting = new Map()
    const isNew = ({ alert }: DeskCallView) =>
      alert === null || now - (heardAt.get(alert.key) ?? -Infinity) >= desktopAnswersWithin
    const fresh = calls.filter(isNew).map(({ alert }) => alert)
    if (fresh.length > 0) parts.say(fresh)
    parts.answer(calls.map(({ delivery_id }) => delivery_id))
  }
  return {
    take(calls) {
      for (const call of calls) {
        if (known.has(call.delivery_id)) continue
        known.add(call.delivery_id)
        // Its time is the station's; how long it counts is told by the clock here.
        waiting.set(call.delivery_id, { call, until: parts.now() + desktopAnswersWithin })
      }
      look()
    },
    heard(rows) {
      for (const { key } of rows) heardAt.set(key, parts.now())
    },
    look,
  }
}
