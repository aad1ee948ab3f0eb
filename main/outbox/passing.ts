import { minutes } from '../../shared/time.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import type { Sending } from './sender.ts'

/** What is said while it is so, and worth nothing later: it stands in no database, and nothing waits for it. */
export interface Passing {
  /** Sends it in a moment, in place of what was to be sent of the same `subject`. */
  say(subject: string, message: { event_type: string; body: string }): void
  /** Ends when nothing is under way. */
  stop(): Promise<void>
}

/** Older than this it says nothing of now. */
const lasts = minutes(1)
const batchSize = 10
/** As many subjects wait at most: beyond that the oldest is dropped. */
const mostWaiting = 500

/**
 * A lane beside the outbox, one batch at a time, for what may be lost: the latest of each subject is sent once, and
 * dropped where it does not get through, or where `isHeldUp` says that what matters does not either.
 */
export function createPassing(options: { send: Sending; clock: Clock; logger: Logger; isHeldUp(): boolean }): Passing {
  const { send, clock, logger, isHeldUp } = options
  const waiting = new Map<string, { event_type: string; body: string; at: number }>()
  let running: Promise<void> | null = null
  let stopped = false

  const sendWaiting = async (): Promise<void> => {
    // What comes in the same moment goes in one batch.
    await Promise.resolve()
    while (waiting.size > 0 && !stopped) {
      const batch = [...waiting].slice(0, batchSize)
      for (const [subject] of batch) waiting.delete(subject)
      const now = clock.now()
      const messages = batch
        .filter(([, { at }]) => Math.abs(now - at) < lasts)
        .map(([id, { event_type, body }], position) => ({ position, id, group_id: id, event_type, body, attempts: 0 }))
      if (messages.length === 0 || isHeldUp()) continue
      try {
        await send(messages)
      } catch (error) {
        logger.info({ error, dropped: messages.length }, 'what is said in passing did not get through')
      }
    }
  }
  return {
    say(subject, message) {
      if (stopped) return
      waiting.delete(subject)
      waiting.set(subject, { ...message, at: clock.now() })
      for (const [oldest] of waiting) {
        if (waiting.size <= mostWaiting) break
        waiting.delete(oldest)
      }
      running ??= sendWaiting().finally(() => {
        running = null
      })
    },
    async stop() {
      stopped = true
      waiting.clear()
      await running
    },
  }
}
