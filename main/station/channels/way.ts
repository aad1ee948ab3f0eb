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
