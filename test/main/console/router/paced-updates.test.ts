import { expect, it } from 'vitest'
import { paced } from '../../../../main/console/router/paced-updates.ts'
import { hours } from '../../../../shared/time.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

function listening(interval: number) {
  const clock = virtualClock(Date.UTC(2026, 0, 20))
  const ending = new AbortController()
  let send: (value: number) => void = () => undefined
  const values = paced<number>(
    (tell) => {
      send = tell
      return () => undefined
    },
    { clock, interval, merge: (a, b) => a + b, signal: ending.signal },
  )
  return { clock, values, ending, send: (value: number) => send(value) }
}

it('sends the first at once, and what comes meanwhile as one, an interval later', async () => {
  const { clock, values, ending, send } = listening(500)
  const first = values.next()
  send(1)
  expect(await first).toEqual({ value: 1, done: false })
  const second = values.next()
  send(2)
  send(3)
  await Promise.resolve()
  clock.advance(500)
  expect(await second).toEqual({ value: 5, done: false })
  ending.abort()
})

it('waits no longer than its interval when the clock was set back', async () => {
  const { clock, values, ending, send } = listening(500)
  const first = values.next()
  send(1)
  await first
  clock.set(clock.now() - hours(1))
  const second = values.next()
  send(2)
  await Promise.resolve()
  clock.advance(500)
  expect(await second).toEqual({ value: 2, done: false })
  ending.abort()
})
