import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRandomness } from '../../../main/platform/randomness.ts'
import { startHeartbeat } from '../../../main/station/heartbeat.ts'
import { coverageNow } from '../../../shared/escalation/index.ts'
import type { CoverageNow } from '../../../shared/events.ts'
import { policySchema } from '../../../shared/policy.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { intakeSchool, otherSchool, school, type IntakeSchool } from '../../support/intake-school.ts'
import { policyOnCall, rung } from '../../support/on-call.ts'
import { listed } from '../../support/policies.ts'
import { onEachStore } from '../../support/test-stores.ts'

let at: IntakeSchool
const stops: (() => Promise<void>)[] = []
/** How often a station has looked whether to beat. */
let looks = 0
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await at.close()
})

const start = (
  stationId = 'station-1',
  schools = [school],
  ladder: 'on' | 'off' = 'on',
  {
    coverage = null,
    onChanged,
  }: { coverage?: CoverageNow | null; onChanged?: (beat: (schoolId: string) => void) => void } = {},
) => {
  const { store, clock, logger } = at
  const common = { store, clock, logger, randomness: systemRandomness, onQueued: () => void looks++ }
  const stop = startHeartbeat({
    ...common,
    schools: () => Promise.resolve(schools),
    publishingFailingSince: (id) => failing.get(id) ?? null,
    ladder,
    ways: () => ['desktop', 'sms'],
    coverage: () => Promise.resolve(coverage),
    ...(onChanged && { onChanged }),
    stationId,
  })
  stops.push(stop)
  return stop
}
/** Since when publishing fails, by school. */
const failing = new Map<string, number>()
const beats = async () =>
  (await at.events()).map((event) =>
    event.event_type === 'HEARTBEAT' ? [event.school_id, event.source, event.number] : [event.event_type],
  )
const count = (expected: number) => vi.waitFor(async () => expect(await beats()).toHaveLength(expected))

describe('a heartbeat', () => {
  beforeEach(async () => void (at = await intakeSchool()))

  it('comes at once where who would be told has changed, for that school alone', async () => {
    let changed: (schoolId: string) => void = () => undefined
    start('station-1', [school, otherSchool], 'on', { onChanged: (beat) => void (changed = beat) })
    await count(2)
    changed(school)
    await count(3)
    expect((await beats()).at(-1)).toEqual([school, 'station-1', 2])
  })

  it('out of turn comes no more often than in ten seconds, and in place of none that is due', async () => {
    let changed: (schoolId: string) => void = () => undefined
    start('station-1', [school], 'on', { onChanged: (beat) => void (changed = beat) })
    await count(1)
    at.clock.advance(seconds(40))
    for (let saved = 0; saved < 50; saved += 1) changed(school)
    await count(2)
    at.clock.advance(seconds(9))
    await count(2)
    // What was saved since is told, too.
    at.clock.advance(seconds(1))
    await count(3)
    at.clock.advance(seconds(10))
    await count(4)
  })

  it('that meets a full disk comes with the next minute, until it is stopped', async () => {
    await at.run(`CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END`)
    const errors = (expected: number) =>
      vi.waitFor(() => expect(at.entries.filter(({ level }) => level === 'error')).toHaveLength(expected))
    const stop = start()
    await errors(1)
    at.clock.advance(minutes(1))
    await errors(2)
    await at.run('DROP TRIGGER full')
    at.clock.advance(minutes(1))
    await count(1)
    // What could not be queued took no number.
    expect(await beats()).toEqual([[school, 'station-1', 1]])
    await stop()
    at.clock.advance(minutes(5))
    expect(await beats()).toHaveLength(1)
  })
})

onEachStore((kind) => {
  beforeEach(async () => void (at = await intakeSchool({}, kind)))

  it('is numbered for each school by itself, without a gap', async () => {
    start('station-1', [school, otherSchool])
    await count(2)
    at.clock.advance(minutes(1))
    await count(4)
    const numbers = (await beats()).map(([id, , number]) => [id, number])
    expect(numbers).toEqual([
      [school, 1],
      [otherSchool, 1],
      [school, 2],
      [otherSchool, 2],
    ])
  })

  it.each(['on', 'off'] as const)('says whether the ladder is run here: %s', async (ladder) => {
    start('station-1', [school], ladder)
    await count(1)
    expect(await at.events()).toMatchObject([{ event_type: 'HEARTBEAT', ladder, channels: ['desktop', 'sms'] }])
  })

  it.each(['é', '\u0001', '"'])(
    'of the largest directory and ladder that can be saved fits into one message, and says how many it does not name (%j)',
    async (letter) => {
      const people = Array.from({ length: 2_000 }, (_, index) =>
        listed(`${String(index).padStart(4, '0')}${letter.repeat(196)}`, {
          name: `Person ${index}`,
          role: 'COUNSELOR',
        }),
      )
      const everybody = { kind: 'role' as const, role: 'COUNSELOR' as const }
      const rungs = Array.from({ length: 10 }, (_, index) => rung(24 * index, [everybody]))
      const policy = policySchema.parse(policyOnCall({ crisis: rungs }, { people }))
      const coverage = coverageNow(policy, at.clock.now(), { version: 1, assigned: 'various' })
      start('station-1', [school], 'on', { coverage })
      await count(1)
      const [body = ''] = await at.bodies()
      // As a topic wraps it, too.
      expect(Buffer.byteLength(JSON.stringify({ Message: body }))).toBeLessThan(256 * 1024)
      const [beat] = await at.events()
      const said = beat?.event_type === 'HEARTBEAT' ? (beat.coverage?.rungs ?? []) : []
      expect(said).toHaveLength(10)
      expect(said[0]?.to).toHaveLength(20)
      expect(said.map(({ to, more = 0 }) => to.length + more)).toEqual(rungs.map(() => 2_000))
    },
  )

  it('says to the consoles of a school since when its events do not get through', async () => {
    failing.set(school, at.clock.now())
    start('station-1', [school, otherSchool])
    await count(2)
    failing.clear()
    at.clock.advance(minutes(1))
    await count(4)
    const said = (await at.events()).map((event) =>
      event.event_type === 'HEARTBEAT' ? event.publishing_failing_since : 0,
    )
    expect(said).toEqual([at.clock.now() - minutes(1), undefined, undefined, undefined])
    expect((await at.bodies()).filter((body) => body.includes('publishing_failing_since'))).toHaveLength(1)
  })

  it('of two stations is one a minute, and no number is given twice', async () => {
    start('station-1')
    await count(1)
    at.clock.advance(seconds(20))
    start('station-2')
    await count(2)
    looks = 0
    for (let minute = 1; minute <= 5; minute++) {
      at.clock.advance(minutes(1))
      await vi.waitFor(() => expect(looks).toBe(2 * minute))
    }
    const numbers = (await beats()).map(([, , number]) => number)
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('goes on with the other station when one has ended', async () => {
    const stop = start('station-1')
    await count(1)
    at.clock.advance(seconds(30))
    start('station-2')
    await count(2)
    await stop()
    at.clock.advance(minutes(1))
    await count(3)
    expect((await beats()).at(-1)).toEqual([school, 'station-2', 3])
  })
})
