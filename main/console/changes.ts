/** The one stream of changes: what each commit altered, told to everybody who watches. */
import type { AlertViewed } from '../../shared/events.ts'
import type { SignalName } from '../../shared/risk.ts'
import type { Channel } from '../../shared/on-call.ts'
import type { CoverageNow } from '../../shared/events.ts'
import type { Outage } from '../../shared/views.ts'
import type { Beat } from './heartbeat-gaps.ts'
import type { Logger } from '../platform/ports.ts'
import type { Database, Touched } from '../store/console/index.ts'

/**
 * What one commit altered, in keys: whoever listens reads the rows with rights of their own. `alerts`
 * says of each alert whether it was opened, re-opened or became worse.
 */
export interface Change extends Touched {
  /** Alerts with an acknowledgement that the queue took, or refused once more. */
  sent: string[]
  /** Something new waits in the outbox. */
  queued: boolean
  /** Published ids of events from the event queue: their sender need not publish them again. */
  confirmed: string[]
  /** Bodies that could not be read, or another school's; how many of them name a crisis. */
  quarantined: { entries: number; crises: number }
  /** When the newest proof that the alarm works was made, UTC milliseconds; null = none came. */
  proven_at: number | null
  /** Signals missing from the newest decision about a student's message; null = no decision came. */
  degraded: SignalName[] | null
  /** Since when the station in this process can publish nothing (UTC milliseconds), null in it = it can again; null = nothing new. */
  publishing: { failing_since: number | null } | null
  /** What the newest heartbeat says; null = none came. */
  heartbeat: HeardBeat | null
  /** The numbers of the heartbeats that came. */
  beats: Beat[]
  /** The newest drill that came; null = none did. One that says it began long after it came is not believed. */
  drill: HeardDrill | null
  /** Alerts from the chat no longer get through, or, with null in it, do so again; null = nothing new. */
  outage: { now: Outage | null } | null
  /** Who said that they look at an alert, or no longer do: told once, and kept nowhere. */
  viewed: AlertViewed[]
  /** A school's content key came, sealed; it is not opened yet. */
  key_sealed: boolean
  /** A school's directory and calendar came as they are now; they stay sealed. */
  policy: boolean
  /** What the station is told of who looks after whom went there, or did not: what waits has changed, or why. */
  assignments: boolean
  /** Ids of people who have something to read of what became of what they did here. */
  reported: string[]
  /** What a desk says of its school was changed: accounts, roles, crisis numbers. The audit has by whom. */
  school_changed: boolean
  /** The machine slept, or its clock was set: whatever waits for a time looks now. */
  woke: boolean
  /** A change that concerns every student, as a new roster does. */
  every_student: boolean
}

/** What a heartbeat says of its station. Times are UTC milliseconds. */
export interface HeardBeat {
  /** When it was made, and no later than now. */
  at: number
  /** Since when other events do not get through; null = they do. */
  failing_since: number | null
  /** Since when the ladder does not keep its times, or drills do not pass; null = all is well. */
  ladder_failing_since: number | null
  /** Whether its station runs the ladder; null = it does not say. */
  ladder: 'on' | 'off' | null
  /** The ways by which its station can tell anybody; null = it does not say. */
  channels: Channel[] | null
  /** Who would be told if a crisis arrived now; null = it does not say. */
  coverage: CoverageNow | null
}

/** A drill that came the whole way from the intake. Times are UTC milliseconds. */
export interface HeardDrill {
  school_id: string
  /** Null where its producer does not count them: then nobody asks who has seen it. */
  number: number | null
  /** When its message arrived at the intake, by the station's clock. */
  began_at: number
  /** The same, and no later than when it came here: which of two is the newer is told by this. */
  at: number
}

export interface Changes {
  /**
   * Runs `work` in one transaction and, once that is committed, tells every listener what it altered.
   * Throws what `work` throws; then nothing is kept and nobody is told. Inside another commit it is a
   * part of that one.
   */
  commit<T>(work: (altered: Altered) => T): T
  /** Tells what was committed elsewhere: by the outbox's sender, say. Inside a commit it is a part of that one. */
  tell(change: Partial<Change>): void
  /** Calls `listener` after each commit, in the order of commits; the answer ends it. */
  listen(listener: (change: Change) => void): () => void
}

/** Where a commit writes down what it alters. */
export interface Altered {
  add(part: Partial<Change>): void
}

export function createChanges(db: Database, logger: Logger): Changes {
  const listeners = new Set<(change: Change) => void>()
  const waiting: Change[] = []
  let telling = false
  let open: Change | null = null

  const tellOne = (listener: (change: Change) => void, change: Change): void => {
    try {
      listener(change)
    } catch (error) {
      // One who cannot hear must not keep the others from hearing of a crisis.
      logger.error({ error }, 'a listener failed on a change')
    }
  }

  /** A listener may commit by itself: its change is told when everybody has heard this one. */
  const tellAll = (change: Change): void => {
    waiting.push(change)
    if (telling) return
    telling = true
    try {
      for (let next = waiting.shift(); next; next = waiting.shift())
        for (const listener of [...listeners]) tellOne(listener, next)
    } finally {
      // Where not even the log takes an error, the next change is told all the same.
      telling = false
    }
  }

  return {
    commit(work) {
      if (open) return work(builder(open))
      const change = nothing()
      open = change
      let answer
      try {
        answer = db.transaction(() => work(builder(change))).immediate()
      } finally {
        open = null
      }
      tellAll(change)
      return answer
    },
    tell(part) {
      if (open) builder(open).add(part)
      else tellAll({ ...nothing(), ...part })
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function nothing(): Change {
  return {
    alerts: [],
    gone: [],
    notified: [],
    called: [],
    sessions: [],
    students: [],
    sent: [],
    queued: false,
    confirmed: [],
    quarantined: { entries: 0, crises: 0 },
    proven_at: null,
    degraded: null,
    publishing: null,
    heartbeat: null,
    beats: [],
    drill: null,
    outage: null,
    viewed: [],
    key_sealed: false,
    policy: false,
    assignments: false,
    reported: [],
    school_changed: false,
    woke: false,
    every_student: false,
  }
}

function builder(change: Change): Altered {
  return {
    add(part) {
      change.alerts.push(...(part.alerts ?? []))
      change.gone.push(...(part.gone ?? []))
      change.notified.push(...(part.notified ?? []))
      change.called.push(...(part.called ?? []))
      change.sessions.push(...(part.sessions ?? []))
      change.students.push(...(part.students ?? []))
      change.sent.push(...(part.sent ?? []))
      change.reported.push(...(part.reported ?? []))
      change.viewed.push(...(part.viewed ?? []))
      change.confirmed.push(...(part.confirmed ?? []))
      change.quarantined.entries += part.quarantined?.entries ?? 0
      change.quarantined.crises += part.quarantined?.crises ?? 0
      change.queued ||= part.queued ?? false
      change.key_sealed ||= part.key_sealed ?? false
      change.policy ||= part.policy ?? false
      change.assignments ||= part.assignments ?? false
      change.school_changed ||= part.school_changed ?? false
      change.woke ||= part.woke ?? false
      change.every_student ||= part.every_student ?? false
      if (part.proven_at != null) change.proven_at = Math.max(change.proven_at ?? -Infinity, part.proven_at)
      if (part.degraded != null) change.degraded = part.degraded
      if (part.publishing != null) change.publishing = part.publishing
      if (part.heartbeat != null && part.heartbeat.at >= (change.heartbeat?.at ?? -Infinity))
        change.heartbeat = part.heartbeat
      change.beats.push(...(part.beats ?? []))
      if (part.drill != null && part.drill.at >= (change.drill?.at ?? -Infinity)) change.drill = part.drill
      if (part.outage != null) change.outage = part.outage
    },
  }
}

/** The alerts of a change that are news to a person. */
export function newsOf(change: Pick<Change, 'alerts'>): string[] {
  return change.alerts.filter(({ opened, reopened, worse }) => opened || reopened || worse).map(({ key }) => key)
}
