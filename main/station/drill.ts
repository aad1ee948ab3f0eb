/**
 * Drills: every few minutes each school's alarm is tried the whole way, by a message that must be found to be a
 * crisis. It takes the way of a student's message through intake, engine, commit and outbox, in a session that is
 * marked from the start, and where a ladder is run through a timer of it; what goes to the consoles is a DRILL, which they
 * show in their strip and confirm.
 */
import { createHmac } from 'node:crypto'
import { consoleClosedSchema, drillSeenSchema } from '../../shared/drill.ts'
import { drillEvery, drillLasts } from '../../shared/thresholds.ts'
import { days, hours, minutes, seconds } from '../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../platform/ports.ts'
import {
  beginDrill,
  drillFired,
  drillsFailingSince,
  endDrill,
  haveAllClosed,
  keepConsoleClosed,
  keepDrillSeen,
  ladderDidNotFire,
  lastDrillSeen,
  removeOwnDrills,
  type StationStore,
} from '../store/station/index.ts'
import type { SchoolSecrets } from './school-secrets.ts'
import { nameOfError, type Pipeline } from './sessions/index.ts'

/** What is said in a drill. The engine must find a crisis in it by its words alone. */
const drillText = 'I am going to kill myself tonight.'
/** No chat's user id is hashed so: those lose the spaces around them. */
const drillStudent = ' drill'

/** A station that has just started tries the alarm as soon as it has settled. */
const firstAfter = seconds(10)
/** Another station's drill of the same interval is enough; timers are not exact. */
const closest = drillEvery - seconds(5)
/** A start tries the alarm again, unless another station has only just done so. */
const closestAtStart = seconds(30)
const lookEvery = minutes(1)
/** The ladder looks every second, and has work of others before it. */
const firesWithin = seconds(15)
const firedEvery = 250
/** How long it is known which console has seen which drill. */
const keptFor = days(7)

/** Why the alarm of a school counts as failing: its people are told at once. */
type DrillFailure =
  /** The station itself could not carry a drill through: no crisis was found, nothing could be kept, the ladder stood. */
  | 'drill failed'
  /** No console has confirmed a drill for three intervals, and one of those that did is gone without a word. */
  | 'not confirmed'

/** Why nobody confirms drills where nothing is broken: whom the ladder reaches elsewhere is told when an alert comes. */
type NobodyThere =
  /** Every console that confirmed drills has closed in good order. */
  | 'no console is open'
  /** None has ever confirmed one, as far back as that is known. */
  | 'no console has confirmed a drill'

/**
 * While it lasts people are told after 15 minutes, then after twice as long each time, and at least so often. A console
 * that somebody shut for the weekend may be all that is wrong: nobody is woken by it every few minutes.
 */
const longestUntold: Record<DrillFailure, number> = { 'drill failed': hours(1), 'not confirmed': hours(12) }

const isFailure = (why: DrillFailure | NobodyThere): why is DrillFailure =>
  why === 'drill failed' || why === 'not confirmed'

export interface DrillOptions {
  store: StationStore
  /** The schools that are served now. */
  schools(): Promise<readonly string[]>
  stationId: string
  pipeline: Pick<Pipeline, 'start' | 'receive'>
  secretsOf(schoolId: string): Promise<Pick<SchoolSecrets, 'salt'>>
  /** Whether a message of a console that was approved is not signed by it. */
  isForged(message: Record<string, unknown>): Promise<boolean>
  /** The ladder through which the pipeline sends drills; null = nothing escalates here. */
  ladder: { wake(): void } | null
  /**
   * Tells people of a school that its alarm may be failing. Called again, less and less often, while that lasts; of several
   * stations each does, and whoever tells them tells nobody twice in a few minutes.
   */
  alarmFails?: ((schoolId: string, why: DrillFailure) => Promise<void>) | undefined
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** Something may have been put into the outbox. */
  onQueued(): void
}

export interface Drills {
  /** Keeps what a console says of a drill of now; false where nobody is to believe it. */
  seen(message: Record<string, unknown>): Promise<boolean>
  /** Keeps that a console closes; false where nobody is to believe it. */
  closed(message: Record<string, unknown>): Promise<boolean>
  /** What is wrong at any school, as of the last look. */
  failing(): DrillFailure[]
  /** Why nobody confirms drills at any school where nothing is wrong, as of the last look. */
  unconfirmed(): NobodyThere[]
  /** Ends when nothing is under way. */
  stop(): Promise<void>
}

/**
 * Removes what drills left behind that this station had under way when it last ended. To be called before unfinished
 * messages are taken up again.
 */
export async function giveUpDrills(options: { store: StationStore; stationId: string; logger: Logger }): Promise<void> {
  const { store, stationId, logger } = options
  try {
    await store.asStation((unit) => removeOwnDrills(unit, stationId))
  } catch (error) {
    // They are removed with the next drill that ends.
    logger.error({ error: nameOfError(error) }, 'drills of before could not be removed')
  }
}

/** Drills every school that this station serves, soon and then every five minutes; of several stations one does it. */
export function startDrills(options: DrillOptions): Drills {
  const { store, stationId, pipeline, clock, randomness, logger, onQueued } = options
  let awakeSince = clock.now()
  let lookedAt = awakeSince
  const found = new Map<string, DrillFailure | NobodyThere>()
  /** How often people of a school were told of what was found, and when they are told again. */
  const tellings = new Map<string, { times: number; next: number }>()

  /** Sends the message its way; the answer says what came of it. */
  const alarm = async (school_id: string, session_id: string): Promise<string> => {
    const { salt } = await options.secretsOf(school_id)
    const student_hash = createHmac('sha256', salt).update(drillStudent, 'utf8').digest('hex')
    await pipeline.start({ school_id, student_hash, metadata: {}, drill: session_id })
    const { level } = await pipeline.receive({ school_id, session_id, role: 'student', content: drillText })
    return level === 'CRISIS' ? 'passed' : 'not a crisis'
  }
  /** What the ladder makes of a drill whose crisis was found; null = this station stops, and nobody knows. */
  const throughLadder = async (name: { school_id: string; number: number }): Promise<string | null> => {
    if (options.ladder === null) return 'passed'
    options.ladder.wake()
    for (let waited = 0; waited < firesWithin && !stopped; waited += firedEvery) {
      await pause(firedEvery)
      const fired = await store.asStation((unit) => drillFired(unit, name), { mayBeDoneAgain: true })
      if (fired !== null) return fired.would_tell > 0 ? 'passed' : 'nobody would be told'
    }
    return stopped ? null : ladderDidNotFire
  }
  /** Ends at once when this stops. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      endPause = () => (cancel(), resolve())
    })
  const drill = async (school_id: string, apart: number): Promise<void> => {
    const began_at = clock.now()
    const session_id = randomness.uuid()
    const begun = { school_id, station_id: stationId, began_at, session_id }
    const number = await store.asStation((unit) => beginDrill(unit, begun, apart))
    if (number === null) return
    let outcome: string | null
    try {
      outcome = await alarm(school_id, session_id)
      if (outcome === 'passed') outcome = await throughLadder({ school_id, number })
    } catch (error) {
      outcome = nameOfError(error)
    }
    // What is left of it is removed at the next start.
    if (outcome === null) return
    const ended = { school_id, number, outcome }
    if (outcome !== 'passed') logger.error({ outcome }, 'a drill failed: a crisis may not be found, or not get through')
    await store.asStation((unit) => endDrill(unit, ended, began_at - keptFor))
  }
  const drillAll = async (apart: number): Promise<void> => {
    for (const school of await schoolsNow()) {
      if (stopped) break
      try {
        await drill(school, apart)
      } catch (error) {
        // A full disk, say: that no drill comes is noticed by its age.
        logger.error({ error: nameOfError(error) }, 'a drill could not be run')
      }
    }
    onQueued()
  }

  const lookAt = async (school_id: string): Promise<void> => {
    const why = await store.asStation(async (unit): Promise<DrillFailure | NobodyThere | null> => {
      const now = clock.now()
      if ((await drillsFailingSince(unit, school_id)) !== null) return 'drill failed'
      const seen = await lastDrillSeen(unit, school_id, now)
      const expectedSince = Math.max(seen ?? 0, awakeSince)
      if (now - expectedSince <= drillLasts) return null
      if (seen === null) return 'no console has confirmed a drill'
      return (await haveAllClosed(unit, school_id, seen - drillLasts)) ? 'no console is open' : 'not confirmed'
    })
    if (why !== found.get(school_id)) tellings.delete(school_id)
    if (why === null) {
      if (found.delete(school_id)) logger.info({}, 'drills come back again')
      return
    }
    if (found.get(school_id) !== why) {
      if (isFailure(why)) logger.error({ why }, 'drills do not come back: alerts may not either')
      else logger.warn({ why }, 'nobody confirms drills: a crisis is told by the ladder alone')
    }
    found.set(school_id, why)
    if (isFailure(why)) await tell(school_id, why)
  }
  /** Where nobody can be told now, that is tried again at the next look. */
  const tell = async (school_id: string, why: DrillFailure): Promise<void> => {
    const { times, next } = tellings.get(school_id) ?? { times: 0, next: -Infinity }
    const now = clock.now()
    if (now < next) return
    await options.alarmFails?.(school_id, why)
    tellings.set(school_id, { times: times + 1, next: now + Math.min(drillLasts * 2 ** times, longestUntold[why]) })
  }
  const lookAll = async (): Promise<void> => {
    for (const school of await schoolsNow()) {
      if (stopped) break
      try {
        await lookAt(school)
      } catch (error) {
        logger.error({ error: nameOfError(error) }, 'it could not be looked which drills came back')
      }
    }
    onQueued()
  }
  const schoolsNow = async (): Promise<readonly string[]> => {
    try {
      return await options.schools()
    } catch (error) {
      logger.error({ error: nameOfError(error) }, 'the schools to drill could not be read')
      return []
    }
  }

  let stopped = false
  let endPause = (): void => undefined
  let underWay: Promise<void> = Promise.resolve()
  const queue = (work: () => Promise<void>): void => {
    underWay = underWay.then(() => (stopped ? undefined : work()))
  }
  let cancelDrill = clock.after(firstAfter, () => again(closestAtStart))
  const again = (apart: number): void => {
    cancelDrill = clock.after(drillEvery, () => again(closest))
    queue(() => drillAll(apart))
  }
  let cancelLook = clock.after(lookEvery, function look() {
    cancelLook = clock.after(lookEvery, look)
    const now = clock.now()
    // The machine slept, or its clock was set: what could not come meanwhile is not missing yet.
    if (now < lookedAt || now - lookedAt > 2 * lookEvery) awakeSince = now
    lookedAt = now
    queue(lookAll)
  })

  return {
    async seen(message) {
      const said = drillSeenSchema.safeParse(message).data
      if (!said || (await options.isForged(message))) return false
      const { school_id, number, console_id, cached_at, painted_at, by } = said
      const received_at = clock.now()
      const seen = { school_id, number, console_id, cached_at, painted_at, seen_by: by ?? null, received_at }
      if (![school_id, console_id, by ?? ''].every((name) => !name.includes('\0'))) return false
      await store.asStation((unit) => keepDrillSeen(unit, seen, received_at - drillLasts))
      return true
    },
    async closed(message) {
      const said = consoleClosedSchema.safeParse(message).data
      if (!said || (await options.isForged(message))) return false
      const { school_id, console_id, number } = said
      if (![school_id, console_id].every((name) => !name.includes('\0'))) return false
      const closed = { school_id, console_id, number, closed_at: clock.now() }
      await store.asStation((unit) => keepConsoleClosed(unit, closed))
      return true
    },
    failing: () => [...new Set(found.values())].filter(isFailure),
    unconfirmed: () => [...new Set(found.values())].filter((why) => !isFailure(why)),
    async stop() {
      stopped = true
      cancelDrill()
      cancelLook()
      endPause()
      await underWay
    },
  }
}
