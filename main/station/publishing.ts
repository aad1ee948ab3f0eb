/** Whether what the station has to say gets through to the topic, and since when it does not. */
import { sendingFailsAfter } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { Sender } from '../outbox/index.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import { refusedEvents, type RefusedEvent, type StationStore } from '../store/station/index.ts'

const lookEvery = seconds(5)
/** Between two looks more than this is a clock that was set, or a machine that slept. */
const longestBetween = 3 * lookEvery

export interface Publishing {
  /** Since when events do not get through, UTC milliseconds; null while they do, and in the first minute. */
  failingSince(): number | null
  /** The same of the events of one school that were tried and wait: what its consoles are told. */
  failingSinceOf(schoolId: string): number | null
  /** Ends when nothing is under way. */
  stop(): Promise<void>
}

/** An event that the topic did not take. */
interface Refused {
  event: RefusedEvent
  /** For how long that is so while this station runs, milliseconds; null = it was so before, and not tried since. */
  lasted: number | null
}

/**
 * Watches what becomes of the outbox, whose `sender` is asked for once it is there. Publishing fails where nothing
 * gets through for a minute, and where one event is refused for so long, whatever becomes of the others: it may be
 * the crisis. `onChange` is told when that begins (since when, UTC milliseconds) and when it is over (null); the log
 * says what is refused and as what. A minute is what passes while this station runs: what failed before it, or a
 * clock that is set, neither alarms nor silences. Throws DatabaseGone.
 */
export async function watchPublishing(options: {
  store: StationStore
  sender(): Pick<Sender, 'failingSince'> | null
  clock: Clock
  logger: Logger
  onChange(failingSince: number | null): void
}): Promise<Publishing> {
  const { store, clock, logger, onChange } = options
  const refused = new Map<number, Refused>()
  for (const event of await store.asStation(refusedEvents)) refused.set(event.position, { event, lasted: null })
  /** Since when (by the sender's clock) and for how long nothing gets through. */
  let nothing: { since: number; lasted: number } | null = null
  let tickedAt = clock.now()
  let told = false
  let stopped = false
  /** What the log has named since publishing fails. */
  const named = new Set<string>()

  const sinceOf = (lasted: number): number | null => (lasted >= sendingFailsAfter ? tickedAt - lasted : null)
  const longestOf = (some: Iterable<Refused>): number => Math.max(0, ...Array.from(some, ({ lasted }) => lasted ?? 0))
  const failingSince = (): number | null => sinceOf(Math.max(nothing?.lasted ?? 0, longestOf(refused.values())))
  /** How long ago something began that began since the last look; 0 where a clock cannot tell. */
  const ageOf = (at: number): number => {
    const age = clock.now() - at
    return age >= 0 && age <= lookEvery ? age : 0
  }

  /** What time does by itself. */
  const age = (): void => {
    const [before, now] = [tickedAt, clock.now()]
    const passed = now - before > 0 && now - before <= longestBetween ? now - before : lookEvery
    tickedAt = now
    for (const each of refused.values()) if (each.lasted !== null) each.lasted += passed
    const since = options.sender()?.failingSince() ?? null
    if (since === null) nothing = null
    else if (since === nothing?.since) nothing.lasted += passed
    else nothing = { since, lasted: ageOf(since) }
  }
  /** What the outbox says. */
  const take = (events: readonly RefusedEvent[]): void => {
    const waiting = new Set(events.map(({ position }) => position))
    for (const position of refused.keys()) if (!waiting.has(position)) refused.delete(position)
    for (const event of events) {
      const known = refused.get(event.position)
      if (!known) refused.set(event.position, { event, lasted: ageOf(event.created_at) })
      else {
        if (known.lasted === null && event.attempts > known.event.attempts) known.lasted = 0
        known.event = event
      }
    }
  }
  const tell = (): void => {
    const since = failingSince()
    if (since === null) {
      if (told) logger.info({}, 'events get through again')
      named.clear()
    } else nameInLog(since)
    if ((since !== null) !== told) onChange(since)
    told = since !== null
  }
  /** Types, codes and how many; once, and again where another kind is refused. */
  const nameInLog = (since: number): void => {
    const kinds = new Map<string, { event_type: string; code: string; events: number }>()
    let oldest = Infinity
    for (const { event, lasted } of refused.values()) {
      if (lasted === null) continue
      const { event_type, code } = event
      const kind = kinds.get(`${event_type} ${code}`) ?? { event_type, code, events: 0 }
      kinds.set(`${event_type} ${code}`, { ...kind, events: kind.events + 1 })
      oldest = Math.min(oldest, event.created_at)
    }
    const isNews = !told || [...kinds.keys()].some((kind) => !named.has(kind))
    for (const kind of kinds.keys()) named.add(kind)
    if (!isNews) return
    logger.error(
      {
        since: new Date(since).toISOString(),
        refused: [...kinds.values()],
        ...(Number.isFinite(oldest) && { oldest: new Date(oldest).toISOString() }),
      },
      'events do not get through to the topic; they stay in the outbox',
    )
  }

  const look = async (): Promise<void> => {
    try {
      take(await store.asStation(refusedEvents))
    } catch {
      // The database is away: what was known of the outbox stands until it answers.
    }
    if (!stopped) tell()
  }
  let looking: Promise<void> | null = null
  const tick = (): void => {
    cancel = clock.after(lookEvery, tick)
    age()
    looking ??= look().finally(() => (looking = null))
  }
  let cancel = clock.after(lookEvery, tick)
  return {
    failingSince,
    failingSinceOf: (schoolId) =>
      // A record whose sender named no school may be anybody's.
      sinceOf(longestOf([...refused.values()].filter(({ event }) => ['', schoolId].includes(event.school_id)))),
    async stop() {
      stopped = true
      cancel()
      await looking
    },
  }
}
