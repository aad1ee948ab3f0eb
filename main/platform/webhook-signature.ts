/**
 * Signatures of webhooks as “Standard Webhooks” has them (standardwebhooks.com), which receivers in many languages can
 * verify: HMAC-SHA256 over the id, the time and the body.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { minutes, seconds } from '../../shared/time.ts'

/** How old or how far ahead a signed message may be. */
const oldest = minutes(15)
const furthestAhead = minutes(5)
const longestId = 200

/** Headers of a message; `at`: UTC milliseconds. */
export function signedHeaders(secret: string, { id, at, body }: { id: string; at: number; body: string }) {
  const time = Math.floor(at / seconds(1))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${digestOf(secret, id, time, body).toString('base64')}`,
  }
}

/** The id and the time (UTC milliseconds) of a message that was signed so and lately; else why it is not believed. */
export function readSigned(
  secret: string,
  { headers, body, now }: { headers: Readonly<Record<string, unknown>>; body: string; now: number },
): { id: string; at: number } | 'wrong signature' | 'too old' {
  const { 'webhook-id': id, 'webhook-timestamp': written, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || id === '' || id.length > longestId) return 'wrong signature'
  if (typeof written !== 'string' || !/^\d{1,12}$/.test(written) || typeof signatures !== 'string')
    return 'wrong signature'
  const expected = digestOf(secret, id, Number(written), body)
  // A receiver changes its secret by signing with both for a while.
  const isSigned = signatures.split(' ').some((each) => {
    const given = Buffer.from(/^v1,(.+)$/.exec(each)?.[1] ?? '', 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) return 'wrong signature'
  const at = Number(written) * seconds(1)
  return at < now - oldest || at > now + furthestAhead ? 'too old' : { id, at }
}

function digestOf(secret: string, id: string, time: number, body: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${time}.${body}`).digest()
}

/** `whsec_` and base64, as the standard writes a secret; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
}
