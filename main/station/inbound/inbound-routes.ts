/** Where answers to texts arrive: from the school's own service, signed as its webhook is, or from a topic of Amazon SNS. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { minutes, seconds } from '../../../shared/time.ts'
import type { Clock, Logger } from '../../platform/ports.ts'
import { snsReader, type ReadText } from '../../platform/sns-signature.ts'
import { readSigned } from '../../platform/webhook-signature.ts'
import { attemptLimit, rateLimiter, refusals, type ZodApp } from '../intake/index.ts'
import type { ReceivedText, TakeText } from './answers.ts'

export interface InboundRoutesOptions {
  /** Verifies what the school's own service sends; null = it sends nothing. */
  secret: string | null
  /** The topic of a two-way number; null = there is none. */
  topicArn: string | null
  take: TakeText
  /** Texts an answer; null = this station sends no texts, and the school's own service is given it to send. */
  answer: ((number: string, text: string) => Promise<unknown>) | null
  readText: ReadText
  clock: Clock
  logger: Logger
  /** Told of each request that was not believed. */
  onOutcome(outcome: string): void
}

const largestBody = 64 * 1024
/** A text that was on its way for longer changes nothing. */
const oldest = minutes(15)

const textSchema = z.object({ from: z.string().min(3).max(40), text: z.string().max(2000) })
const snsTextSchema = z
  .object({
    originationNumber: z.string().min(3).max(40),
    messageBody: z.string().max(2000),
    inboundMessageId: z.string().min(1).max(200),
  })
  .transform(({ originationNumber: from, messageBody: text, inboundMessageId: id }) => ({ id, from, text }))
/** Signed times are whole seconds: a text may have been sent at the end of its second. */
const restOfSecond = seconds(1) - 1

const answeredSchema = z.object({
  answer: z.string().nullable().describe('To be texted back to the sender; null = nothing, or it is on its way'),
})

/** Adds the call to a server of this station; where nobody may send answers, there is none. */
export function inboundRoutes(app: ZodApp, options: InboundRoutesOptions): void {
  const { secret, topicArn, take, answer, clock, logger, onOutcome } = options
  if (secret === null && topicArn === null) return
  const sns = topicArn === null ? null : snsReader({ topicArn, readText: options.readText })
  const attempts = rateLimiter(clock, attemptLimit)

  const disbelieve = (request: FastifyRequest, reply: FastifyReply, why: string) => {
    logger.warn({ why }, 'an answer to a text was not believed')
    onOutcome(why)
    const wait = attempts(request.ip)
    if (wait === 0) return reply.code(401).send({ error: 'It is not signed as it must be, or no longer counts.' })
    return reply.header('retry-after', wait).code(429).send({ error: 'Too many attempts; try again later.' })
  }
  const taken = async (received: ReceivedText): Promise<{ answer: string | null }> => {
    const { answer: text } = await take(received)
    if (text === null || answer === null) return { answer: text }
    // Whoever handed it over need not wait for the provider of texts.
    void answer(received.from, text)
    return { answer: null }
  }
  const fromSns = async (body: string, request: FastifyRequest, reply: FastifyReply) => {
    const message = (await sns?.read(body, () => attempts(request.ip) === 0)) ?? null
    if (message === null) return disbelieve(request, reply, 'wrong signature')
    if (message.Type === 'SubscriptionConfirmation') {
      await sns?.confirm(message)
      logger.info({}, 'answers to texts come from their topic from now on')
      return reply.send({ answer: null })
    }
    const at = Date.parse(message.Timestamp)
    if (at < clock.now() - oldest) return disbelieve(request, reply, 'too old')
    const received = snsTextSchema.safeParse(json(message.Message)).data
    if (!received) return disbelieve(request, reply, 'unreadable')
    await taken({ ...received, at })
    return reply.send({ answer: null })
  }

  // A room of its own: what is signed is the body as it came, letter by letter.
  void app.register((room, _options, done) => {
    const routes = room.withTypeProvider<ZodTypeProvider>()
    routes.removeAllContentTypeParsers()
    const asText = { parseAs: 'string' as const, bodyLimit: largestBody }
    routes.addContentTypeParser(['application/json', 'text/plain'], asText, (_request, body, parsed) =>
      parsed(null, body),
    )
    routes.post(
      '/inbound/sms',
      {
        schema: {
          operationId: 'receiveText',
          summary:
            'A text that somebody sent back, {"from": "+15550142777", "text": "ACK 1"}, signed as webhooks here are (headers webhook-id, webhook-timestamp, webhook-signature); or a notification of the SNS topic of a two-way number.',
          security: [],
          body: z.string().max(largestBody),
          response: { 200: answeredSchema.describe('It was taken'), ...refusals(400, 401, 413, 415, 429, 500, 503) },
        },
      },
      async (request, reply) => {
        const { headers, body } = request
        if (sns !== null && headers['x-amz-sns-message-type'] !== undefined) return fromSns(body, request, reply)
        const signed = secret === null ? 'wrong signature' : readSigned(secret, { headers, body, now: clock.now() })
        if (typeof signed === 'string') return disbelieve(request, reply, signed)
        const said = textSchema.safeParse(json(body)).data
        if (!said) return reply.code(400).send({ error: 'It is no text with a sender.' })
        return reply.send(await taken({ id: `webhook ${signed.id}`, at: signed.at + restOfSecond, ...said }))
      },
    )
    done()
  })
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
