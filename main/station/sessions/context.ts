/** What the engine is told beside the message itself. */
import type { Envelope } from '../../../shared/events.ts'
import { days } from '../../../shared/time.ts'
import type { AssessmentInput, SummaryInput } from '../../analysis/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { markersOf, type StoredMessage, type StoredSession, type Unit } from '../../store/station/index.ts'

/** How far back a student's markers count (milliseconds). */
const historyLength = days(30)
/** Messages of the conversation that the engine reads beside the new one. */
const recentCount = 3

/** Everything the engine needs about a message of `session`, except its text. `buffer`: what came before it. */
export async function contextOf(
  unit: Unit,
  session: Pick<StoredSession, 'school_id' | 'student_hash'>,
  at: number,
  key: EvidenceKey,
  buffer: readonly StoredMessage[],
): Promise<Omit<AssessmentInput, 'text'>> {
  return {
    at,
    recent: buffer.slice(-recentCount).flatMap((message) => {
      const text = openContent(message, key)
      return text === null || message.role === 'system' ? [] : [{ role: message.role, text }]
    }),
    history: await markersOf(unit, session, at - historyLength, at),
    // What still waits for its decision has said nothing yet.
    previous: buffer
      .filter(({ role, state }) => role === 'student' && state === 'analyzed')
      .map(({ tier, sentiment, assessment }) => ({ tier, sentiment, categories: assessment?.categories ?? [] })),
  }
}

/** Words that were opened, or sealed, by this process: for as long as their envelope is held. */
const known = new WeakMap<Envelope, string>()

/** Seals words; the envelope opens without its key for as long as it is held. */
export function sealContent(text: string, key: EvidenceKey): Envelope {
  const envelope = key.seal(text)
  known.set(envelope, text)
  return envelope
}

/** The words of a stored message; null where they are kept no more or do not open. */
export function openContent({ content }: Pick<StoredMessage, 'content'>, key: EvidenceKey): string | null {
  if (content === null) return null
  const words = known.get(content)
  if (words !== undefined) return words
  try {
    const opened = key.open(content)
    known.set(content, opened)
    return opened
  } catch {
    // Words that do not open must not stop the next message from being assessed.
    return null
  }
}

/** The engine's view of a session's messages, for its summary. */
export function summaryInput(
  session: StoredSession,
  endedAt: number,
  messages: readonly StoredMessage[],
): SummaryInput {
  return {
    session_id: session.session_id,
    user_id: session.student_hash,
    started_at: session.started_at,
    ended_at: endedAt,
    messages: messages.flatMap((message) =>
      message.role === 'system' || message.state === 'accepted'
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
