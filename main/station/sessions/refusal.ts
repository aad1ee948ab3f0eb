import { toldAfter } from '../../../shared/thresholds.ts'
import { minutes } from '../../../shared/time.ts'
import type { RefusedAs } from '../../store/station/index.ts'

/** Why a call was refused. `kind` is stable; the message may be shown to the sender. */
export type RefusalKind =
  'invalid' | 'unknown session' | 'not stored' | 'unavailable' | 'stopping' | 'overtaken' | 'too recent' | RefusedAs

const sentences: Record<RefusalKind, string> = {
  invalid: 'The request is not valid.',
  'unknown session': 'There is no such session.',
  'not stored': 'The message could not be stored; send it again with the same client_message_id.',
  unavailable: 'The database does not answer, or has no room; send it again later with the same client_message_id.',
  stopping: 'The station is stopping; send it again in a moment with the same client_message_id.',
  overtaken: 'A crisis came in between; the protocol stands.',
  'too recent': `What is told of a past was said at least ${toldAfter / minutes(1)} minutes ago; what is said now is sent without “at”.`,
  ended: 'The session has ended; start a new one.',
  reused: 'This client_message_id was used for another message.',
  'too large': 'The message is too long.',
  'too many': 'Too many requests; try again later with the same client_message_id.',
}

/**
 * A refused call. When the refused message was a crisis, it has been assessed and (except for
 * `not stored` and `unavailable`) alerted already, and `reply` is the protocol text to show; otherwise null.
 * Never holds student text.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly reply: string | null

  constructor(kind: RefusalKind, reply: string | null = null, options?: ErrorOptions) {
    super(sentences[kind], options)
    this.name = 'Refusal'
    this.kind = kind
    this.reply = reply
  }
}
