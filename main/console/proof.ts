/** Whether alerts from the chat get through to this console: what proves it, and since when it is disproved. */
import { firstProofWithin, proofLasts } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Outage } from '../../shared/views.ts'
import type { Cancel, Clock } from '../platform/ports.ts'
import { lastProof, type Database } from '../store/console/index.ts'
import type { Changes } from './changes.ts'

export interface Proof {
  /** When the newest heartbeat or drill was made that came the whole way, UTC milliseconds; null = none ever. */
  provenAt(): number | null
  /** Heartbeats came before, and none has for over 3 minutes. */
  isOverdue(): boolean
  /** What people were told of and is not over yet. */
  outage(): Outage | null
  /** From now on an outage is told to the stream of changes when it begins and when it is over. */
  start(): void
  stop(): void
}

const lookEvery = seconds(15)

/** Silence makes no event: a look every 15 seconds notices it. */
export function watchProof({ db, changes, clock }: { db: Database; changes: Changes; clock: Clock }): Proof {
  let provenAt = lastProof(db)
  let failingSince: number | null = null
  /** What the newest heartbeat said of its station. */
  let beat: { at: number; failing_since: number | null } = { at: -Infinity, failing_since: null }
  let outage: Outage | null = null
  /** Null until the start. */
  let awake: { since: number; lookedAt: number } | null = null
  let cancel: Cancel = () => undefined

  const isOverdue = (): boolean => provenAt !== null && Math.abs(clock.now() - provenAt) > proofLasts
  const found = (awakeFor: number): Outage | null => {
    if (failingSince !== null) return { kind: 'publishing', since: failingSince }
    if (beat.failing_since !== null) return { kind: 'station', since: beat.failing_since }
    if (provenAt === null || !isOverdue()) return null
    // What came while nobody was awake to receive it may still be on its way; an outage is not over by that.
    return outage !== null || awakeFor >= firstProofWithin ? { kind: 'silence', since: provenAt } : null
  }
  const look = (): void => {
    if (awake === null) return
    const now = clock.now()
    // The machine slept, or its clock was set.
    if (now < awake.lookedAt || now - awake.lookedAt > 2 * lookEvery) awake.since = now
    awake.lookedAt = now
    const before = outage
    outage = found(now - awake.since)
    if (outage?.kind !== before?.kind || outage?.since !== before?.since) changes.tell({ outage: { now: outage } })
  }
  /** One that was held up says nothing of now; one from the future came before a clock was set back. */
  const isNews = ({ at }: typeof beat): boolean =>
    (at >= beat.at || beat.at > clock.now()) && clock.now() - at <= proofLasts
  /** It stays one outage while its beginning moves a little: stations find it at different moments. */
  const told = ({ at, failing_since }: typeof beat): typeof beat => ({
    at,
    failing_since: failing_since === null ? null : (beat.failing_since ?? Math.min(failing_since, clock.now())),
  })
  const unlisten = changes.listen(({ proven_at, publishing, heartbeat }) => {
    if (proven_at !== null) {
      const now = clock.now()
      // A proof is as old as it is, however late it came; one from the future was received before a clock was set back.
      provenAt = Math.max(provenAt === null || provenAt > now ? -Infinity : provenAt, Math.min(proven_at, now))
    }
    if (publishing !== null) failingSince = publishing.failing_since
    if (heartbeat !== null && isNews(heartbeat)) beat = told(heartbeat)
    if (proven_at !== null || publishing !== null || heartbeat !== null) look()
  })
  return {
    provenAt: () => provenAt,
    isOverdue,
    outage: () => outage,
    start() {
      const now = clock.now()
      awake = { since: now, lookedAt: now }
      look()
      cancel = clock.after(lookEvery, function again() {
        look()
        cancel = clock.after(lookEvery, again)
      })
    },
    stop() {
      unlisten()
      cancel()
    },
  }
}
