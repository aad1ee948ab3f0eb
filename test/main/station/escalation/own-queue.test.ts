import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tagsOf } from '../../../../main/platform/queue-tags.ts'
import { watchOwnQueue } from '../../../../main/station/escalation/index.ts'
import { hours, minutes } from '../../../../shared/time.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { openQueue } from '../../../support/queue.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

let queue: Awaited<ReturnType<typeof openQueue>>
beforeEach(async () => void (queue = await openQueue()))
afterEach(() => queue.stop())

it('looks every hour whether a console has claimed the station’s queue, and says so as long as it has', async () => {
  const clock = virtualClock()
  const looks: boolean[] = []
  const { logger, entries } = recordingLogger()
  const stop = watchOwnQueue({
    ...{ sqs: queue.sqs, queueUrl: queue.url, acksQueueUrl: 'another', clock, logger },
    onLook: async (taken) => void looks.push(taken),
  })
  const look = async (expected: boolean[]) => {
    clock.advance(hours(1))
    await vi.waitFor(() => expect(looks).toEqual(expected))
  }
  clock.advance(minutes(59))
  expect(looks).toEqual([])
  await look([false])
  const tags = tagsOf(queue.sqs, queue.url)
  await tags.write('console-1', { nonce: 'abc', number: 1, claiming: false, computer: 'front desk' })
  await look([false, true])
  expect(entries.map(({ level }) => level)).toEqual(['error'])
  await tags.remove(['console-1'])
  await look([false, true, false])
  await stop()
  clock.advance(hours(5))
  await stop()
  expect(looks).toHaveLength(3)
})
