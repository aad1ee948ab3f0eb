/**
 * One console receives from a queue: two would each get half of the alerts, and nothing in SQS tells them of each
 * other. So each shows itself there by a tag that counts up, and looks who else does. Two computers' clocks may be
 * hours apart: whether another console is alive is told by its tag changing while one looks, and by nothing else.
 */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { ConsoleError } from '../../../shared/errors.ts'
import { seconds } from '../../../shared/time.ts'
import { pause } from '../../platform/pause.ts'
import type { Cancel, Clock, Logger, Randomness } from '../../platform/ports.ts'
import { isPermissionError } from '../../platform/queue-errors.ts'
import { tagsOf, type Showing, type TaggedConsole } from '../../platform/queue-tags.ts'

/** How often a console that receives counts up, and looks for others. */
export const renewEvery = seconds(30)
/** How often a console looks that finds another one's tag at its start. */
const lookEvery = seconds(3)
/**
 * Looks without a change after which another console counts as gone: 45 s, so that one renewal may come late.
 * Counted in looks, because the clock of a computer can jump.
 */
const looksUntilGone = 15
/** After a renewal that did not arrive. */
const again = seconds(5)
/** Looks in a row without an answer, while another console's tag is watched; then the start goes on, and says so. */
const mostUnanswered = 3
/** Renewals without a change of its tag after which a console that received, too, counts as gone. */
const renewalsUntilGone = 2

export type Claim =
  /** No other console receives from this queue. */
  | { state: 'held' }
  /** `not permitted`: the queue's tags may not be read or not be written; nobody can be refused, or warned, by them. */
  | { state: 'unknown'; why: 'not permitted' | 'no answer' }
  /** Another console receives, too. `computer`: where, '' = not known. */
  | { state: 'shared'; computer: string; since: number }

export interface QueueClaim {
  state(): Claim
  /** Looks at once, and says what was found. Never rejects. */
  look(): Promise<Claim>
  /** Takes this console's tag away. Never rejects. */
  stop(): Promise<void>
}

export interface ClaimOptions {
  sqs: SQSClient
  queueUrl: string
  consoleId: string
  /** Name of this computer, for whoever is refused because of it. */
  computer: string
  clock: Clock
  randomness: Pick<Randomness, 'bytes'>
  logger: Logger
  onState(claim: Claim): void
  /** Told when another console's tag is there: it takes up to a minute to see whether it is still alive. */
  onWaiting?(): void
  signal: AbortSignal
}

/**
 * Claims a queue for this console; then, and only then, it may receive. At once where no other console has shown
 * itself, or after 45 s of watching a tag that a killed one has left. Throws ConsoleError `queue_taken` where
 * another console receives; of several that start at the same moment the one with the lowest id goes on. Where tags
 * cannot be read or written it claims nothing, and says so in its state.
 */
export async function claimQueue(options: ClaimOptions): Promise<QueueClaim> {
  const { consoleId, clock, signal, logger, randomness, computer } = options
  const tags = tagsOf(options.sqs, options.queueUrl)
  const nonce = randomness.bytes(8).toString('hex')
  let number = 0
  const show = (claiming: boolean) => {
    const showing: Showing = { nonce, number: ++number, claiming, computer }
    return tags.write(consoleId, showing)
  }
  /** What the others' tags said when they were looked at last; null = they were not yet. */
  let known: Map<string, string> | null = null
  let state: Claim
  try {
    state = await watch()
  } catch (error) {
    await tags.remove([consoleId]).catch(() => undefined)
    throw error
  }
  if (state.state === 'unknown') logger.warn({ why: state.why }, 'no claim on the events queue')

  /** Until nobody else is there, or somebody who goes first. */
  async function watch(): Promise<Claim> {
    const unchanged = new Map<string, number>()
    let failures = 0
    for (;;) {
      const before = known
      try {
        // Written before it is read: of two that do so, one at least sees the other.
        await show(true)
        const others = await readOthers()
        failures = 0
        for (const other of others) {
          const alive = before !== null && before.get(other.consoleId) !== other.value
          if (alive && (!other.claiming || goesFirst(other))) throw queueTaken(other.computer)
          unchanged.set(other.consoleId, alive ? 0 : (unchanged.get(other.consoleId) ?? -1) + 1)
        }
        known = valuesOf(others)
        if (others.every((other) => (unchanged.get(other.consoleId) ?? 0) >= looksUntilGone)) return await hold(others)
      } catch (error) {
        if (error instanceof ConsoleError) throw error
        const why = isUnreachable(error) ? 'no answer' : 'not permitted'
        failures += 1
        if (why === 'not permitted' || before === null || failures >= mostUnanswered) return { state: 'unknown', why }
      }
      if (before === null) options.onWaiting?.()
      await pause(clock, lookEvery, signal)
      signal.throwIfAborted()
    }
  }

  async function hold(gone: readonly TaggedConsole[]): Promise<Claim> {
    await show(false)
    // A queue holds 50 tags. A console that only slept writes its own anew, and sees this one.
    const theirs = gone.map((other) => other.consoleId).filter((id) => id !== consoleId)
    await tags.remove(theirs).catch(() => undefined)
    known = new Map()
    return { state: 'held' }
  }

  /** The other consoles, and this one where somebody else writes its tag: a copy of its data directory. */
  async function readOthers(): Promise<TaggedConsole[]> {
    const found = await tags.read()
    return found.filter((each) => each.consoleId !== consoleId || each.nonce !== nonce)
  }

  function goesFirst(other: TaggedConsole): boolean {
    return other.consoleId < consoleId || (other.consoleId === consoleId && other.nonce < nonce)
  }

  const change = (next: Claim): void => {
    if (sameClaim(next, state)) return
    if (next.state === 'shared') logger.error({}, 'another console receives from this queue')
    state = next
    options.onState(state)
  }
  /** Renewals since another console was seen alive. */
  let quiet = 0
  /** Whether the queue answered. */
  const renewNow = async (isRenewal: boolean): Promise<boolean> => {
    const before = known
    const others = await outcomeOf(readOthers())
    const written = await outcomeOf(show(false))
    if (others.value !== null) {
      known = valuesOf(others.value)
      const alive = others.value.find((other) => !other.claiming && before?.get(other.consoleId) !== other.value)
      if (alive && before !== null) {
        quiet = 0
        change({
          state: 'shared',
          computer: alive.computer,
          since: state.state === 'shared' ? state.since : clock.now(),
        })
        return true
      }
      if (isRenewal) quiet += 1
    }
    const failure = others.failure ?? written.failure
    if (failure !== null && isUnreachable(failure)) return false
    // Seen a moment ago: it is gone once its tag is, or stands still.
    if (state.state === 'shared' && (others.value?.length ?? 1) > 0 && quiet < renewalsUntilGone) return true
    if (failure !== null) change({ state: 'unknown', why: 'not permitted' })
    else if (before !== null || others.value?.length === 0) change({ state: 'held' })
    return true
  }

  let stopped = false
  let looking: Promise<boolean> | null = null
  let cancel: Cancel = () => undefined
  const look = (isRenewal: boolean): Promise<boolean> =>
    (looking ??= renewNow(isRenewal).finally(() => (looking = null)))
  const renew = (): void => {
    void look(true).then((answered) => {
      if (!stopped) cancel = clock.after(answered ? renewEvery : again, renew)
    })
  }
  cancel = clock.after(state.state === 'unknown' ? again : renewEvery, renew)
  return {
    state: () => state,
    async look() {
      await look(false)
      return state
    },
    async stop() {
      stopped = true
      cancel()
      await looking
      await tags.remove([consoleId]).catch(() => undefined)
    },
  }
}

const valuesOf = (others: readonly TaggedConsole[]) => new Map(others.map(({ consoleId, value }) => [consoleId, value]))

function sameClaim(one: Claim, other: Claim): boolean {
  if (one.state === 'shared') return other.state === 'shared' && one.computer === other.computer
  return one.state === other.state && (one.state === 'held' || other.state !== 'unknown' || one.why === other.why)
}

async function outcomeOf<T>(call: Promise<T>): Promise<{ value: T | null; failure: unknown }> {
  try {
    return { value: await call, failure: null }
  } catch (failure) {
    return { value: null, failure }
  }
}

/** Nobody answered: neither yes nor no. */
function isUnreachable(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  if (isPermissionError(error)) return false
  const status = $metadata?.httpStatusCode ?? 0
  return status === 0 || status >= 500 || /Throttl|Timeout|Abort/i.test(name)
}

/** “Another console (front-office)”, or without a name where none is known. */
export function anotherConsole(computer: string): string {
  return computer === '' ? 'Another console' : `Another console (${computer})`
}

function queueTaken(computer: string): ConsoleError {
  return new ConsoleError({
    code: 'queue_taken',
    happened: `${anotherConsole(computer)} receives from this queue. Each would get half of the alerts.`,
    safe: 'This console has taken nothing from the queue; the other one goes on receiving.',
    todo: 'Give this one a queue of its own: create a queue, subscribe it to the same topic, and name it in PSYFLO_EVENTS_QUEUE_URL. If this console is to take the other’s place, stop the other one and try again.',
  })
}
