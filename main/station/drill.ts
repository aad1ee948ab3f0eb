/**
 * Drills: every few minutes each school's alarm is tried the whole way, by a message that must be found to be a
 * crisis. It takes the way of a student's message through intake, engine, commit and outbox, in a session that is
 * marked from the start; what goes to the consoles is a DRILL, which they show in their strip and confirm.
 */
import { createHmac } from 'node:crypto'
import { consoleClosedSchema, drillSeenSchema } from '../../shared/drill.ts'
import { drillEvery, drillLasts } from '../../shared/thresholds.ts'
import { days, minutes, seconds } from '../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../platform/ports.ts'
import {
  beginDrill,
  drillsFailingSince,
  endDrill,
  endDrillAlarm,
  haveAllClosed,
  keepConsoleClosed,
  keepDrillSeen,
  lastDrillSeen,
  raiseDrillAlarm,
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
/** How long it is known which console has seen which drill. */
const keptFor = days(7)

/** Why the alarm of a school counts as failing: its people are told at once. */
type DrillFailure =
  /** The station itself could not carry a drill through: no crisis was found, or nothing could be kept. */
  | 'drill failed'
  /** No console has confirmed a drill for three intervals, and one of those that did is gone without a word. */
  | 'not confirmed'

/** Why nobody confirms drills where nothing is broken: whom the ladder reaches elsewhere is told when an alert comes. */
type NobodyThere =
  /** Every console that confirmed drills has closed in good order. */
  | 'no console is open'
  /** None has ever confirmed one, as far back as that is known. */
  | 'no console has confirmed a drill'

/** What one look found, and whether people are told of it by this station. */
interface Looked {
  why: DrillFailure | NobodyThere
  isOurs: boolean
}

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
  /** How many people the ladder would tell at once of a crisis at this school, telling none; null = nothing escalates. */
  wouldTell(schoolId: string): Promise<number | null>
  /** Tells people of a school, once for each time that it begins, that its alarm may be failing. */
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

  /** Sends the message its way; the answer says what came of it. */
  const alarm = async (school_id: string, session_id: string): Promise<string> => {
    const { salt } = await options.secretsOf(school_id)
    const student_hash = createHmac('sha256', salt).update(drillStudent, 'utf8').digest('hex')
    await pipeline.start({ school_id, student_hash, metadata: {}, drill: session_id })
    const { level } = await pipeline.receive({ school_id, session_id, role: 'student', content: drillText })
    return level === 'CRISIS' ? 'passed' : 'not a crisis'
  }
  const drill = async (school_id: string, apart: number): Promise<void> => {
    const began_at = clock.now()
    const session_id = randomness.uuid()
    const begun = { school_id, station_id: stationId, began_at, session_id }
    const number = await store.asStation((unit) => beginDrill(unit, begun, apart))
    if (number === null) return
    let outcome: string
    let would_tell: number | null = null
    try {
      outcome = await alarm(school_id, session_id)
      would_tell = await options.wouldTell(school_id)
      // Null = nothing here tells anybody, and nobody expects it to.
      if (outcome === 'passed' && would_tell === 0) outcome = 'nobody would be told'
    } catch (error) {
      outcome = nameOfError(error)
    }
    if (outcome !== 'passed') logger.error({ outcome }, 'a drill failed: a crisis may not be found, or not get through')
    await store.asStation((unit) => endDrill(unit, { school_id, number, outcome, would_tell }, began_at - keptFor))
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
    const looked = await store.asStation(async (unit): Promise<Looked | null> => {
      const now = clock.now()
      const broken = await drillsFailingSince(unit, school_id)
      const seen = await lastDrillSeen(unit, school_id)
      const expectedSince = Math.max(seen === null || seen > now ? -Infinity : seen, awakeSince)
      const why =
        broken !== null
          ? 'drill failed'
          : now - expectedSince <= drillLasts
            ? null
            : seen === null
              ? 'no console has confirmed a drill'
              : (await haveAllClosed(unit, school_id, seen - drillLasts))
                ? 'no console is open'
                : 'not confirmed'
      if (why === null || !isFailure(why)) {
        await endDrillAlarm(unit, school_id)
        return why && { why, isOurs: false }
      }
      const since = broken ?? seen ?? awakeSince
      // Of several stations the one that was first tells people.
      return { why, isOurs: await raiseDrillAlarm(unit, { school_id, since, told_at: now }) }
    })
    if (looked === null) {
      if (found.delete(school_id)) logger.info({}, 'drills come back again')
      return
    }
    const { why, isOurs } = looked
    if (found.get(school_id) !== why) {
      if (isFailure(why)) logger.error({ why }, 'drills do not come back: alerts may not either')
      else logger.warn({ why }, 'nobody confirms drills: a crisis is told by the ladder alone')
    }
    found.set(school_id, why)
    if (isOurs && isFailure(why)) await tell(school_id, why)
  }
  /** Where nobody can be told now, that is tried again at the next look. */
  const tell = async (school_id: string, why: DrillFailure): Promise<void> => {
    try {
      await options.alarmFails?.(school_id, why)
    } catch (error) {
      await store.asStation((unit) => endDrillAlarm(unit, school_id))
      throw error
    }
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
      await underWay
    },
  }
}
