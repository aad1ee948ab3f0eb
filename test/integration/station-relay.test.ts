/** The way of an acknowledgement from a console to its station and back, on real queues and two real databases. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startConsumer, type Consumer } from '../../main/console/event-queue/index.ts'
import { startSender, toQueue, type Sender } from '../../main/outbox/index.ts'
import { cacheOutbox } from '../../main/store/console/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { seconds } from '../../shared/time.ts'
import { recordingLogger } from '../support/intake-school.ts'
import { marlow, openRecord, type OpenRecord } from '../support/record.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'
import { crisis, school } from '../support/wire.ts'

let at: OpenRecord
let house: StationHouse
const parts: (Sender | Consumer)[] = []
beforeEach(async () => {
  at = openRecord()
  house = await stationHouse()
})
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()))
  await house.close()
  at.close()
})

it('is recorded, sent, and confirmed when it comes back as an event; what it did is done once', async () => {
  const { db, clock } = at
  const { sqs, url: queueUrl } = house.queue
  const common = { db, clock, randomness: systemRandomness, logger: recordingLogger().logger }
  await at.receive(crisis())
  const key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
  const { ackId, alert } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
  const delivery = () =>
    at.rows(`SELECT outbox.sent_at IS NOT NULL AS sent, confirmed_at IS NOT NULL AS confirmed, elsewhere
      FROM actions JOIN outbox ON outbox.id = actions.id`)[0]
  expect(delivery()).toEqual({ sent: 0, confirmed: 0, elsewhere: 0 })

  const send = toQueue(sqs, house.acksQueueUrl)
  parts.push(startSender({ ...common, outbox: cacheOutbox(db), what: 'acknowledgements', inOrder: true, send }))
  await vi.waitFor(() => expect(delivery()).toMatchObject({ sent: 1, confirmed: 0 }))

  await house.start({ schoolId: school })
  const receive = { sqs, queueUrl, committer: at.committer, onState: () => undefined, onCommitError: () => undefined }
  parts.push(startConsumer({ ...common, ...receive, clock: systemClock }))
  await vi.waitFor(() => expect(delivery()).toEqual({ sent: 1, confirmed: 1, elsewhere: 0 }), { timeout: seconds(10) })
  expect(at.count('actions')).toBe(1)
  expect(at.lifecycle.find(key)).toMatchObject({
    acknowledged: { id: ackId },
    owner: alert.owner,
    due_at: alert.due_at,
  })
  expect(at.count('quarantine')).toBe(0)
})
