import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSender, toQueue, type Sender } from '../../../../main/outbox/index.ts'
import { startStation, type Station } from '../../../../main/station/relay/index.ts'
import { relayAction } from '../../../../main/station/relay/relay-action.ts'
import { startConsumer, type Consumer } from '../../../../main/console/event-queue/index.ts'
import { systemClock } from '../../../../main/platform/clock.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { seconds } from '../../../../shared/time.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { openQueue, type OpenQueue } from '../../../support/queue.ts'
import { marlow, openRecord, type OpenRecord } from '../../../support/record.ts'
import { crisis, school } from '../../../support/wire.ts'

describe('a message from the acknowledgement queue', () => {
  it.each(['', 'no', 'null', '5', '"text"', '[]', '{}', '{"ack_id":5}'])('“%s” is no action', (body) => {
    expect(relayAction(body)).toBeNull()
  })

  it('is an action under its id whatever else it holds, and nothing throws', () => {
    const ack_id = fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined })
    const event_type = fc.constantFrom('ALERT_ACKNOWLEDGED', 'ALERT_ACTION', 5, undefined)
    const message = fc.tuple(fc.object(), ack_id, event_type)
    fc.assert(
      fc.property(message, ([fields, ack_id, event_type]) => {
        const relayed = relayAction(JSON.stringify({ ...fields, ack_id, event_type }))
        if (typeof ack_id !== 'string') expect(relayed).toBeNull()
        else expect(relayed).toMatchObject({ id: ack_id })
        if (relayed && typeof event_type === 'string')
          expect(relayed.event).toMatchObject({ event_type: 'ALERT_ACTION' })
      }),
    )
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => void relayAction(body)))
  })
})

describe('the whole way of an acknowledgement', () => {
  let at: OpenRecord
  let queue: OpenQueue
  const parts: (Sender | Station | Consumer)[] = []
  beforeEach(async () => {
    at = openRecord()
    queue = await openQueue()
  })
  afterEach(async () => {
    await Promise.all(parts.splice(0).map((part) => part.stop()))
    await queue.stop()
    at.close()
  })

  it('recorded, sent, and confirmed when it comes back as an event; what it did is done once', async () => {
    const acksQueueUrl = await queue.create('acks')
    const { db } = at
    const common = { db, clock: at.clock, randomness: systemRandomness, logger: recordingLogger().logger }
    await at.receive(crisis())
    const key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
    const { ackId, alert } = at.lifecycle.act(key, marlow, { action: 'acknowledged' })
    const delivery = () =>
      at.rows(`SELECT outbox.sent_at IS NOT NULL AS sent, confirmed_at IS NOT NULL AS confirmed, elsewhere
        FROM actions JOIN outbox ON outbox.id = actions.id`)[0]
    expect(delivery()).toEqual({ sent: 0, confirmed: 0, elsewhere: 0 })

    parts.push(
      startSender({ ...common, target: 'acks', send: toQueue(queue.sqs, acksQueueUrl), onSent: () => undefined }),
    )
    await vi.waitFor(() => expect(delivery()).toMatchObject({ sent: 1, confirmed: 0 }))

    const events = startSender({
      ...common,
      target: 'events',
      send: toQueue(queue.sqs, queue.url),
      onSent: () => undefined,
    })
    parts.push(events)
    parts.push(
      startStation({ ...common, sqs: queue.sqs, acksQueueUrl, schoolId: school, onQueued: () => events.wake() }),
    )
    parts.push(
      startConsumer({
        ...common,
        clock: systemClock,
        sqs: queue.sqs,
        queueUrl: queue.url,
        committer: at.committer,
        onState: () => undefined,
        onCommitError: () => undefined,
      }),
    )
    await vi.waitFor(() => expect(delivery()).toEqual({ sent: 1, confirmed: 1, elsewhere: 0 }), {
      timeout: seconds(10),
    })
    expect(at.count('actions')).toBe(1)
    expect(at.lifecycle.find(key)).toMatchObject({
      acknowledged: { id: ackId },
      owner: alert.owner,
      due_at: alert.due_at,
    })
    // Confirmed events leave the outbox: nothing of this target is sent again.
    await vi.waitFor(() => expect(at.count(`outbox WHERE target = 'events'`)).toBe(0))
    expect(at.count('quarantine')).toBe(0)
  })

  it('a heartbeat that meets a full disk comes with the next minute', async () => {
    const acksQueueUrl = await queue.create('acks')
    at.db.exec(`CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END`)
    const { logger, entries } = recordingLogger()
    parts.push(
      startStation({
        db: at.db,
        sqs: queue.sqs,
        acksQueueUrl,
        schoolId: school,
        clock: at.clock,
        randomness: systemRandomness,
        logger,
        onQueued: () => undefined,
      }),
    )
    at.clock.advance(seconds(61))
    at.db.exec('DROP TRIGGER full')
    at.clock.advance(seconds(60))
    expect(at.count('outbox')).toBe(1)
    expect(entries.filter(({ level }) => level === 'error')).toHaveLength(2)
  })
})
