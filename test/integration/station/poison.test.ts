/** What a console, or anybody who may write there, sends that can never be taken: it holds up nothing beside it. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seconds } from '../../../shared/time.ts'
import { marlow, openRecord, type OpenRecord } from '../../support/record.ts'
import { stationHouse, type StationHouse } from '../../support/station.ts'
import { crisis, school } from '../../support/wire.ts'

let at: OpenRecord
let house: StationHouse
beforeEach(async () => {
  at = openRecord()
  house = await stationHouse()
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
const sendTogether = (bodies: readonly string[]) =>
  house.queue.sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: house.acksQueueUrl,
      Entries: bodies.map((MessageBody, index) => ({ Id: `m${index}`, MessageBody })),
    }),
  )
const acknowledgements = async () => Promise.all(Array.from({ length: 9 }, (_, index) => acknowledgement(`s-${index}`)))
const relayed = async () => (await house.rows(`SELECT id FROM outbox WHERE event_type = 'ALERT_ACTION'`)).length
const said = () => house.entries.map((entry) => JSON.stringify(entry))

it('is refused where it is nested too deep, and those beside it are relayed', async () => {
  const deep = `{"event_type":"ALERT_ACTION","ack_id":"x","n":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  await sendTogether([deep, ...(await acknowledgements())])
  await house.start({ schoolId: school })
  await vi.waitFor(
    async () => expect([await relayed(), await house.queue.left(house.acksQueueUrl)]).toEqual([9, 0]),
    seconds(10),
  )
  expect(said().filter((line) => line.includes('what is no action is not relayed'))).toHaveLength(1)
  expect(said().filter((line) => line.includes('queue does not answer'))).toEqual([])
})

it('stays alone where the database keeps all but one, which the log says as it is', async () => {
  const bodies = await acknowledgements()
  const bad = String((JSON.parse(bodies[0] ?? '') as { ack_id: string }).ack_id)
  await house.run(
    `CREATE TRIGGER fails BEFORE INSERT ON records WHEN NEW.ack_id = '${bad}' BEGIN SELECT RAISE(ABORT, 'x'); END`,
  )
  await sendTogether(bodies)
  await house.start({ schoolId: school })
  await vi.waitFor(
    async () => expect([await relayed(), await house.queue.left(house.acksQueueUrl)]).toEqual([8, 1]),
    seconds(10),
  )
  expect(said().filter((line) => line.includes('it stays in the queue'))).not.toEqual([])
  expect(said().filter((line) => line.includes('queue does not answer'))).toEqual([])
})
