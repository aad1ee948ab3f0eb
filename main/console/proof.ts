/** Whether alerts from the chat get through to this console: what proves it, and since when it is disproved. */
import { saidOfLadder } from '../../shared/events.ts'
import type { Channel } from '../../shared/on-call.ts'
import { drillLasts, firstDrillWithin, firstProofWithin, proofLasts } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Outage } from '../../shared/views.ts'
import type { Cancel, Clock } from '../platform/ports.ts'
import { lastHeartbeats, lastProof, newestProofs, type Database } from '../store/console/index.ts'
import type { Changes, HeardBeat } from './changes.ts'
import { followHeartbeats, type Gap, type HeartbeatGaps } from './heartbeat-gaps.ts'

export interface Proof {
  /** When the newest heartbeat or drill was made that came the whole way, UTC milliseconds; null = none ever. */
  provenAt(): number | null
  /** Heartbeats came before, and none has for over 3 minutes. */
  isOverdue(): boolean
  /** Which heartbeats of this school never came. */
  gaps(schoolId: string): Gap[]
  /** The newest heartbeat of this school whose number is not believed, as `HeartbeatGaps` tells it. */
  unlikely(schoolId: string): ReturnType<HeartbeatGaps['unlikely']>
  /** In how many places heartbeats that came since then are missing a few, as `HeartbeatGaps` counts them. */
  scattered: HeartbeatGaps['scattered']
  /** What the newest heartbeat says, where it is not too old to say anything of now; null = none does. */
  heard(): HeardBeat | null
  /** Whether the station of the newest heartbeat runs the ladder, however old that is; null = it did not say, or none ever came. */
  saidOfLadder(): 'on' | 'off' | null
  /** The ways by which that station can tell anybody; null = it did not say. */
  channels(): Channel[] | null
  /** What people were told of and is not over yet. */
  outage(): Outage | null
  /** From now on an outage is told to the stream of changes when it begins and when it is over. */
  start(): void
  stop(): void
}

const lookEvery = seconds(15)
/** So many heartbeats of before this start are looked at: two days of one school. */
const lookedBack = 3000

/** Silence makes no event: a look every 15 seconds notices it. */
export function watchProof({ db, changes, clock }: { db: Database; changes: Changes; clock: Clock }): Proof {
  let provenAt = lastProof(db)
  let failingSince: number | null = null
  const before = newestProofs(db)
  /** When the newest drill began that came the whole way. */
  let drilledAt = before.drill?.at ?? null
  /** What the newest heartbeat said of its station. */
  let beat = saidBefore(before.heartbeat)
  const numbers = followHeartbeats()
  lastHeartbeats(db, lookedBack).forEach((each) => numbers.heard(each))
  /** When the station in this process said last that it can publish again, UTC milliseconds. */
  let recoveredAt = -Infinity
  let outage: Outage | null = null
  /** Null until the start. */
  let awake: { since: number; lookedAt: number } | null = null
  let cancel: Cancel = () => undefined

  const isOverdue = (): boolean => provenAt !== null && Math.abs(clock.now() - provenAt) > proofLasts
  const found = (awakeFor: number): Outage | null => {
    if (failingSince !== null) return { kind: 'publishing', since: failingSince }
    if (beat.failing_since !== null) return { kind: 'station', since: beat.failing_since }
    // What came while nobody was awake to receive it may still be on its way; an outage is not over by that.
    if (provenAt !== null && isOverdue() && (outage !== null || awakeFor >= firstProofWithin))
      return { kind: 'silence', since: provenAt }
    if (beat.ladder_failing_since !== null) return { kind: 'ladder', since: beat.ladder_failing_since }
    if (drilledAt === null || Math.abs(clock.now() - drilledAt) <= drillLasts) return null
    return outage?.kind === 'drill' || awakeFor >= firstDrillWithin ? { kind: 'drill', since: drilledAt } : null
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
  const sinceOf = (said: number | null, before: number | null): number | null =>
    said === null ? null : (before ?? Math.min(said, clock.now()))
  const told = (heard: HeardBeat): HeardBeat => ({
    ...heard,
    // The station in this process has said meanwhile that it is over.
    failing_since: heard.at <= recoveredAt ? null : sinceOf(heard.failing_since, beat.failing_since),
    ladder_failing_since: sinceOf(heard.ladder_failing_since, beat.ladder_failing_since),
  })
  /** A proof is as old as it is, however late it came; one from the future was received before a clock was set back. */
  const newer = (known: number | null, at: number): number => {
    const now = clock.now()
    return Math.max(known === null || known > now ? -Infinity : known, Math.min(at, now))
  }
  const unlisten = changes.listen(({ proven_at, publishing, heartbeat, beats, drill, woke }) => {
    if (proven_at !== null) provenAt = newer(provenAt, proven_at)
    if (drill !== null) drilledAt = newer(drilledAt, drill.at)
    if (publishing !== null) {
      if (publishing.failing_since === null) recoveredAt = clock.now()
      failingSince = publishing.failing_since
    }
    if (heartbeat !== null && isNews(heartbeat)) beat = told(heartbeat)
    beats.forEach((each) => numbers.heard(each))
    if (proven_at !== null || publishing !== null || heartbeat !== null || woke) look()
  })
  return {
    provenAt: () => provenAt,
    isOverdue,
    scattered: numbers.scattered,
    gaps: (schoolId) => numbers.named(schoolId, clock.now()),
    unlikely: (schoolId) => numbers.unlikely(schoolId, clock.now()),
    heard: () => (Math.abs(clock.now() - beat.at) <= proofLasts ? beat : null),
    saidOfLadder: () => beat.ladder,
    channels: () => beat.channels,
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

/** What the event log has of a heartbeat of before this start: whom it names, and nothing of what failed then. */
function saidBefore(heartbeat: ReturnType<typeof newestProofs>['heartbeat']): HeardBeat {
  const { event, at } = heartbeat ?? { event: null, at: -Infinity }
  const said = event?.event_type === 'HEARTBEAT' ? event : null
  return {
    at,
    failing_since: null,
    ladder_failing_since: null,
    ladder: said && saidOfLadder(said),
    channels: said?.channels ?? null,
    coverage: said?.coverage ?? null,
  }
}
