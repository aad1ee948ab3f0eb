/** Calls, and whatever else a school has of its own, by its signed webhook. */
import { z } from 'zod'
import { minutes } from '../../../shared/time.ts'
import type { WebhookAccess } from '../../platform/channel-access.ts'
import type { Clock } from '../../platform/ports.ts'
import { signedHeaders } from '../../platform/webhook-signature.ts'
import type { Address, Message } from './message.ts'
import { DeliveryFailed, type Way } from './way.ts'
import { sayingOf, textOf } from './words.ts'

/** Bytes of an answer that are read. */
const largestAnswer = 16_384
/** What of an answer means anything: how the school's service calls the delivery. */
const answerSchema = z.object({ reference: z.string().max(200) })

interface Told {
  version: 1
  delivery_id: string
  channel: 'voice' | 'other'
  /** The number to call; null = the person is found by their id alone. */
  number: string | null
  /** Person id, as in the directory. */
  person: string
  kind: Message['kind']
  tier: Message['tier']
  categories: readonly string[]
  count: number
  late_minutes: number
  link: string | null
  /** The number that an answer names. */
  reply: number | null
  /** To be read out. */
  say: string
  /** To be shown. */
  text: string
}

/** Tells the school's own service whom to tell. The delivery's id is the key by which one is the same again. */
export function webhookWay(channel: Told['channel'], { url, secret }: WebhookAccess, clock: Pick<Clock, 'now'>): Way {
  return async (to, message, deliveryId, signal) => {
    if (channel === 'voice' && to.voice === null) return { outcome: 'failed', code: 'no number' }
    const body = JSON.stringify(toldOf(channel, to, message, deliveryId))
    const response = await fetch(url, {
      method: 'POST',
      // What is said goes to the configured host and no other.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': deliveryId,
        ...signedHeaders(secret, { id: deliveryId, at: clock.now(), body }),
      },
      body,
      signal,
    })
    if (response.ok) return { outcome: 'delivered', reference: await referenceIn(response) }
    // Unread bodies hold their connection.
    await response.body?.cancel()
    throw refusalOf(response.status)
  }
}

function toldOf(channel: Told['channel'], to: Address, message: Message, delivery_id: string): Told {
  const { kind, tier, categories, count, late_ms, link, reply } = message
  return {
    version: 1,
    delivery_id,
    channel,
    number: channel === 'voice' ? to.voice : null,
    person: to.person,
    ...{ kind, tier, categories, count, link, reply },
    late_minutes: Math.floor(late_ms / minutes(1)),
    say: sayingOf(message),
    text: textOf(message),
  }
}

function refusalOf(status: number): DeliveryFailed {
  if (status >= 300 && status < 400) return new DeliveryFailed('redirected', { temporary: false })
  return new DeliveryFailed(`http ${status}`, { temporary: status >= 500 || [408, 425, 429].includes(status) })
}

/** An answer that is too long, no JSON or cut off says nothing, and the delivery was taken all the same. */
async function referenceIn(response: Response): Promise<string | null> {
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      // Leaving the loop cancels the rest of the body.
      if (size > largestAnswer) return null
      chunks.push(chunk)
    }
    return answerSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))).reference
  } catch {
    return null
  }
}
