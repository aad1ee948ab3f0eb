/** What the demonstration school needs of the world: the calls of a chat, and a console at which its people act. */
import type { Disposition } from '../../shared/actions.ts'
import type { RiskTier } from '../../shared/risk.ts'
import type { Clock, Logger, Randomness } from '../platform/ports.ts'

/** Where sessions come from, recorded with the session. */
export interface SessionMetadata {
  locale: string
  channel: string
  device: string
}

/** What a station answers, as far as the demonstration heeds it. */
export interface Received {
  message_id: string | null
  tier: RiskTier
  /** On a crisis: the fixed text the chat shows instead of any other answer. */
  reply: string | null
}

/** The calls of a chat. `at` (UTC ms) tells that it was in the past; without it the station's clock decides. */
export interface Chat {
  startSession(input: { user_id: string; metadata: SessionMetadata; at?: number }): Promise<{ session_id: string }>
  send(
    sessionId: string,
    message: { sender: 'user' | 'assistant'; content: string; client_message_id: string; at?: number },
  ): Promise<Received>
  endSession(sessionId: string, at?: number): Promise<unknown>
}

/** A message by which an alert was raised, or joined. */
export interface Raised {
  message_id: string
  tier: 'high' | 'crisis'
}

/** Something a demonstration person did about the alerts of a session, at a time in the past (UTC ms). */
export interface DemonstrationAction {
  session_id: string
  /** All that the session has raised: it is done about what these have made. */
  raised: readonly Raised[]
  at: number
  /** Id of a person in people.yaml. */
  by: string
  kind: 'acknowledged' | 'noted' | 'resolved'
  /** With `acknowledged` only. */
  next_action?: string | undefined
  /** With `acknowledged` only (UTC ms). */
  due_at?: number | undefined
  /** Always with `resolved`. */
  note?: string | undefined
  /** Always with `resolved`. */
  disposition?: Disposition | undefined
}

export interface DemonstrationPorts {
  chat: Chat
  /**
   * Does it to every alert of that session. Called once all of the session's messages have been received and the
   * session's earlier action has settled; may wait until the alerts are known.
   */
  act(action: DemonstrationAction): void | Promise<void>
  clock: Clock
  randomness: Randomness
  logger: Logger
}
