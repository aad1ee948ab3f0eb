/** The strip that is always visible: what it remembers between commits, and what it reads from the rows. */
import type { CoverageNow } from '../../shared/events.ts'
import type { PersonalError } from '../../shared/errors.ts'
import type { SignalName } from '../../shared/risk.ts'
import { heartbeatEvery } from '../../shared/thresholds.ts'
import { seconds } from '../../shared/time.ts'
import type { ConsoleEnrolment, DeadLetters, StripView } from '../../shared/views.ts'
import type { Cancel, Clock } from '../platform/ports.ts'
import {
  countQuarantined,
  countWaiting,
  lastReceived,
  newestPolicyHeard,
  openCounts,
  somebodyActed,
  type Database,
} from '../store/console/index.ts'
import type { Changes } from './changes.ts'
import type { ConnectionState } from './event-queue/index.ts'
import type { DrillWatch } from './drills.ts'
import type { Proof } from './proof.ts'
import { coverageView, type Listed } from './who-would-be-told.ts'

/** Ages in the strip (an overdue heartbeat) change without any event. */
const lookEvery = seconds(15)

/** One that announced itself a moment ago may be approved in the same breath. */
const notApprovedAfter = seconds(30)

export interface Strip {
  now(): StripView
  /** Calls `listener` whenever the strip may look different; the answer ends it. */
  listen(listener: () => void): () => void
  /** The connection to the event queue is another than it was. */
  connectionChanged(): void
  /** A commit failed (the disk is full, say), or, with null, they succeed again. */
  commitFailed(problem: PersonalError | null): void
  stop(): void
}

export interface StripOptions {
  db: Database
  changes: Changes
  clock: Clock
  /** The console's school; empty until one is known. */
  schoolId(): string
  connection(): ConnectionState
  /** Listens before the strip does. */
  proof: Pick<Proof, 'provenAt' | 'isOverdue' | 'outage' | 'gaps' | 'unlikely' | 'heard' | 'saidOfLadder' | 'channels'>
  drills: Pick<DrillWatch, 'newest'>
  /** The people of the console's school. */
  people(): readonly Listed[]
  /** Something else takes messages from this console's queue. */
  sharing(): StripView['sharing']
  deadLetters(): DeadLetters | null
  /** Whether this console is known to its school. */
  enrolment(): Pick<ConsoleEnrolment, 'state' | 'since'>
  /** Whether anybody is called when nobody takes an alert. */
  ladder(): StripView['ladder']
  demo: boolean
}

interface Remembered {
  lastEventAt: number | null
  degraded: SignalName[]
  commitError: PersonalError | null
}

export function createStrip(options: StripOptions): Strip {
  const { db, changes, clock } = options
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())
  const remembered = beforeThisStart(db)
  const unlisten = changes.listen(({ confirmed, degraded }) => {
    if (confirmed.length > 0) remembered.lastEventAt = clock.now()
    if (degraded !== null) remembered.degraded = degraded
    changed()
  })
  let cancel: Cancel = clock.after(lookEvery, function again() {
    changed()
    cancel = clock.after(lookEvery, again)
  })
  return {
    now: () => view(options, remembered),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connectionChanged: changed,
    commitFailed(problem) {
      if (problem?.code === remembered.commitError?.code) return
      remembered.commitError = problem
      changed()
    },
    stop() {
      unlisten()
      cancel()
    },
  }
}

/** What the event log says of the time before this start. */
function beforeThisStart(db: Database): Remembered {
  return {
    lastEventAt: lastReceived(db),
    degraded: [],
    commitError: null,
  }
}

/** Null = nothing escalates, or an older back end does, which never names anybody. */
function coverageNow(given: StripOptions, ladder: StripView['ladder']): StripView['coverage'] {
  const { proof, people } = given
  if (ladder === 'off') return null
  if (ladder === 'unknown') return 'unknown'
  const heard = proof.heard()
  if (heard?.coverage && isBeingWorkedOut(given, heard.coverage)) return 'pending'
  if (heard?.coverage) return coverageView(heard.coverage, people())
  // It runs the ladder, and could not compute whom it would tell.
  return heard?.ladder === 'on' ? 'unknown' : null
}

/** The newest heartbeat is of before the directory was saved as it stands, and the next one still has its time. */
function isBeingWorkedOut({ db, clock, schoolId }: StripOptions, { policy_version }: CoverageNow): boolean {
  const kept = newestPolicyHeard(db, schoolId())
  return kept !== null && policy_version < kept.version && Math.abs(clock.now() - kept.received_at) <= heartbeatEvery
}

/** Only a station approves consoles: a back end that never said whether it runs a ladder asks for no approval. */
function isNotApproved({ enrolment, clock, proof }: StripOptions): boolean {
  const { state, since } = enrolment()
  return (
    proof.saidOfLadder() !== null &&
    state === 'waiting' &&
    since !== null &&
    Math.abs(clock.now() - since) >= notApprovedAfter
  )
}

/** The gaps of this school as one line can say them. */
function missingHeartbeats({ proof, schoolId }: StripOptions): StripView['missing_heartbeats'] {
  const gaps = proof.gaps(schoolId())
  if (gaps.length === 0) return null
  const ranges = gaps.map(({ from, to }) => ({ from, to }))
  return { ranges, noticed_at: Math.max(...gaps.map(({ noticed_at }) => noticed_at)) }
}

function view(given: StripOptions, remembered: Remembered): StripView {
  const { db, proof, drills, demo, ...options } = given
  const ladder = options.ladder()
  const connection = options.connection()
  const { commitError } = remembered
  const { all, crises } = countQuarantined(db)
  const deadLetters = options.deadLetters()
  return {
    connection: commitError
      ? { state: 'disconnected', since: connection.since, error: commitError }
      : { state: connection.state, since: connection.since, error: connection.error },
    last_event_at: remembered.lastEventAt,
    proven_at: proof.provenAt(),
    heartbeat_overdue: proof.isOverdue(),
    drill: drills.newest(),
    missing_heartbeats: missingHeartbeats(given),
    unlikely_heartbeat: proof.unlikely(options.schoolId()),
    outage: proof.outage(),
    ...openCounts(db, options.schoolId()),
    quarantined: all.waiting,
    quarantined_crises: crises.waiting,
    newest_quarantined_crisis: crises.newest,
    sharing: options.sharing(),
    dead_letters_stuck: deadLetters?.problem ? (deadLetters.waiting ?? 0) : 0,
    queue_waiting: connection.waiting,
    queue_age_ms: connection.age_ms,
    outbox_pending: countWaiting(db),
    degraded: remembered.degraded,
    not_approved: isNotApproved(given),
    ladder,
    channels: proof.channels(),
    coverage: coverageNow(given, ladder),
    demo,
    discards: demo && somebodyActed(db),
  }
}
