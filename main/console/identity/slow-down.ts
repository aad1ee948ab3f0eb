import { seconds } from '../../../shared/time.ts'
import type { Clock } from '../../platform/ports.ts'

/** The wait after the first wrong password; each further one doubles it, to the longest. */
const firstWait = seconds(1)
const longestWait = seconds(30)
/** Names that are slowed down at one time; beyond it the one that waited longest is forgotten. */
const most = 10_000

/** Slows wrong passwords down, each account by itself. */
export interface SlowDown {
  /** Milliseconds until the next try is read; 0 = it is read, and counts as wrong until `right` is called. */
  begin(account: string): number
  right(account: string): void
}

export function createSlowDown(clock: Pick<Clock, 'now'>): SlowDown {
  const wrong = new Map<string, { times: number; at: number }>()
  const waitAfter = (times: number): number => (times === 0 ? 0 : Math.min(longestWait, firstWait * 2 ** (times - 1)))
  return {
    begin(account) {
      const now = clock.now()
      const before = wrong.get(account) ?? { times: 0, at: now }
      // A clock that was set back keeps nobody waiting for longer than that.
      const waited = now < before.at ? longestWait : now - before.at
      const wait = waitAfter(before.times) - waited
      if (wait > 0) return wait
      wrong.delete(account)
      wrong.set(account, { times: before.times + 1, at: now })
      const [oldest] = wrong.keys()
      if (wrong.size > most && oldest !== undefined) wrong.delete(oldest)
      return 0
    },
    right: (account) => void wrong.delete(account),
  }
}
