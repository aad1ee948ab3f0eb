import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UntagQueueCommand } from '@aws-sdk/client-sqs'
import { claimQueue, type Claim, type QueueClaim } from '../../../../main/console/event-queue/index.ts'
import { tagsOf } from '../../../../main/platform/queue-tags.ts'
import { sqsClient } from '../../../../main/platform/aws.ts'
import { systemClock } from '../../../../main/platform/clock.ts'
import type { Clock } from '../../../../main/platform/ports.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { httpServer } from '../../../support/http-server.ts'
import { silentLogger } from '../../../support/logger.ts'
import { openQueue, type OpenQueue } from '../../../support/queue.ts'

let queue: OpenQueue
const claims: QueueClaim[] = []
beforeEach(async () => {
  queue = await openQueue()
})
afterEach(async () => {
  await Promise.all(claims.splice(0).map((claim) => claim.stop()))
  await queue.stop()
})

/** Hours apart from others' and `times` as fast as theirs, like nothing that tags may be compared with. */
const hurried = (times: number, ahead = 0): Clock => ({
  now: () => systemClock.now() * times + ahead,
  after: (delay, work) => systemClock.after(delay / times, work),
})

interface Options {
  id: string
  clock?: Clock
  sqs?: OpenQueue['sqs']
  queueUrl?: string
  onWaiting?: () => void
  signal?: AbortSignal
}
const options = ({ id, clock = hurried(100), sqs = queue.sqs, queueUrl = queue.url, ...rest }: Options) => ({
  ...{ sqs, queueUrl, consoleId: id, computer: `office-${id}`, clock },
  ...{ randomness: systemRandomness, logger: silentLogger, onState: () => undefined },
  signal: new AbortController().signal,
  ...rest,
})
const claim = async (of: Options): Promise<QueueClaim> => {
  const held = await claimQueue(options(of))
  claims.push(held)
  return held
}
const states = (): Claim['state'][] => claims.map((each) => each.state().state)
const tagged = async () => (await tagsOf(queue.sqs, queue.url).read()).map(({ consoleId }) => consoleId).sort()
/** What a console leaves that was stopped by force. */
const leave = (id: string) =>
  tagsOf(queue.sqs, queue.url).write(id, { nonce: 'abc0', number: 7, claiming: false, computer: `office-${id}` })
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 5 })

describe('a console that claims its queue', () => {
  it('has it at once where nobody else is, and leaves nothing when it stops', async () => {
    const held = await claim({ id: 'one', onWaiting: () => expect.unreachable() })
    expect(held.state()).toEqual({ state: 'held' })
    expect(await tagged()).toEqual(['one'])
    await held.stop()
    expect(await tagged()).toEqual([])
  })

  it('is refused where another one counts up, whatever its clock says, and shows no trace afterwards', async () => {
    await claim({ id: 'b', clock: hurried(100, 7 * 3_600_000) })
    for (const id of ['a', 'c'])
      await expect(claimQueue(options({ id }))).rejects.toMatchObject({
        code: 'queue_taken',
        happened: 'Another console (office-b) receives from this queue. Each would get half of the alerts.',
      })
    expect(await tagged()).toEqual(['b'])
    expect(states()).toEqual(['held'])
  })

  it('waits no longer than 75 s for what a killed one has left, and clears it away', async () => {
    await leave('killed')
    const clock = hurried(100)
    let waited = 0
    const began = clock.now()
    const held = await claim({ id: 'one', clock, onWaiting: () => (waited += 1) })
    expect(held.state()).toEqual({ state: 'held' })
    expect(waited).toBe(1)
    expect(clock.now() - began).toBeGreaterThan(35_000)
    // Each look takes a few milliseconds, which this clock counts a hundredfold.
    expect(await tagged()).toEqual(['one'])
  })

  it('never waits for itself, started again after it was killed', async () => {
    await leave('one')
    expect((await claim({ id: 'one', onWaiting: () => expect.unreachable() })).state()).toEqual({ state: 'held' })
  })

  it('takes an older version’s tag for alive where it changes, and only there', async () => {
    const key = 'psyflo-console:older'
    const tag = (value: string) => queue.tag({ [key]: value })
    await tag(new Date(0).toISOString())
    const beats: Promise<unknown>[] = []
    const beat = setInterval(() => beats.push(tag(new Date(performance.now()).toISOString())), 20)
    try {
      await expect(claimQueue(options({ id: 'one' }))).rejects.toMatchObject({
        happened: 'Another console receives from this queue. Each would get half of the alerts.',
      })
    } finally {
      clearInterval(beat)
      // None is left on its way when the queue stops.
      await Promise.all(beats)
    }
  })

  it('stops claiming when the program stops', async () => {
    await leave('killed')
    const stopping = new AbortController()
    const claiming = claimQueue(options({ id: 'one', signal: stopping.signal, onWaiting: () => stopping.abort() }))
    await expect(claiming).rejects.toThrow()
    expect(await tagged()).toEqual(['killed'])
  })
})

describe('a claim that another console does not respect', () => {
  it('turns both, each naming the other, and is held again once the other is gone', async () => {
    const one = await claim({ id: 'one' })
    await queue.sqs.send(new UntagQueueCommand({ QueueUrl: queue.url, TagKeys: ['psyflo-console:one'] }))
    const other = await claim({ id: 'other' })
    await until(() => expect(states()).toEqual(['shared', 'shared']))
    expect(one.state()).toMatchObject({ computer: 'office-other' })
    expect(other.state()).toMatchObject({ computer: 'office-one' })
    expect(await one.look()).toMatchObject({ state: 'shared' })
    await other.stop()
    await until(() => expect(one.state()).toEqual({ state: 'held' }))
  })

  it('is held again, too, where the other was stopped by force', async () => {
    const one = await claim({ id: 'one' })
    await leave('killed')
    await until(() => expect(one.state()).toMatchObject({ state: 'shared', computer: 'office-killed' }))
    await until(() => expect(one.state()).toEqual({ state: 'held' }))
  })

  it('is seen between two copies of one data directory', async () => {
    await claim({ id: 'copied' })
    await claim({ id: 'copied' })
    await until(() => expect(states()).toEqual(['shared', 'shared']))
  })
})

it('of consoles that start at one moment exactly one receives, or all of them know: 50 seeded races', async () => {
  const race = async (seed: number): Promise<string[]> => {
    const queueUrl = await queue.create(`race-${seed}`)
    // Two or three, begun up to 100 ms apart, in an order and with gaps that the seed decides.
    const racers = Array.from({ length: 2 + (seed % 2) }, (_, index) => ({
      id: `${(seed * 7 + index * 13) % 10}-${index}`,
      after: (seed * (index + 1) * 37) % 100,
    }))
    const begun = await Promise.all(
      racers.map(async ({ id, after }) => {
        await new Promise<void>((resolve) => void systemClock.after(after, resolve))
        return claimQueue(options({ id, queueUrl, clock: hurried(250) })).catch(() => null)
      }),
    )
    const receiving = begun.filter((each) => each !== null)
    claims.push(...receiving)
    expect(receiving, `seed ${seed}`).not.toHaveLength(0)
    if (receiving.length > 1)
      await until(() =>
        expect(
          receiving.map((each) => each.state().state),
          `seed ${seed}`,
        ).not.toContain('held'),
      )
    return receiving.map((each) => each.state().state)
  }
  const outcomes: string[][] = []
  for (let seed = 0; seed < 50; seed += 25)
    outcomes.push(...(await Promise.all(Array.from({ length: 25 }, (_, index) => race(seed + index)))))
  // Tags that everybody sees at once leave exactly one.
  expect(outcomes.filter((states) => states.length === 1).length).toBeGreaterThanOrEqual(45)
}, 60_000)

describe('where the queue’s tags cannot be used', () => {
  const answering = async (status: number, type: string) => {
    const server = await httpServer((response) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify({ __type: type })),
    )
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
    const sqs = sqsClient({ region: 'us-east-1', endpoint: server.url, credentials })
    return { sqs, stop: () => server.stop() }
  }

  it('nothing is claimed and nobody refused: it says so, and why', async () => {
    const server = await answering(403, 'AccessDeniedException')
    expect((await claim({ id: 'one', sqs: server.sqs })).state()).toEqual({ state: 'unknown', why: 'not permitted' })
    await server.stop()
    const nobody = sqsClient({ region: 'us-east-1', endpoint: 'http://127.0.0.1:9', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } }) // prettier-ignore
    expect((await claim({ id: 'two', sqs: nobody })).state()).toEqual({ state: 'unknown', why: 'no answer' })
  })
})
