import type { SQSClient } from '@aws-sdk/client-sqs'
import { days, minutes, seconds } from '../../shared/time.ts'
import { consolesOnQueue, presenceEvery, type Presence } from '../console/event-queue/index.ts'
import type { Clock } from '../platform/ports.ts'
import { newestVersion, schemaVersion, sessionsWithHoles, type Database } from '../store/console/index.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

const name = 'One console on the queue'
const todo =
  'Stop the other console, or give each console its own queue, subscribed to the same topic: on a shared queue, each sees only some of the alerts.'
/** A console is taken for running when its mark is younger than this. */
const fresh = presenceEvery * 3
/** What a console that ended by force had received is hidden this long at most. */
const afterlife = seconds(7)

/**
 * Whether another console receives from the same queue. Proof is another console's mark on the queue
 * that is renewed while doctor looks: that fails. Anything else that speaks for it is a suspicion.
 */
export async function checkSharing(options: {
  sqs: SQSClient
  queueUrl: string
  clock: Clock
  /** This installation's id; null when its data could not be read. */
  consoleId: string | null
  /** A console runs on this data directory. */
  running: boolean
  inFlight(): Promise<number>
  db: Database | null
  progress(what: string): void
}): Promise<Check> {
  const { sqs, queueUrl, clock, consoleId, running, db } = options
  let marks: Presence[] | null = null
  try {
    marks = await consolesOnQueue(sqs, queueUrl)
  } catch {
    // Not permitted, or an SQS-compatible server without tags: only suspicions are left.
  }
  const others = otherConsoles(marks ?? [], consoleId, clock.now(), running)
  if (others.length > 0) {
    options.progress('Another console has been seen on the queue; waiting to see whether it returns (up to 35 s)')
    if (await renewed(sqs, queueUrl, others, clock))
      return failed(name, 'Another console is receiving from this queue right now.', todo)
    return warning(name, 'Another console received from this queue a moment ago; it has not been seen again.', todo)
  }
  if (!running && (await options.inFlight()) > 0) {
    options.progress('Messages are in flight; waiting to see whether they stay so (7 s)')
    await pause(clock, afterlife)
    if ((await options.inFlight()) > 0)
      return warning(
        name,
        'No console is running on this data directory, yet messages from the queue are in flight: something else is receiving them.',
        todo,
      )
  }
  if (db && missesMany(db, clock.now()))
    return warning(
      name,
      'In most sessions of the last 7 days, some messages never arrived here: something else may be receiving them.',
      todo,
    )
  if (marks === null)
    return skipped(
      name,
      'The queue’s tags, which would show other consoles, may not be read here (sqs:ListQueueTags); nothing else suggests a second console.',
    )
  return ok(name, 'No other console has been seen on this queue.')
}

/** Without our own id (the data did not open), one running console may be ourselves. */
function otherConsoles(
  marks: readonly Presence[],
  consoleId: string | null,
  now: number,
  running: boolean,
): Presence[] {
  const alive = marks.filter((mark) => mark.consoleId !== consoleId && Math.abs(now - mark.at) < fresh)
  return consoleId === null && running && alive.length === 1 ? [] : alive
}

async function renewed(sqs: SQSClient, queueUrl: string, before: readonly Presence[], clock: Clock): Promise<boolean> {
  const until = clock.now() + presenceEvery + seconds(5)
  while (clock.now() < until) {
    await pause(clock, seconds(1))
    const now = await consolesOnQueue(sqs, queueUrl)
    if (now.some((mark) => before.some((was) => was.consoleId === mark.consoleId && mark.at > was.at))) return true
  }
  return false
}

function pause(clock: Clock, length: number): Promise<void> {
  return new Promise((resolve) => void clock.after(length, resolve))
}

/** Sequence numbers with holes in most of ten or more sessions that are over (system messages leave a few). */
function missesMany(db: Database, now: number): boolean {
  // Older data know a session by other keys; the next start brings them up to date.
  if (schemaVersion(db) < newestVersion) return false
  const { sessions, holed } = sessionsWithHoles(db, now - days(7), now - minutes(10))
  return sessions >= 10 && holed > sessions / 2
}
