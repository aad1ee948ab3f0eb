/** Publishing as it is watched: counted, and said aloud once it fails for longer than a moment. */
import { minutes } from '../../shared/time.ts'
import type { Sending } from '../outbox/index.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import type { StationMetrics } from './metrics.ts'

export interface WatchedPublishing {
  publish: Sending
  /** Whether nothing has got through for longer than `failingAfter`, by default a minute. */
  isFailing(): boolean
}

export function watchPublishing(
  publish: Sending,
  {
    metrics,
    clock,
    logger,
    failingAfter = minutes(1),
  }: { metrics: StationMetrics; clock: Clock; logger: Logger; failingAfter?: number },
): WatchedPublishing {
  /** Since when nothing gets through, UTC ms; null = the last attempt got through. */
  let since: number | null = null
  let said = false
  const isFailing = (): boolean => since !== null && clock.now() - since > failingAfter

  const failed = (count: number): void => {
    since ??= clock.now()
    metrics.publishFailed(count)
    if (!isFailing() || said) return
    said = true
    logger.error({ failing_ms: clock.now() - since }, 'nothing can be published: no console hears of new alarms')
  }
  const gotThrough = (): void => {
    if (said) logger.warn({}, 'publishing works again')
    since = null
    said = false
  }

  return {
    isFailing,
    async publish(messages) {
      try {
        const refused = await publish(messages)
        const taken = messages.filter(({ id }) => !refused.has(id))
        metrics.eventsPublished(taken.map(({ event_type }) => event_type))
        if (taken.length > 0) gotThrough()
        if (taken.length < messages.length) {
          if (taken.length === 0) failed(messages.length)
          else metrics.publishFailed(messages.length - taken.length)
        }
        return refused
      } catch (error) {
        failed(messages.length)
        throw error
      }
    },
  }
}
