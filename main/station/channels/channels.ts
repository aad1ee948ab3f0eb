/** The ways that are configured, as one: tried again where that can help, given up in time. */
import type { SNSServiceException } from '@aws-sdk/client-sns'
import { seconds } from '../../../shared/time.ts'
import { pause } from '../../platform/pause.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import type { Channels, OutsideChannel, Outcome } from './message.ts'
import { DeliveryFailed, type Way } from './way.ts'

/** How long one delivery may take, with all that is tried again. */
const patience = seconds(10)
/** Pauses before the second and the third attempt, and how much longer each may be by chance. */
const pauses = [500, 1_500]

export interface ChannelsOptions {
  /** What is configured; what is left out cannot be used. */
  ways: Partial<Record<OutsideChannel, Way>>
  clock: Clock
  randomness: Randomness
  logger: Logger
  /** Told of what became of each delivery. */
  onOutcome?: (channel: OutsideChannel, outcome: Outcome['outcome']) => void
}

export function createChannels({ ways, clock, randomness, logger, onOutcome }: ChannelsOptions): Channels {
  return {
    available: () => (Object.keys(ways) as OutsideChannel[]).filter((channel) => ways[channel] !== undefined),
    async send(channel, to, message, deliveryId) {
      const way = ways[channel]
      const attempt = (signal: AbortSignal): Promise<Outcome> =>
        way ? way(to, message, deliveryId, signal) : Promise.resolve({ outcome: 'failed', code: 'not configured' })
      const outcome = await inTime(clock, (signal) => withRetries(attempt, { clock, randomness, signal }))
      if (outcome.outcome === 'failed') logger.warn({ channel, code: outcome.code }, 'somebody could not be told')
      onOutcome?.(channel, outcome.outcome)
      return outcome
    },
  }
}

/** What comes of it, or `no answer` once it has taken too long. */
async function inTime(clock: Clock, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
  const given = new AbortController()
  let cancel: () => void = () => undefined
  const late = new Promise<Outcome>((resolve) => {
    cancel = clock.after(patience, () => {
      given.abort()
      resolve({ outcome: 'failed', code: 'no answer' })
    })
  })
  try {
    return await Promise.race([work(given.signal), late])
  } finally {
    cancel()
  }
}

async function withRetries(
  attempt: (signal: AbortSignal) => Promise<Outcome>,
  { clock, randomness, signal }: Pick<ChannelsOptions, 'clock' | 'randomness'> & { signal: AbortSignal },
): Promise<Outcome> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(signal)
    } catch (error) {
      const { code, temporary } = failureOf(error)
      const wait = pauses[tried]
      if (!temporary || wait === undefined || signal.aborted) return { outcome: 'failed', code }
      await pause(clock, wait * (1 + randomness.fraction()), signal)
    }
  }
}

/** What an error is called, without what it may quote: an AWS exception by its name, a connection by its code. */
function failureOf(error: unknown): Pick<DeliveryFailed, 'code' | 'temporary'> {
  if (error instanceof DeliveryFailed) return error
  if (isOfSns(error)) {
    const status = error.$metadata.httpStatusCode ?? 500
    return { code: error.name, temporary: status >= 500 || status === 429 || error.$retryable !== undefined }
  }
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException
    if (typeof code === 'string') return { code, temporary: true }
  }
  return { code: 'no connection', temporary: true }
}

function isOfSns(error: unknown): error is SNSServiceException {
  return error instanceof Error && '$metadata' in error && '$fault' in error
}
