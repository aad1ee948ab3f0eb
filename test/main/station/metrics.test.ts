import { beforeEach, describe, expect, it } from 'vitest'
import type { Sending } from '../../../main/outbox/index.ts'
import { createMetrics } from '../../../main/station/index.ts'
import type { StationMetrics } from '../../../main/station/metrics.ts'
import { watchPublishing } from '../../../main/station/publishing.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { recordingLogger, scriptedEngine } from '../../support/intake-school.ts'
import { said } from '../../evaluation/engine.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

let clock: ReturnType<typeof virtualClock>
let metrics: StationMetrics
beforeEach(() => {
  clock = virtualClock()
  metrics = createMetrics(clock, { ofProcess: false })
})
/** The value of one line, null where there is none. */
const figure = async (name: string): Promise<number | null> => {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length))
}

describe('what waits in the outbox', () => {
  it('is counted, with the age of the oldest, at the moment of asking', async () => {
    let oldest: number | null = clock.now()
    metrics.watch({ waiting: () => ({ count: oldest === null ? 0 : 3, oldest }), publishFailing: () => false })
    clock.advance(seconds(90))
    expect([await figure('psyflo_outbox_waiting'), await figure('psyflo_outbox_oldest_age_seconds')]).toEqual([3, 90])
    oldest = null
    expect([await figure('psyflo_outbox_waiting'), await figure('psyflo_outbox_oldest_age_seconds')]).toEqual([0, 0])
  })

  it('is no number where the database does not answer, and all else is told', async () => {
    const waiting = () => Promise.reject(new Error('gone'))
    metrics.watch({ waiting, publishFailing: () => false })
    metrics.heartbeatsQueued(2)
    expect(await metrics.text()).toMatch(/^psyflo_outbox_waiting Nan$/im)
    expect(await figure('psyflo_heartbeats_total')).toBe(2)
  })
})

describe('an engine that is timed', () => {
  it('answers what it answers and is what it is, also where it fails', async () => {
    const engine = scriptedEngine()
    const timed = metrics.timeAssessments(engine)
    expect(timed.assess(said('hello'))).toEqual(engine.assess(said('hello')))
    engine.assessWith = async (input) => {
      clock.advance(seconds(0.2))
      return engine.assess(input)
    }
    await timed.assessWith(said('hello'), { timer: clock })
    expect(() => timed.assess(said('xx-engine-throws-xx'))).toThrow()
    expect(timed.protocolReply).toBe(engine.protocolReply)
    expect(await figure('psyflo_assessment_duration_seconds_count')).toBe(3)
    expect(await figure('psyflo_assessment_duration_seconds_sum')).toBeCloseTo(0.2)
  })
})

describe('publishing', () => {
  const message = (id: string) => ({ position: 1, id, group_id: 'g', event_type: 'HEARTBEAT', body: '{}', attempts: 0 })
  const three = ['a', 'b', 'c'].map(message)
  const { logger, entries } = recordingLogger()
  let answer: Sending
  const watched = () => watchPublishing((messages) => answer(messages), { metrics, clock, logger })

  it('is failing once nothing has got through for more than a minute, and says so once', async () => {
    const { publish, isFailing } = watched()
    metrics.watch({ waiting: () => ({ count: 0, oldest: null }), publishFailing: isFailing })
    answer = () => Promise.reject(new Error('unreachable'))
    for (let times = 0; times < 4; times++) {
      expect(isFailing()).toBe(times * seconds(20.1) > minutes(1))
      await expect(publish(three)).rejects.toThrow('unreachable')
      clock.advance(seconds(20.1))
    }
    await expect(publish(three)).rejects.toThrow()
    expect(await figure('psyflo_publish_failing')).toBe(1)
    expect(await figure('psyflo_publish_failures_total')).toBe(15)
    expect(entries.filter(({ level }) => level === 'error')).toHaveLength(1)
    answer = () => Promise.resolve(new Map([['b', 'InternalError']]))
    await publish(three)
    expect(isFailing()).toBe(false)
    expect(await figure('psyflo_publish_failing')).toBe(0)
    expect(await figure('psyflo_publish_failures_total')).toBe(16)
    expect(await figure('psyflo_events_published_total{event_type="HEARTBEAT"}')).toBe(2)
    expect(entries.at(-1)).toMatchObject({ level: 'warn', message: 'publishing works again' })
  })

  it('is failing, too, where the topic answers and takes nothing', async () => {
    const { publish, isFailing } = watched()
    answer = (messages) => Promise.resolve(new Map(messages.map(({ id }) => [id, 'InvalidParameter'])))
    await publish(three)
    clock.advance(minutes(1) + 1)
    expect(isFailing()).toBe(true)
  })
})
