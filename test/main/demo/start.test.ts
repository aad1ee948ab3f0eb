/** The whole demonstration at a real station that does not take its past. */
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventsOfInterest, loadSchool, makeConsoleKeys, startDemonstration } from '../../../main/demo/index.ts'
import { startDeskQueue, type DeskQueue } from '../../../main/platform/desk-queue.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { parseApiKeys } from '../../../main/station/intake/index.ts'
import { school } from '../../support/intake-school.ts'
import { stationHouse, type StationHouse } from '../../support/station.ts'

let house: StationHouse
let queue: DeskQueue
beforeEach(async () => {
  house = await stationHouse()
  queue = await startDeskQueue(systemRandomness, school)
})
afterEach(async () => {
  await house.close()
  await queue.stop()
})

it('ends its past where a station refuses it: nothing reads its queue any more, and whoever waits for it goes on', async () => {
  const key = 'a-key-that-tells-no-past'
  const { sqs, acksQueueUrl } = queue
  const station = await house.start({ settings: { keys: parseApiKeys(`${key}::write`), bufferSize: 20 } })
  const { queueUrl, end } = await queue.subscribe('other-console', eventsOfInterest(school))
  const invented = loadSchool(join(import.meta.dirname, '../../../resources/demo'))
  const told: (readonly string[])[] = []
  const left: unknown[] = []
  const { live, stop } = await startDemonstration({
    school: { ...invented, school: { ...invented.school, id: school } },
    ports: house.ports,
    station: { url: station.url, key },
    console: { keys: makeConsoleKeys(systemRandomness), sqs, eventsQueueUrl: queueUrl, acksQueueUrl },
    onProgress: () => undefined,
    async onTold(records) {
      told.push(records)
      // The question that was given up may take one more.
      for (const MessageBody of ['the one', 'the other'])
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }))
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 1 }))
      left.push(...Messages)
      await end()
    },
  })
  await live
  expect(told).toEqual([[]])
  expect(left).toHaveLength(1)
  expect(house.entries.filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'the demonstration stopped' },
  ])
  await stop()
})
