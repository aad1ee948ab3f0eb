/** The newest messages of the sessions that are talked in now, so that not every message reads them all again. */
import type { SessionKey, StoredMessage, StoredSession } from '../../store/station/index.ts'

/** Sessions whose messages are held: those that were heard of last. */
const mostSessions = 500
/** Characters of sealed words held of one session at most: longer ones are read each time. */
const mostCharacters = 64 * 1024

interface Tail {
  /** The session's figures when these were its newest: each message, and each decision, changes one of them. */
  last_sequence: number
  message_count: number
  messages: readonly StoredMessage[]
}

export interface Tails {
  /**
   * The newest messages of a session as it stands in this unit of work, oldest first; null where they must be
   * read: another station has taken a message of it, or decided one.
   */
  of(session: StoredSession): readonly StoredMessage[] | null
  /** One more message was committed, decided, after those in `before`. `session`: as it stood before it. */
  keep(session: StoredSession, before: readonly StoredMessage[], message: StoredMessage): void
}

/** `count`: how many messages of a session are asked for. */
export function createTails(count: number): Tails {
  const tails = new Map<string, Tail>()
  const nameOf = ({ school_id, session_id }: SessionKey): string => `${school_id}/${session_id}`

  return {
    of(session) {
      const tail = tails.get(nameOf(session))
      if (!tail || session.status === 'ended') return null
      const { last_sequence, message_count, messages } = tail
      return session.last_sequence === last_sequence && session.message_count === message_count ? messages : null
    },
    keep(session, before, message) {
      const name = nameOf(session)
      // The map keeps the order of insertion: the last heard stand last.
      tails.delete(name)
      const messages = [...before, message].slice(-count)
      const characters = messages.reduce((sum, { content }) => sum + (content?.ciphertext.length ?? 0), 0)
      if (session.status === 'ended' || characters > mostCharacters) return
      tails.set(name, { last_sequence: message.sequence, message_count: session.message_count + 1, messages })
      const [oldest] = tails.size > mostSessions ? tails.keys() : []
      if (oldest !== undefined) tails.delete(oldest)
    },
  }
}
