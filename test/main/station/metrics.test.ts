import { beforeEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../main/station/index.ts'
import type { StationMetrics } from '../../../main/station/metrics.ts'
import { seconds } from '../../../shared/time.ts'
import { scriptedEngine } from '../../support/intake-school.ts'
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
    metrics.heartbeatQueued()
    metrics.heartbeatQueued()
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

  it('is counted by what the topic takes and what it does not, and answers what it answers', async () => {
    const unreachable = metrics.countPublished(() => Promise.reject(new Error('unreachable')))
    await expect(unreachable(three)).rejects.toThrow('unreachable')
    expect(await figure('psyflo_publish_failures_total')).toBe(3)
    const refused = new Map([['b', 'InternalError']])
    expect(await metrics.countPublished(() => Promise.resolve(refused))(three)).toBe(refused)
    expect(await figure('psyflo_publish_failures_total')).toBe(4)
    expect(await figure('psyflo_events_published_total{event_type="HEARTBEAT"}')).toBe(2)
  })
})
