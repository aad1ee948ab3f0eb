/** The intake core: what the REST calls and the demonstration's history use alike. */
import type { SessionSummary } from '../../../shared/events.ts'
import {
  bufferOf,
  createPipeline,
  hashStudent,
  type BufferedMessage,
  type Examined,
  type PipelineOptions,
  type ReceiveResult,
  type RefusedAs,
  type Role,
  type SessionMetadata,
  type SessionStatus,
  type TrackedSession,
} from '../sessions/index.ts'

export type Sender = 'user' | 'assistant' | 'system'

/** A message as the sender names it. `at` (UTC ms) is for replayed history only. */
export interface IncomingMessage {
  session_id: string
  sender: Sender
  content: string
  client_message_id?: string | undefined
  at?: number | undefined
}

export interface SessionDetail extends TrackedSession {
  /** The rolling buffer, oldest first. */
  buffer: BufferedMessage[]
}

export interface SessionQuery {
  school_id?: string | null | undefined
  status?: SessionStatus | undefined
  user_id?: string | undefined
  limit: number
  offset: number
}

/** Every call throws Refusal (main/station/sessions) where the caller is at fault or nothing could be stored. */
export interface Intake {
  /** Opens a session for a student; the id is hashed here and kept nowhere. */
  startSession(input: {
    user_id: string
    metadata?: SessionMetadata | undefined
    at?: number | undefined
    school_id?: string | undefined
  }): { session_id: string }
  receive(message: IncomingMessage): Promise<ReceiveResult>
  /** Reads a message that is refused whatever it says, so that no refusal swallows a crisis. */
  examine(message: IncomingMessage & { incomplete?: boolean }, refusal: RefusedAs): Promise<Examined | null>
  /** Ends a session once; a second call gives the same summary. */
  endSession(input: { session_id: string; at?: number | undefined }): SessionSummary
  /** Null when there is no such session. */
  session(sessionId: string): SessionDetail | null
  /** School of a session; undefined when there is no such session. */
  schoolOf(sessionId: string): string | null | undefined
  sessions(query: SessionQuery): { total: number; sessions: TrackedSession[] }
  /** The summary of an ended session, or of a running one as it stands now. */
  summary(sessionId: string): SessionSummary | null
  /** School of events whose key or session names none. */
  schoolId: string | null
  /** Whether the database answers. */
  ready(): boolean
}

export interface IntakeOptions extends Omit<PipelineOptions, 'bufferSize'> {
  schoolId: string | null
  /** Messages of the rolling buffer; 20 when absent. */
  bufferSize?: number
}

const roleOf: Record<Sender, Role> = { user: 'student', assistant: 'assistant', system: 'system' }

export function createIntake(options: IntakeOptions): Intake {
  const { db, clock, salt, schoolId, evidenceKey } = options
  const bufferSize = options.bufferSize ?? 20
  const pipeline = createPipeline({ ...options, bufferSize })
  const { sessions, messages } = pipeline
  const ping = db.prepare('SELECT 1')

  return {
    schoolId,
    startSession: ({ user_id, metadata = {}, at, school_id }) =>
      pipeline.start({ student_hash: hashStudent(salt, user_id), school_id: school_id ?? schoolId, metadata, at }),
    receive: ({ sender, ...message }) => pipeline.receive({ ...message, role: roleOf[sender] }),
    examine: ({ sender, ...message }, refusal) => pipeline.examine({ ...message, role: roleOf[sender] }, refusal),
    endSession: ({ session_id, at }) => pipeline.end(session_id, at),
    session(sessionId) {
      const session = sessions.find(sessionId)
      return session && { ...session, buffer: bufferOf(messages.latest(sessionId, bufferSize), evidenceKey) }
    },
    schoolOf: (sessionId) => sessions.find(sessionId)?.school_id,
    sessions: ({ user_id, school_id, ...query }) =>
      sessions.page({
        ...query,
        school_id: school_id === undefined ? schoolId : school_id,
        student_hash: user_id === undefined ? undefined : hashStudent(salt, user_id),
      }),
    summary(sessionId) {
      const session = sessions.find(sessionId)
      return session && (sessions.summaryOf(sessionId) ?? pipeline.summarise(session, clock.now()))
    },
    ready() {
      try {
        return ping.get() !== undefined
      } catch {
        return false
      }
    },
  }
}
