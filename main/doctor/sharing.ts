import type { SQSClient } from '@aws-sdk/client-sqs'
import { days, minutes, seconds } from '../../shared/time.ts'
import { anotherConsole, renewEvery } from '../console/event-queue/index.ts'
import type { Clock } from '../platform/ports.ts'
import { tagsOf, type TaggedConsole } from '../platform/queue-tags.ts'
import { newestVersion, schemaVersion, sessionsWithHoles, type Database } from '../store/console/index.ts'
import { failed, ok, skipped, warning, type Check } from './report.ts'

const name = 'One console on the queue'
const todo =
  'Stop the other console, or give each console its own queue, subscribed to the same topic: on a shared queue, each sees only some of the alerts.'
/** What a console that ended by force had received is hidden this long at most. */
const afterlife = seconds(7)

/**
 * Whether another console receives from the same queue. Proof is another console's tag on the queue that counts up
 * while doctor looks: that fails. Anything else that speaks for it is a suspicion.
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
  const tags = tagsOf(sqs, queueUrl)
  let tagged: TaggedConsole[] | null = null
  try {
    tagged = await tags.read()
  } catch {
    // Not permitted, or an SQS-compatible server without tags: only suspicions are left.
  }
  const others = (tagged ?? []).filter((other) => other.consoleId !== consoleId)
  if (others.length > 0) {
    options.progress('Another console has shown itself on the queue; waiting to see whether it is there (up to 35 s)')
    const alive = await aliveAmong(others, { read: () => tags.read(), clock, mayBeOurs: consoleId === null && running })
    if (alive)
      return failed(
        name,
        `${anotherConsole(alive.computer)} is receiving from this queue right now. Each gets only some of the alerts.`,
        todo,
      )
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
  if (tagged === null)
    return skipped(
      name,
      'The queue’s tags, which would show other consoles, may not be read here (sqs:ListQueueTags); nothing else suggests a second console.',
    )
  return ok(
    name,
    others.length > 0 && consoleId !== null
      ? 'Another console has left its mark on this queue, and is gone; its mark holds up the next start for 45 s at most.'
      : 'No other console receives from this queue.',
  )
}

/** The one whose tag changes while one looks. Without our own id, the first one to do so may be this very console. */
async function aliveAmong(
  before: readonly TaggedConsole[],
  { read, clock, mayBeOurs }: { read(): Promise<TaggedConsole[]>; clock: Clock; mayBeOurs: boolean },
): Promise<TaggedConsole | null> {
  const values = new Map(before.map(({ consoleId, value }) => [consoleId, value]))
  const until = clock.now() + renewEvery + seconds(5)
  const changed = new Map<string, TaggedConsole>()
  while (clock.now() < until) {
    await pause(clock, seconds(1))
    for (const tag of await read()) if (values.get(tag.consoleId) !== tag.value) changed.set(tag.consoleId, tag)
    const alive = [...changed.values()].filter(({ consoleId, claiming }) => values.has(consoleId) && !claiming)
    if (alive.length > (mayBeOurs ? 1 : 0)) return alive.at(-1) ?? null
  }
  return null
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
