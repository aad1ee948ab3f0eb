/** Which alerts are news to this window, and when they are said. Pure but for the timer. */
import type { AlertRow, InboxChange } from '../../shared/views.ts'

/** The state in which each alert was last heard, by key. */
export type Heard = Map<string, string>

/** Differs when the alert got worse, spoke again, or was opened again. */
function stateOf(row: AlertRow): string {
  return [row.last_trigger_at, row.tier, row.score, row.again_count, row.reopened?.at].join(' ')
}

/**
 * The alerts of a change that were not heard in this state yet; remembers them as heard. The first change
 * of a subscription is what nobody has seen so far and may repeat what was heard.
 */
export function newsOf(heard: Heard, { rows, announce }: Pick<InboxChange, 'rows' | 'announce'>): AlertRow[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const news = announce.flatMap((key) => byKey.get(key) ?? []).filter((row) => heard.get(row.key) !== stateOf(row))
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
