/** Works the timers: looks every second at what is due, and never further ahead than that. */
import { compareText } from '../../../shared/alerts.ts'
import type { Policy } from '../../../shared/policy.ts'
import type { Rung } from '../../../shared/on-call.ts'
import { ladderOf, whoIsTold } from '../../../shared/escalation/index.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import {
  alarmWasTold,
  deleteStrayTimers,
  dueTellings,
  dueTimers,
  insertTelling,
  releaseTellings,
  setTimersBack,
  type StationStore,
  type Timer,
  type Unit,
} from '../../store/station/index.ts'
import type { Channels, OutsideChannel } from '../channels/index.ts'
import type { StationClock } from '../station-clock.ts'
import { createAudit, setMissingTimers } from './audit.ts'
import type { AlertBook } from './book.ts'
import { giveUpSilent } from './desktop.ts'
import { reopenOverdue } from './due.ts'
import { fire, onTimeWithin } from './fire.ts'
import { fireDrill } from './fire-drill.ts'
import { inSchool } from './in-school.ts'
import { send } from './send.ts'

const lookEvery = seconds(1)
const auditEvery = minutes(1)
/** Timers of one look, and messages on their way at once. */
const atOnce = 100
/** A message that could not be taken in hand is tried again after so long. */
const restsFor = seconds(5)
/** Between two looks more than this was no work of this station: the machine slept, or its clock was set. */
const longestBetween = seconds(10)
/** A clock that has gone back by more than this was set. */
const setBackBy = seconds(2)

export interface RunnerOptions {
  store: StationStore
  stationId: string
  book: AlertBook
  channels: Channels
  /** The policy of a school as it stands; '' = of this station's own school. */
  policyOf(schoolId: string): Promise<Policy>
  /** Gives a record its place and relays it, with what follows from it, in the unit of work. */
  relay(unit: Unit, school_id: string, event: Record<string, unknown>, now: number): Promise<void>
  /** Address of a console, which names nobody; null = there is none to give. */
  link: string | null
  /** One for all stations that share the database. */
  clock: StationClock
  randomness: Randomness
  logger: Logger
  onQueued(): void
}

export interface Runner {
  /** Something may be due now. */
  wake(): void
  /** Since when the ladder of a school does not keep its times (UTC milliseconds); null = it does. */
  failingSince(schoolId: string): number | null
  /**
   * Tells people of a school that its alarm does not work: those of the last rung of its ladder who can be reached, else
   * those of the one before it. Each once in the time after which that rung comes again, whatever fails and whichever
   * station says so. Throws where nobody can be reached.
   */
  alarmFails(schoolId: string): Promise<void>
  /** Resolves when nothing that is due is left to do, and no message is on its way. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Starts at once with whatever is due. */
export function startRunner(options: RunnerOptions): Runner {
  const { store, stationId, book, channels, policyOf, clock, randomness, logger, onQueued } = options
  const again = { mayBeDoneAgain: true }
  const audit = createAudit({ store, clock, logger })
  const sending = new Map<string, Promise<void>>()
  /** Messages that could not be taken in hand, and when: others go before them for a while. */
  const resting = new Map<string, number>()
  let stopped = false
  /** Null = not yet: what is late by then was not for this process to do. */
  let lookedAt: number | null = null
  /** When the last look was done, and since when this process has run without a break: it may have slept. */
  let doneAt = clock.now()
  let [awakeSince, beatAt] = [doneAt, doneAt]
  let released = false

  /** A policy is read once a look, and not at all where nothing is due. */
  const policies = (): ((schoolId: string) => Promise<Policy>) => {
    const read = new Map<string, Promise<Policy>>()
    return (schoolId) => {
      const known = read.get(schoolId) ?? policyOf(schoolId)
      read.set(schoolId, known)
      return known
    }
  }

  const startSending = (name: { school_id: string; telling_id: string }): void => {
    const { school_id, telling_id } = name
    if (stopped || sending.has(telling_id)) return
    const under = send(options, { school_id, telling_id })
      .catch((error: unknown) => {
        audit.failed(school_id)
        resting.set(telling_id, clock.now())
        logger.error({ error: nameOf(error) }, 'what became of telling somebody could not be kept; it is sent again')
      })
      .finally(() => sending.delete(telling_id))
    sending.set(telling_id, under)
  }

  const work = async (timer: Timer, read: (schoolId: string) => Promise<Policy>, ran: boolean): Promise<void> => {
    const { school_id } = timer
    if (timer.kind === 'due') {
      const reopen = (unit: Unit) =>
        reopenOverdue(unit, timer, { book, randomness, stationId, relay: options.relay }, clock.now())
      await book.openFor([school_id])
      await inSchool(store, school_id, reopen)
      return
    }
    const policy = await read(school_id)
    const now = clock.now()
    const available: readonly OutsideChannel[] = channels.available()
    const firing = { policy, randomness, available, now, shared: store.shared }
    if (timer.kind === 'drill') {
      await inSchool(store, school_id, (unit) => fireDrill(unit, timer, firing))
      return
    }
    const fired = await inSchool(store, school_id, (unit) => fire(unit, timer, firing))
    if (fired === null) return
    for (const telling_id of fired.tellings) startSending({ school_id, telling_id })
    if (fired.toldNobody) logger.error({ rung: fired.rung }, 'nobody could be told of an alert')
    if (ran && fired.late_by > onTimeWithin) audit.rungWasLate(school_id, fired.late_by)
  }

  /**
   * A clock that is set back makes nobody wait; how long anything still had is what counts. Answers whether this station
   * ran since the last look.
   */
  const noticeSetClock = async (): Promise<boolean> => {
    await clock.compare()
    const before = lookedAt
    // Set since then it is compared again: only where that shows the same was it the time that all stations go by.
    if (before !== null && clock.now() < before - setBackBy) await clock.compare()
    const now = clock.now()
    lookedAt = now
    if (before === null) return false
    if (now < before - setBackBy) {
      const change = { by: before - now, now, shared: store.shared }
      const isFirst = await store.asStation((unit) => setTimersBack(unit, change))
      if (isFirst)
        logger.warn(
          { seconds: Math.round(change.by / 1000) },
          'the clock was set back; what is due comes when it would have',
        )
    }
    return now - before >= 0 && now - before <= longestBetween
  }

  const workDue = async (): Promise<void> => {
    const ran = await noticeSetClock()
    if (!released) {
      // Before this station ended it may have had some in hand: nobody has them now.
      await store.asStation(async (unit) => {
        await releaseTellings(unit, stationId)
        // Alerts of a time in which no ladder was run have no timers, or those of before: that is nobody's failure.
        await setMissingTimers(unit, clock.now())
        await deleteStrayTimers(unit)
      })
      released = true
    }
    const read = policies()
    const tried = new Set<string>()
    // What cannot be worked stays due, and keeps nothing that is due after it from being worked.
    let after: Timer | null = null
    let any = false
    for (;;) {
      const from: Timer | null = after
      const due: Timer[] = await store.asStation(
        (unit) => dueTimers(unit, { now: clock.now(), shared: store.shared }, atOnce, from),
        again,
      )
      if (stopped) break
      const fresh = due.filter((timer) => !tried.has(named(timer)))
      for (const timer of fresh) {
        tried.add(named(timer))
        try {
          await work(timer, read, ran)
        } catch (error) {
          audit.failed(timer.school_id)
          logger.error({ error: nameOf(error) }, 'a timer of an alert could not be worked; it is tried again')
        }
      }
      any ||= fresh.length > 0
      if (fresh.length > 0) onQueued()
      after = due.at(-1) ?? null
      if (due.length === atOnce) continue
      // What was worked may have made something due before the end was reached.
      if (!any) break
      any = false
      after = null
    }
  }
  const look = async (): Promise<void> => {
    // None of them keeps another from being done.
    const steps = [
      workDue,
      async () => {
        if ((await giveUpSilent({ store, clock })) > 0) onQueued()
      },
      sendDue,
    ]
    let failed = false
    for (const step of steps)
      try {
        await step()
      } catch (error) {
        failed = true
        audit.failed('')
        logger.error({ error: nameOf(error) }, 'the ladder could not be worked; it is tried again')
      }
    if (!failed) doneAt = clock.now()
  }

  /** Starts at most so many messages a look; those that could not be taken in hand just now let the others go first. */
  const sendDue = async (): Promise<void> => {
    const now = clock.now()
    for (const [telling_id, at] of resting) if (Math.abs(now - at) >= restsFor) resting.delete(telling_id)
    let after: DueTelling | null = null
    let started = 0
    for (;;) {
      const from: DueTelling | null = after
      const due: DueTelling[] = await store.asStation((unit) => dueTellings(unit, now, atOnce, from), again)
      const fresh = due.filter(({ telling_id }) => !resting.has(telling_id) && !sending.has(telling_id))
      fresh.slice(0, atOnce - started).forEach(startSending)
      started += fresh.length
      after = due.at(-1) ?? null
      if (due.length < atOnce || started >= atOnce || stopped) return
    }
  }

  const tellThatAlarmFails = async (school_id: string): Promise<void> => {
    const policy = await policyOf(school_id)
    const now = clock.now()
    const { rungs, repeat_minutes } = ladderOf(policy, 'crisis')
    const common = { school_id, kind: 'alarm failing' as const, late_ms: 0, due_at: now, created_at: now }
    const waysOf = (rung: Rung): { person: string; channel: OutsideChannel }[] =>
      whoIsTold(policy, rung, now, { assigned: null }).people.flatMap(({ id: person, channels: ways }) =>
        ways.flatMap((channel) =>
          channel !== 'desktop' && channels.available().includes(channel) ? [{ person, channel }] : [],
        ),
      )
    const reached = rungs.map(waysOf).findLast((ways) => ways.length > 0)
    if (!reached) {
      logger.error({}, 'the alarm fails, and nobody of the ladder can be reached away from a console')
      throw new NobodyReached('nobody can be reached')
    }
    const named = reached.map((way) => ({ ...common, ...way, telling_id: randomness.uuid() }))
    // One after the other in the same order, so that of two stations neither waits for the other.
    named.sort((a, b) => compareText(`${a.person} ${a.channel}`, `${b.person} ${b.channel}`))
    const within = minutes(repeat_minutes)
    const tellings = await inSchool(store, school_id, async (unit) => {
      const fresh: typeof named = []
      for (const telling of named) {
        if (await alarmWasTold(unit, telling, { now, within })) continue
        await insertTelling(unit, telling)
        fresh.push(telling)
      }
      return fresh
    })
    tellings.forEach(startSending)
  }
  const alarmFails = async (school_id: string): Promise<void> => {
    try {
      await tellThatAlarmFails(school_id)
    } catch (error) {
      // Who asks has found a failure of which the consoles at least must hear. What the audit itself finds they hear of.
      if (error instanceof NobodyReached) audit.failed(school_id)
      throw error
    }
  }

  let underWay: Promise<void> | null = null
  let wanted = false
  const begin = (): void => {
    if (underWay !== null) {
      wanted = true
      return
    }
    wanted = false
    underWay = look().finally(() => {
      underWay = null
      if (wanted && !stopped) begin()
    })
  }
  let cancel = (): void => undefined
  const tick = (): void => {
    cancel = clock.after(lookEvery, tick)
    beat()
    begin()
  }
  /** Notices that this process did not run for a while, for which no look can be blamed. */
  const beat = (): void => {
    const now = clock.now()
    if (now < beatAt || now - beatAt > longestBetween) awakeSince = now
    beatAt = now
  }
  /** Since when no look has come to its end; null = the last one did a moment ago. */
  const stuckSince = (): number | null => {
    const since = Math.min(Math.max(doneAt, awakeSince), clock.now())
    return clock.now() - since > longestBetween ? since : null
  }
  tick()

  // On a timer of its own: what it looks over may hang.
  let auditing: Promise<void> | null = null
  const walk = async (): Promise<void> => {
    await (underWay === null ? null : Promise.race([underWay, after(clock, longestBetween)]))
    beat()
    await audit.walk()
    for (const school of audit.failing())
      try {
        await tellThatAlarmFails(school)
      } catch (error) {
        logger.error({ error: nameOf(error) }, 'nobody could be told that the ladder fails; it is tried again')
      }
  }
  let cancelAudit = clock.after(auditEvery, function again() {
    cancelAudit = clock.after(auditEvery, again)
    auditing ??= walk().finally(() => (auditing = null))
  })

  const idle = async (): Promise<void> => {
    while (underWay !== null || auditing !== null || sending.size > 0)
      await Promise.all([underWay, auditing, ...sending.values()])
  }
  return {
    wake: () => void (stopped || begin()),
    failingSince(schoolId) {
      const since = [audit.failingSince(schoolId), stuckSince()].filter((at) => at !== null)
      return since.length > 0 ? Math.min(...since) : null
    },
    alarmFails,
    idle,
    async stop() {
      stopped = true
      cancel()
      cancelAudit()
      await Promise.all([underWay, auditing])
      // What is not known by then is sent again by whoever starts next, under the same name.
      await Promise.all(sending.values())
    },
  }
}

class NobodyReached extends Error {}

const after = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve))

const named = ({ school_id, alert_key, kind, due_at, rung }: Timer): string =>
  JSON.stringify([school_id, alert_key, kind, due_at, rung])

type DueTelling = Awaited<ReturnType<typeof dueTellings>>[number]

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
