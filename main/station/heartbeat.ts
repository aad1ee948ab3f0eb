import type { Ways } from '../../shared/escalation/index.ts'
import type { CoverageNow, WireEvent } from '../../shared/events.ts'
import { heartbeatEvery } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../platform/ports.ts'
import { enqueue, nextHeartbeat, type StationStore, type Unit } from '../store/station/index.ts'

/** Another station's heartbeat of the same minute is enough; timers are not exact. */
const closest = seconds(55)
/** However often a directory is saved, there are no more heartbeats out of turn. */
const closestOutOfTurn = seconds(10)

/**
 * Queues a heartbeat for every school, now and every minute: it proves that the whole way from here to
 * the screen works. Of several stations one does it. The answer stops it, and ends when nothing is under way.
 */
export function startHeartbeat(options: {
  store: StationStore
  /** The schools that are served now. */
  schools(): Promise<readonly string[]>
  stationId: string
  clock: Clock
  randomness: Randomness
  logger: Logger
  onQueued(): void
  /** Since when events of a school do not get through (UTC milliseconds): its consoles are told. Null = they do. */
  publishingFailingSince?(schoolId: string): number | null
  /** Whether the ladder is run here. */
  ladder: 'on' | 'off'
  /** The ways by which this station can tell anybody; absent or null = nothing here escalates. */
  ways?(): Ways
  /** Who would be told if a crisis arrived now; null = nothing here escalates. */
  coverage?(schoolId: string): Promise<CoverageNow | null>
  /** Since when the ladder does not keep its times, or drills do not pass (UTC milliseconds); null = all is well. */
  ladderFailingSince?(unit: Unit, schoolId: string): Promise<number | null>
  /** Told of each heartbeat that was queued. */
  onBeat?(): void
  /** Calls `beat` when what a school's heartbeat says of coverage has changed: nobody waits a minute to see it. */
  onChanged?(beat: (schoolId: string) => void): void
}): () => Promise<void> {
  const { store, stationId, clock, randomness, logger, onQueued, onBeat } = options

  /** What cannot be computed is not claimed: the heartbeat goes without it. */
  const coverageOf = async (school_id: string): Promise<CoverageNow | null> => {
    try {
      return (await options.coverage?.(school_id)) ?? null
    } catch (error) {
      logger.error({ error }, 'who would be told of a crisis could not be computed')
      return null
    }
  }
  const queue = async (school_id: string, apart: number): Promise<boolean> => {
    const coverage = await coverageOf(school_id)
    return store.asStation(async (unit) => {
      const now = clock.now()
      const number = await nextHeartbeat(unit, school_id, { now, apart })
      if (number === null) return false
      const id = `heartbeat:${randomness.uuid()}`
      const failingSince = options.publishingFailingSince?.(school_id) ?? null
      const ways = options.ways?.() ?? null
      const ladderFailing = (await options.ladderFailingSince?.(unit, school_id)) ?? null
      const event: WireEvent = {
        schema_version: 1,
        event_type: 'HEARTBEAT',
        idempotency_key: id,
        timestamp: new Date(now).toISOString(),
        school_id,
        source: stationId,
        station_id: stationId,
        number,
        ladder: options.ladder,
        ...(ways && { channels: [...ways] }),
        ...(coverage !== null && { coverage: wireCoverage(coverage) }),
        ...(ladderFailing !== null && { ladder_failing_since: new Date(ladderFailing).toISOString() }),
        ...(failingSince !== null && { publishing_failing_since: new Date(failingSince).toISOString() }),
      }
      const { event_type } = event
      await enqueue(unit, [
        { id, school_id, group: `heartbeat:${school_id}`, event_type, body: JSON.stringify(event), at: now },
      ])
      return true
    })
  }

  /** Schools for which there was a heartbeat out of turn since the last one: the next is not left out for it. */
  const outOfTurn = new Set<string>()
  const beatFor = async (schools: typeof options.schools, apart: number): Promise<void> => {
    try {
      for (const school of await schools()) if (await queue(school, outOfTurn.delete(school) ? 0 : apart)) onBeat?.()
      onQueued()
    } catch (error) {
      // A full disk, say. That nothing proves the alarm then is shown in the strip.
      logger.error({ error }, 'a heartbeat could not be queued')
    }
  }

  let stopped = false
  let underWay: Promise<void> = Promise.resolve()
  let cancel = (): void => undefined
  // A start proves at once that this station works, whoever beat before it.
  const beat = (apart = closest): void => {
    cancel = clock.after(heartbeatEvery, beat)
    underWay = underWay.then(() => (stopped ? undefined : beatFor(options.schools, apart)))
  }
  beat(0)
  const beatOutOfTurn = async (school: string): Promise<void> => {
    if (stopped) return
    await beatFor(() => Promise.resolve([school]), 0)
    outOfTurn.add(school)
  }
  /** By school, that there was one out of turn a moment ago; true: what has changed since is told when that is over. */
  const lately = new Map<string, { again: boolean; cancel(): void }>()
  const onChanged = (school: string): void => {
    const last = lately.get(school)
    if (last) {
      last.again = true
      return
    }
    underWay = underWay.then(() => beatOutOfTurn(school))
    const cancelRest = clock.after(closestOutOfTurn, () => {
      const { again = false } = lately.get(school) ?? {}
      lately.delete(school)
      if (again) onChanged(school)
    })
    lately.set(school, { again: false, cancel: cancelRest })
  }
  options.onChanged?.(onChanged)
  return () => {
    stopped = true
    cancel()
    for (const last of lately.values()) last.cancel()
    return underWay
  }
}

/** So many people of a rung are named, */
const mostNamed = 20
/** as long as the names of all rungs are no longer than this, in bytes as they are written: a message holds 256 KiB. */
const longestNames = 64 * 1024

function wireCoverage({ rungs, next_gap, ...coverage }: CoverageNow) {
  let room = longestNames
  const fits = (id: string): boolean => (room -= Buffer.byteLength(JSON.stringify(id)) + 1) >= 0
  const named = rungs.map((rung) => {
    const to = rung.to.slice(0, mostNamed).filter(fits)
    const more = rung.to.length - to.length + (rung.more ?? 0)
    return { ...rung, to, ...(more > 0 && { more }) }
  })
  return { ...coverage, rungs: named, ...(next_gap !== undefined && { next_gap: new Date(next_gap).toISOString() }) }
}
