import type { SNSServiceException } from '@aws-sdk/client-sns'
import type { Address, Message, Outcome } from './message.ts'

/**
 * One way to tell somebody, tried once. Rejects where the provider did not answer or refused; `signal` gives it up.
 */
export type Way = (to: Address, message: Message, deliveryId: string, signal: AbortSignal) => Promise<Outcome>

/** A provider refused, or did not answer as it should. Never holds anything it said, or was told. */
export class DeliveryFailed extends Error {
  readonly code: string
  /** Whether the same may succeed a moment later. */
  readonly temporary: boolean

  constructor(code: string, { temporary }: { temporary: boolean }) {
    super(`not delivered: ${code}`)
    this.name = 'DeliveryFailed'
    this.code = code
    this.temporary = temporary
  }
}

/** What an error is called, without what it may quote: an exception of AWS by its name, a connection by its code. */
export function failureOf(error: unknown): Pick<DeliveryFailed, 'code' | 'temporary'> {
  if (error instanceof DeliveryFailed) return error
  if (isOfSns(error)) {
    const status = error.$metadata.httpStatusCode ?? 500
    const isThrottled = status === 429 || /Throttl|LimitExceeded|TooManyRequests/.test(error.name)
    return { code: error.name, temporary: status >= 500 || isThrottled || error.$retryable !== undefined }
  }
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, name } = current as NodeJS.ErrnoException
    if (typeof code === 'string') return { code, temporary: true }
    // Nothing is signed without credentials, and they do not come by waiting.
    if (name === 'CredentialsProviderError') return { code: name, temporary: false }
  }
  return { code: 'no connection', temporary: true }
}

function isOfSns(error: unknown): error is SNSServiceException {
  return error instanceof Error && '$metadata' in error && '$fault' in error
}
