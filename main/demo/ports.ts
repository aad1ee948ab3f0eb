/** What the demonstration school needs from the program it runs in. The composition root implements it. */
import type { Disposition } from '../../shared/actions.ts'
import type { Clock, Logger, Randomness } from '../platform/ports.ts'

/** Where sessions come from, recorded with the session. */
export interface SessionMetadata {
  locale: string
  channel: string
  device: string
}

/** What the intake answers, as far as a chat must heed it. */
export interface Received {
  /** On a crisis: the fixed text the chat shows instead of any other answer. */
  reply: string | null
}

/** The part of the intake that history is played through, in process; `at` is the past time (UTC ms). */
export interface HistoryIntake {
  startSession(input: { user_id: string; metadata: SessionMetadata; at: number }): Promise<{ session_id: string }>
  receive(input: {
    session_id: string
    sender: 'user' | 'assistant'
    content: string
    client_message_id: string
    at: number
  }): Promise<Received>
  endSession(input: { session_id: string; at: number }): Promise<unknown>
}

/** The same three calls for the live part, as a chat makes them: the clock of the intake decides the time. */
export interface LiveIntake {
  startSession(input: { user_id: string; metadata: SessionMetadata }): Promise<{ session_id: string }>
  send(input: {
    session_id: string
    sender: 'user' | 'assistant'
    content: string
    client_message_id: string
  }): Promise<Received>
  endSession(input: { session_id: string }): Promise<unknown>
}

/** Something a demonstration person did about the alerts of a session, at a time in the past (UTC ms). */
export interface DemonstrationAction {
  session_id: string
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
  intake: HistoryIntake
  live: LiveIntake
  /**
   * Does it to every alert of that session. Called once all of the session's messages have been
   * received and the session's earlier action has settled; may wait until the events are committed.
   */
  act(action: DemonstrationAction): void | Promise<void>
  clock: Clock
  randomness: Randomness
  logger: Logger
}
