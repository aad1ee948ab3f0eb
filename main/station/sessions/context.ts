/** What the engine is told beside the message itself. */
import type { EvidenceKey } from '../../platform/envelope.ts'
import { days } from '../../../shared/time.ts'
import type { AssessmentInput, SummaryInput } from '../../analysis/index.ts'
import type { MessageTable, StoredMessage } from './messages.ts'
import type { TrackedSession } from './tracking.ts'

/** How far back a student's markers count (milliseconds). */
const historyLength = days(30)
/** Messages of the conversation that the engine reads beside the new one. */
const recentCount = 3

/** Everything the engine needs about a message of `session`, except its text. */
export function contextOf(
  session: Pick<TrackedSession, 'session_id' | 'student_hash'>,
  at: number,
  messages: MessageTable,
  key: EvidenceKey,
  bufferSize: number,
): Omit<AssessmentInput, 'text'> {
  const window = messages.latest(session.session_id, bufferSize)
  return {
    at,
    recent: window.slice(-recentCount).flatMap((message) => {
      const text = openContent(message, key)
      return text === null || message.role === 'system' ? [] : [{ role: message.role, text }]
    }),
    history: messages.markersOf(session.student_hash, at - historyLength, at),
    previous: window
      .filter(({ role }) => role === 'student')
      .map(({ tier, sentiment, assessment }) => ({ tier, sentiment, categories: assessment?.categories ?? [] })),
  }
}

/** The words of a kept message; null where they are kept no more or do not open. */
export function openContent(message: Pick<StoredMessage, 'content'>, key: EvidenceKey): string | null {
  try {
    return message.content && key.open(message.content)
  } catch {
    // Words that do not open must not stop the next message from being read.
    return null
  }
}

/** The engine's view of a session's messages, for its summary. */
export function summaryInput(
  session: TrackedSession,
  endedAt: number,
  messages: readonly StoredMessage[],
): SummaryInput {
  return {
    session_id: session.session_id,
    user_id: session.student_hash,
    started_at: session.started_at,
    ended_at: endedAt,
    messages: messages.flatMap((message) =>
      message.role === 'system'
        ? []
        : [
            {
              sequence: message.sequence,
              role: message.role,
              at: message.said_at,
              tier: message.tier,
              sentiment: message.sentiment,
              categories: message.assessment?.categories ?? [],
              markers: message.assessment?.markers ?? [],
            },
          ],
    ),
  }
}
