/** The ways that are configured, as one: tried again where that can help, given up in time. */
import { seconds } from '../../../shared/time.ts'
import type { ChannelAccess } from '../../platform/channel-access.ts'
import { snsClient } from '../../platform/aws.ts'
import { pause } from '../../platform/pause.ts'
import type { Clock, Logger, Randomness } from '../../platform/ports.ts'
import { emailWay } from './email.ts'
import type { Channels, OutsideChannel, Outcome } from './message.ts'
import { smsWay, textsBySns, type SendText } from './sms.ts'
import { failureOf, type Way } from './way.ts'
import { webhookWay } from './webhook.ts'

/** How long one delivery may take, with all that is tried again. */
const patience = seconds(10)
/** Pauses before the second and the third attempt (milliseconds); each may by chance be twice as long. */
const pauses = [500, 1_500]

interface Ports {
  clock: Clock
  randomness: Pick<Randomness, 'fraction'>
  logger: Logger
}

export interface ChannelsOptions extends Ports {
  access: ChannelAccess
  /** Told of what became of each delivery. */
  onOutcome?: (channel: OutsideChannel, outcome: Outcome['outcome']) => void
}

export interface OpenedChannels extends Channels {
  /** Texts an answer to a number. Like `send`; null where this station sends no texts. */
  answer: ((number: string, text: string) => Promise<Outcome>) | null
  stop(): void
}

/** Opens what is configured; nothing is asked of it yet. */
export function openChannels({ access, onOutcome, ...ports }: ChannelsOptions): OpenedChannels {
  const { sms, webhook, email } = access
  const sns = sms && snsClient(sms, { attempts: 1 })
  const text = sns && textsBySns(sns, sms?.sender ?? null)
  const ways: Partial<Record<OutsideChannel, Way>> = {
    ...(text && { sms: smsWay(text) }),
    ...(webhook && { voice: webhookWay('voice', webhook, ports.clock) }),
    ...(email && { email: emailWay(email, ports.clock) }),
    ...(webhook && { other: webhookWay('other', webhook, ports.clock) }),
  }
  // Nobody is asked for an answer that cannot come back: they would believe to have taken what still rings elsewhere.
  const canAnswer = webhook !== null || access.answersTopicArn !== null
  const tell = async (
    channel: OutsideChannel,
    attempt: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await inTime(attempt, ports)
    if (outcome.outcome === 'failed') ports.logger.warn({ channel, code: outcome.code }, 'somebody could not be told')
    onOutcome?.(channel, outcome.outcome)
    return outcome
  }
  return {
    available: () => Object.keys(ways) as OutsideChannel[],
    send(channel, to, message, deliveryId) {
      const way = ways[channel]
      if (!way) return Promise.resolve({ outcome: 'failed', code: 'not configured' })
      const asked = canAnswer ? message : { ...message, reply: null }
      return tell(channel, (signal) => way(to, asked, deliveryId, signal))
    },
    answer: text && ((number, words) => tell('sms', (signal) => answered(text, number, words, signal))),
    stop: () => sns?.destroy(),
  }
}

async function answered(text: SendText, number: string, words: string, signal: AbortSignal): Promise<Outcome> {
  return { outcome: 'delivered', reference: await text(number, words, signal) }
}

/** What comes of it, or `no answer` once it has taken too long. */
async function inTime(attempt: (signal: AbortSignal) => Promise<Outcome>, ports: Ports): Promise<Outcome> {
  const given = new AbortController()
  let cancel: () => void = () => undefined
  const late = new Promise<Outcome>((resolve) => {
    cancel = ports.clock.after(patience, () => {
      given.abort()
      resolve({ outcome: 'failed', code: 'no answer' })
    })
  })
  try {
    return await Promise.race([withRetries(attempt, given.signal, ports), late])
  } finally {
    cancel()
  }
}

async function withRetries(
  attempt: (signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
  { clock, randomness }: Ports,
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
