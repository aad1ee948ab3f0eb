/** The newest messages of the sessions that are talked in now, so that not every message reads them all again. */
import { minutes } from '../../../shared/time.ts'
import type { Cancel, Clock } from '../../platform/ports.ts'
import type { SessionKey, StoredMessage, StoredSession } from '../../store/station/index.ts'

/** Sessions whose messages are held: those that were heard of last. */
const mostSessions = 500
/** Characters of sealed words held of one session at most: longer ones are read each time. */
const mostCharacters = 64 * 1024

/** How long after its last message a session's words are held: they are a student's, and memory is no place for them. */
const longestIdle = minutes(30)
const sweepEvery = minutes(5)

interface Tail {
  /** The session's figures when these were its newest: each message, and each decision, changes one of them. */
  last_sequence: number
  message_count: number
  messages: readonly StoredMessage[]
  /** UTC milliseconds. */
  keptAt: number
}

export interface Tails {
  /**
   * The newest messages of a session as it stands in this unit of work, oldest first; null where they must be
   * read: another station has taken a message of it, or decided one.
   */
  of(session: StoredSession): readonly StoredMessage[] | null
  /** One more message was committed, decided, after those in `before`. `session`: as it stood before it. */
  keep(session: StoredSession, before: readonly StoredMessage[], message: StoredMessage): void
  /** The session has ended. */
  drop(session: SessionKey): void
  /** Lets go of all of them, and looks after none any more. */
  stop(): void
}

/** `count`: how many messages of a session are asked for. What is idle for half an hour is held no more. */
export function createTails(count: number, clock: Clock): Tails {
  const tails = new Map<string, Tail>()
  const nameOf = ({ school_id, session_id }: SessionKey): string => `${school_id}/${session_id}`

  /** A clock that was set back says nothing of how old it is. */
  const isIdle = ({ keptAt }: Tail): boolean => Math.abs(clock.now() - keptAt) >= longestIdle
  let cancel: Cancel | null = null
  let stopped = false
  const sweep = (): void => {
    cancel = tails.size > 0 ? clock.after(sweepEvery, dropIdle) : null
  }
  const dropIdle = (): void => {
    for (const [name, tail] of tails) if (isIdle(tail)) tails.delete(name)
    sweep()
  }

  return {
    of(session) {
      const name = nameOf(session)
      const tail = tails.get(name)
      if (!tail) return null
      if (session.status === 'ended' || isIdle(tail)) {
        tails.delete(name)
        return null
      }
      const { last_sequence, message_count, messages } = tail
      return session.last_sequence === last_sequence && session.message_count === message_count ? messages : null
    },
    keep(session, before, message) {
      const name = nameOf(session)
      // The map keeps the order of insertion: the last heard stand last.
      tails.delete(name)
      const messages = [...before, message].slice(-count)
      const characters = messages.reduce((sum, { content }) => sum + (content?.ciphertext.length ?? 0), 0)
      if (stopped || session.status === 'ended' || characters > mostCharacters) return
      tails.set(name, {
        last_sequence: message.sequence,
        message_count: session.message_count + 1,
        messages,
        keptAt: clock.now(),
      })
      if (cancel === null) sweep()
      const [oldest] = tails.size > mostSessions ? tails.keys() : []
      if (oldest !== undefined) tails.delete(oldest)
    },
    drop: (session) => void tails.delete(nameOf(session)),
    stop() {
      stopped = true
      tails.clear()
      cancel?.()
    },
  }
}
