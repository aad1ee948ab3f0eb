import { intakeClient } from '../chat/index.ts'
import type { Clock } from '../platform/ports.ts'
import type { LiveIntake } from './ports.ts'

/** The live part as a chat speaks: REST on loopback with the desk's key. It rejects with CallFailed. */
export function restIntake({
  origin,
  apiKey,
  clock,
  signal,
}: {
  origin: string
  apiKey: string
  clock: Clock
  /** Nothing is sent again any more. */
  signal: AbortSignal
}): LiveIntake {
  const client = intakeClient({ target: () => ({ url: origin, key: apiKey }), clock, signal, tries: 3 })
  return {
    startSession: (input) => client.startSession(input),
    send: ({ session_id, ...message }) => client.send(session_id, message),
    endSession: ({ session_id }) => client.endSession(session_id),
  }
}
