import { ListQueueTagsCommand, TagQueueCommand, UntagQueueCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { days, seconds } from '../../../shared/time.ts'
import type { Cancel, Clock } from '../../platform/ports.ts'

/** How often a running console renews its tag on the queue. */
export const presenceEvery = seconds(30)
const prefix = 'psyflo-console:'
const timeout = seconds(5)

/** A console that has shown itself on a queue. */
export interface Presence {
  consoleId: string
  /** When it last said so, by its own clock. */
  at: number
}

/** The consoles that have shown themselves on a queue. Throws what SQS answers where tags may not be read. */
export async function consolesOnQueue(sqs: SQSClient, queueUrl: string): Promise<Presence[]> {
  const { Tags = {} } = await sqs.send(new ListQueueTagsCommand({ QueueUrl: queueUrl }), { requestTimeout: timeout })
  return Object.entries(Tags)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => ({ consoleId: key.slice(prefix.length), at: Date.parse(value) || 0 }))
}

/**
 * Shows this console on its queue, as a tag with the time: two consoles on one queue would each see
 * half of the alarms, and nothing else in SQS tells who receives. Where the permissions for tags are
 * missing it does without.
 */
export function showPresence(options: { sqs: SQSClient; queueUrl: string; consoleId: string; clock: Clock }): {
  stop(): Promise<void>
} {
  const { sqs, queueUrl, consoleId, clock } = options
  let stopped = false
  let cancel: Cancel = () => undefined
  const untag = (ids: string[]) =>
    sqs.send(new UntagQueueCommand({ QueueUrl: queueUrl, TagKeys: ids.map((id) => prefix + id) }), {
      requestTimeout: timeout,
    })
  const renew = async (): Promise<void> => {
    try {
      await sqs.send(
        new TagQueueCommand({
          QueueUrl: queueUrl,
          Tags: { [prefix + consoleId]: new Date(clock.now()).toISOString() },
        }),
        { requestTimeout: timeout },
      )
    } catch {
      // Not permitted, or not reachable: receiving tells about the second.
    }
    if (!stopped) cancel = clock.after(presenceEvery, () => void renew())
  }
  /** A queue holds 50 tags: those of consoles that are gone make room. */
  const tidy = async (): Promise<void> => {
    try {
      const gone = (await consolesOnQueue(sqs, queueUrl)).filter(({ at }) => at < clock.now() - days(1))
      if (gone.length > 0) await untag(gone.map((presence) => presence.consoleId))
    } catch {
      // They stay until a console with the permission comes.
    }
  }
  void tidy().then(renew)
  return {
    async stop() {
      stopped = true
      cancel()
      try {
        await untag([consoleId])
      } catch {
        // It grows old by itself.
      }
    },
  }
}
