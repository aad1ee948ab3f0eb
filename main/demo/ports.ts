/** What the demonstration school needs of the world: the calls of a chat, and a console at which its people act. */
import type { ContactKind, ContactOutcome, Disposition } from '../../shared/actions.ts'
import type { RiskTier } from '../../shared/risk.ts'
import type { SafetyPlan } from '../../shared/student-records.ts'
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

/** What a demonstration person did. Times are UTC milliseconds. */
export type DemonstrationDoing =
  | { kind: 'acknowledged'; next_action?: string | undefined; due_at?: number | undefined }
  | { kind: 'noted'; note: string }
  | { kind: 'resolved'; disposition: Disposition; note: string }
  | { kind: 'step_done'; step: string; note?: string | undefined }
  | {
      kind: 'contact_attempted'
      contact: ContactKind
      outcome: ContactOutcome
      who?: string | undefined
      note?: string | undefined
    }
  | { kind: 'commitment_made'; next_action: string; due_at: number }
  /** `to`: id of a person in people.yaml. */
  | { kind: 'handed_off'; to: string; note?: string | undefined }
  | { kind: 'safety_plan'; sections: SafetyPlan }
  | { kind: 'follow_up'; next_action: string; due_at: number }

/** Something about the alerts of a session, or about its student, at a time in the past (UTC ms). */
export type DemonstrationAction = DemonstrationDoing & {
  session_id: string
  /** All that the session has raised: it is done about what these have made. */
  raised: readonly Raised[]
  at: number
  /** Id of a person in people.yaml. */
  by: string
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
