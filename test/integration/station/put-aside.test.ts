/** What people did, and SQS put aside before a station could keep it, on real queues and a real database. */
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkActionsPutAside } from '../../../main/doctor/actions-put-aside.ts'
import { minutes } from '../../../shared/time.ts'
import { marlow, openRecord, type OpenRecord } from '../../support/record.ts'
import { callAt, stationHouse, type StationHouse } from '../../support/station.ts'
import { legacyCrisis } from '../../support/events.ts'
import { crisis, school } from '../../support/wire.ts'

let at: OpenRecord
let house: StationHouse
let deadLetters: string
beforeEach(async () => {
  at = openRecord()
  house = await stationHouse()
  deadLetters = await house.queue.create('acks-dead')
  const { Attributes } = await house.queue.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  )
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 2 })
  await house.queue.sqs.send(
    new SetQueueAttributesCommand({ QueueUrl: house.acksQueueUrl, Attributes: { RedrivePolicy } }),
  )
})
afterEach(async () => {
  await house.close()
  at.close()
})

/** What a console sends of an acknowledgement. */
async function acknowledgement(session_id: string): Promise<string> {
  await at.receive(crisis({ session_id }))
  const key = String(at.rows('SELECT key FROM alerts WHERE session_id = ?', session_id)[0]?.['key'])
  const { ackId } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
  return String(at.rows('SELECT body FROM outbox WHERE id = ?', ackId)[0]?.['body'])
}
const relayed = async () => (await house.rows(`SELECT id FROM outbox WHERE event_type = 'ALERT_ACTION'`)).length
const said = () => checkActionsPutAside(house.queue.sqs, house.acksQueueUrl, { requestTimeout: 5000 })

it('leaves an alert where it lies that another queue put there, though the server does not say which', async () => {
  await house.queue.send(JSON.stringify(legacyCrisis()), deadLetters)
  await house.queue.send('rubbish', deadLetters)
  await house.queue.send(await acknowledgement('s-1'), deadLetters)
  await house.start({ schoolId: school })
  await vi.waitFor(async () => expect([await house.queue.left(deadLetters), await relayed()]).toEqual([2, 1]), 10_000)
})

it('is said by doctor, taken from there at the start and every minute, relayed once, and deleted', async () => {
  const first = await acknowledgement('s-1')
  await house.queue.send(first, deadLetters)
  expect(await said()).toMatchObject({
    status: 'warning',
    sentence: expect.stringMatching(/^1 message is in its dead-letter queue acks-dead: what people did/) as string,
  })
  const station = await house.start({ schoolId: school })
  await vi.waitFor(async () => expect([await house.queue.left(deadLetters), await relayed()]).toEqual([0, 1]), 10_000)
  expect(await said()).toBeNull()

  // The same again, and another one, which a look finds that comes a minute later.
  await house.queue.send(first, deadLetters)
  await house.queue.send(await acknowledgement('s-2'), deadLetters)
  await vi.waitFor(async () => {
    house.clock.advance(minutes(1))
    expect([await house.queue.left(deadLetters), await relayed()]).toEqual([0, 2])
  }, 15_000)
  expect((await callAt(station, 'GET', '/ready')).body).toMatchObject({ status: 'ready' })
})

it('that cannot be kept stays there, and whoever runs the station is told', async () => {
  await house.queue.send(await acknowledgement('s-1'), deadLetters)
  await house.run(`CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'x'); END`)
  const station = await house.start({ schoolId: school })
  await vi.waitFor(
    async () =>
      expect((await callAt(station, 'GET', '/ready')).body).toMatchObject({ degraded: ['records put aside'] }),
    10_000,
  )
  expect([await house.queue.left(deadLetters), await relayed()]).toEqual([1, 0])
})
