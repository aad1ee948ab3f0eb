/** Which alerts are news to this window, and when they are said. Pure but for the timer. */
import type { AlertChange, AlertRow } from '../../shared/views.ts'

/** The state in which each alert was last heard, by key. */
export type Heard = Map<string, string>

/** Differs when the alert got worse, spoke again, or was re-opened from another plan. */
function stateOf(row: AlertRow): string {
  return [row.last_trigger_at, row.tier, row.score, row.again_count, row.reopened_reason, row.due_at].join(' ')
}

/**
 * The alerts of a change that were not heard in this state yet; remembers them as heard. The first change
 * of a subscription (no `keys`) is what nobody has seen so far and may repeat what was heard; in later ones
 * an alert that changed without being announced is forgotten, so that its return is heard again.
 */
export function newsOf(heard: Heard, change: Pick<AlertChange, 'keys' | 'announce'>): AlertRow[] {
  const announced = new Set(change.announce.map(({ key }) => key))
  for (const key of change.keys) if (!announced.has(key)) heard.delete(key)
  const news = change.announce.filter((row) => heard.get(row.key) !== stateOf(row))
  for (const row of news) heard.set(row.key, stateOf(row))
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
