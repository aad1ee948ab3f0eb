/** Which event it is: what makes two of them one, or two crises of one second two. */
import { createHash } from 'node:crypto'

/**
 * Identity of an event, hex: its idempotency key and its canonical body. A redelivery is the same event; keys
 * carry their sender's clock to the second, so two different crises may share one. Null where the body is nested
 * too deep to be written again.
 */
export function eventIdentity(idempotencyKey: string, body: Record<string, unknown>): string | null {
  const form = canonical(body)
  return form === null ? null : sha256(`${idempotencyKey}\n${form}`)
}

/** Identity of a body that is no event, hex. */
export function bodyDigest(body: string): string {
  return sha256(body)
}

/** JSON with sorted keys: the same event however its sender ordered the fields. Null when it is nested too deep. */
function canonical(value: unknown): string | null {
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : inner,
    )
  } catch (error) {
    // The parser takes any depth; the stack does not.
    if (error instanceof RangeError) return null
    throw error
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
