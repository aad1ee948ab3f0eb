import { expect, it, vi } from 'vitest'
import { createPassing, type Sending } from '../../../main/outbox/index.ts'
import { minutes } from '../../../shared/time.ts'
import { silentLogger } from '../../support/logger.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function lane(send: Sending = () => Promise.resolve(new Map()), isHeldUp = () => false) {
  const clock = virtualClock()
  const sent: string[][] = []
  const passing = createPassing({
    send: (messages) => {
      sent.push(messages.map(({ body }) => body))
      return send(messages)
    },
    clock,
    logger: silentLogger,
    isHeldUp,
  })
  return {
    clock,
    sent,
    say: (subject: string, body: string) => passing.say(subject, { event_type: 'T', body }),
    passing,
  }
}

it('what is said of one subject in one moment goes once, as it was said last', async () => {
  const { sent, say } = lane()
  say('a', 'first')
  say('b', 'other')
  say('a', 'second')
  await vi.waitFor(() => expect(sent).toEqual([['other', 'second']]))
})

it('what does not get through is dropped, and what follows is sent', async () => {
  let fails = true
  const { sent, say } = lane(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map())))
  say('a', 'lost')
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  fails = false
  say('b', 'next')
  await vi.waitFor(() => expect(sent).toEqual([['lost'], ['next']]))
})

it('nothing that waited behind an outage for a minute is sent after it', async () => {
  let answer = (): void => undefined
  const { clock, sent, say } = lane(() => new Promise((resolve) => (answer = () => resolve(new Map()))))
  say('a', 'first')
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  say('b', 'old by then')
  clock.advance(minutes(1))
  say('c', 'fresh')
  answer()
  await vi.waitFor(() => expect(sent).toEqual([['first'], ['fresh']]))
  answer()
})

it('nothing is sent while what matters does not get through', async () => {
  let held = true
  const { sent, say } = lane(undefined, () => held)
  say('a', 'held up')
  await new Promise((resolve) => setImmediate(resolve))
  held = false
  say('a', 'now')
  await vi.waitFor(() => expect(sent).toEqual([['now']]))
})

it('forgets the oldest of far too many', async () => {
  const { sent, say } = lane()
  for (let subject = 0; subject < 600; subject++) say(`s${subject}`, `b${subject}`)
  await vi.waitFor(() => expect(sent.flat()).toHaveLength(500))
  expect(sent.flat()[0]).toBe('b100')
})
