/** The intake of one school: what the REST calls do. */
import type { SessionSummary } from '../../../shared/events.ts'
import {
  countSessions,
  latestMessages,
  listSessions,
  type MessageRole,
  type RefusedAs,
  type SessionMetadata,
  type SessionStatus,
  type StationStore,
  type StoredSession,
} from '../../store/station/index.ts'
import type { SchoolSecrets } from '../school-secrets.ts'
import {
  bufferOf,
  hashStudent,
  requireSession,
  type BufferedMessage,
  type Pipeline,
  type Receipt,
  type RefusedMessage,
} from '../sessions/index.ts'

/** Who a message is from, as a chat says it. */
export type MessageSender = 'user' | 'assistant' | 'system'

/** A message as the chat names it. `at` (UTC ms) is for backfilled history. */
interface IncomingMessage {
  session_id: string
  sender: MessageSender
  content: string
  client_message_id?: string | undefined
  at?: number | undefined
  /** An answer to the message of this sequence number: refused (`overtaken`) where a crisis came after that. */
  unless_crisis_after?: number | undefined
}

interface SessionDetail extends StoredSession {
  /** The rolling buffer, oldest first. */
  buffer: BufferedMessage[]
}

interface SessionQuery {
  status?: SessionStatus | undefined
  user_id?: string | undefined
  limit: number
  offset: number
}

/**
 * The calls of one school; a session of another school is, here, no session. Every call throws Refusal
 * (main/station/sessions) where the caller is at fault or nothing could be stored, and DatabaseGone where
 * nothing can be read now.
 */
export interface SchoolIntake {
  /** Opens a session for a student; the id is hashed here and kept nowhere. */
  startSession(input: {
    user_id: string
    metadata?: SessionMetadata | undefined
    at?: number | undefined
  }): Promise<Pick<StoredSession, 'session_id' | 'status' | 'started_at'>>
  receive(message: IncomingMessage): Promise<Receipt>
  /** Assesses a message that is refused whatever it says, so that no refusal swallows a crisis. */
  assessRefused(message: IncomingMessage & { incomplete?: boolean }, refusal: RefusedAs): Promise<RefusedMessage | null>
  /** Ends a session once; a second call gives the same summary. */
  endSession(input: { session_id: string; at?: number | undefined }): Promise<SessionSummary>
  session(sessionId: string): Promise<SessionDetail>
  sessions(query: SessionQuery): Promise<{ total: number; sessions: StoredSession[] }>
  /** The summary of an ended session, or of a running one as it stands now. */
  summary(sessionId: string): Promise<SessionSummary>
}

interface IntakeOptions {
  store: StationStore
  pipeline: Pipeline
  /** Messages of the rolling buffer. */
  bufferSize: number
  secretsOf: (schoolId: string) => Promise<SchoolSecrets>
}

export const roleOf: Record<MessageSender, MessageRole> = { user: 'student', assistant: 'assistant', system: 'system' }

/** The intake of a school. */
export function schoolIntake(options: IntakeOptions, school_id: string): SchoolIntake {
  const { store, pipeline, bufferSize, secretsOf } = options
  const hash = async (userId: string) => hashStudent((await secretsOf(school_id)).salt, userId)

  return {
    startSession: async ({ user_id, metadata = {}, at }) =>
      pipeline.start({ school_id, student_hash: await hash(user_id), metadata, at }),
    receive: ({ sender, ...message }) => pipeline.receive({ ...message, school_id, role: roleOf[sender] }),
    assessRefused: ({ sender, ...message }, refusal) =>
      pipeline.assessRefused({ ...message, school_id, role: roleOf[sender] }, refusal),
    endSession: ({ session_id, at }) => pipeline.end({ school_id, session_id }, at),
    async session(session_id) {
      const { evidenceKey } = await secretsOf(school_id)
      return store.asSchool(school_id, async (unit) => {
        const session = await requireSession(unit, { school_id, session_id })
        const latest = await latestMessages(unit, session, bufferSize)
        return { ...session, buffer: bufferOf(latest, evidenceKey) }
      })
    },
    async sessions({ user_id, status, limit, offset }) {
      const filter = { school_id, status, student_hash: user_id === undefined ? undefined : await hash(user_id) }
      return store.asSchool(school_id, async (unit) => ({
        total: await countSessions(unit, filter),
        sessions: await listSessions(unit, filter, { limit, offset }),
      }))
    },
    summary: (session_id) => pipeline.summary({ school_id, session_id }),
  }
}
