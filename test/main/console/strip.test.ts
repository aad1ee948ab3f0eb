import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ladderNow } from '../../../main/console/ladder-now.ts'
import { watchProof, type Proof } from '../../../main/console/proof.ts'
import { createStrip, type Strip } from '../../../main/console/strip.ts'
import { appendAudit } from '../../../main/store/console/index.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { heartbeat, noon, school } from '../../support/wire.ts'

let at: OpenRecord
const people = [
  { id: 'rivera', name: 'A. Rivera', role: 'COUNSELOR' as const },
  { id: 'osei', name: 'K. Osei', role: 'COUNSELOR' as const },
  { id: 'dean', name: 'A. Dean', role: 'ADMIN' as const },
]
let strip: Strip
let watch: Proof
/** What the console was told of the ladder by its own variables. */
let configured: 'station' | 'off' | null
/** Whether its school knows this console. */
let enrolled: { state: 'waiting' | 'approved'; since: number }
const open = (demo = false): Strip => {
  watch = watchProof(at)
  return createStrip({
    db: at.db,
    changes: at.changes,
    clock: at.clock,
    proof: watch,
    drills: { newest: () => null },
    people: () => people,
    schoolId: () => school,
    connection: () => ({ state: 'connected', since: noon, error: null, waiting: 0, age_ms: null, retention_days: 14 }),
    sharing: () => null,
    deadLetters: () => null,
    enrolment: () => enrolled,
    ladder: () => ladderNow(watch, configured),
    demo,
  })
}
const proof = () => {
  const { proven_at, heartbeat_overdue } = strip.now()
  return { proven_at, heartbeat_overdue }
}
/** What the strip says now, and after the program was started anew. */
const sayTwice = () => {
  const before = proof()
  strip.stop()
  watch.stop()
  strip = open()
  return [before, proof()]
}

beforeEach(() => {
  at = openRecord()
  configured = null
  enrolled = { state: 'approved', since: noon }
  strip = open()
})
afterEach(() => {
  strip.stop()
  watch.stop()
  at.close()
})

describe('a proof that the alarm works', () => {
  it('is as old as it is, however late it came, before and after a restart', async () => {
    await at.receive(heartbeat({ at: noon - hours(2) }))
    const old = { proven_at: noon - hours(2), heartbeat_overdue: true }
    expect(sayTwice()).toEqual([old, old])
  })

  it('is never younger than its arrival, where the sender’s clock is ahead', async () => {
    await at.receive(heartbeat({ at: noon + hours(3) }))
    const fresh = { proven_at: noon, heartbeat_overdue: false }
    expect(sayTwice()).toEqual([fresh, fresh])
    at.clock.advance(minutes(4))
    expect(proof().heartbeat_overdue).toBe(true)
  })

  it('from before this computer’s clock was set back hides no silence, and the next one counts', async () => {
    await at.receive(heartbeat({ at: noon }))
    at.clock.set(noon - hours(2))
    expect(sayTwice().map(({ heartbeat_overdue }) => heartbeat_overdue)).toEqual([true, true])
    await at.receive(heartbeat({ at: noon - hours(2) - seconds(1) }))
    expect(proof()).toEqual({ proven_at: noon - hours(2) - seconds(1), heartbeat_overdue: false })
  })
})

describe('who would be told now', () => {
  const said = { policy_version: 3, rungs: [{ after_s: 0, to: ['rivera', 'gone'], channels: ['sms'] }] }
  const told = [
    { kind: 'person', name: 'A. Rivera' },
    { kind: 'people', count: 1 },
  ]
  const beat = (changes: Record<string, unknown> = {}) => at.receive(heartbeat({ at: at.clock.now(), ...changes }))

  it('is what the newest heartbeat says, by name, before and after a restart', async () => {
    expect(strip.now().coverage).toBe('unknown')
    await beat({ coverage: { ...said, next_gap: new Date(noon + hours(2)).toISOString() } })
    const coverage = { rungs: [{ after_s: 0, told, only_at_console: false }], next_gap: noon + hours(2) }
    expect(strip.now().coverage).toEqual(coverage)
    strip.stop()
    watch.stop()
    strip = open()
    expect(strip.now().coverage).toEqual(coverage)
    expect(JSON.stringify(strip.now())).not.toMatch(/rivera"|gone/)
  })

  it('is not known once heartbeats stop, and nobody where one names nobody', async () => {
    await beat({ coverage: said })
    expect(strip.now().coverage).not.toBeNull()
    at.clock.advance(minutes(3) + 1)
    expect(strip.now().coverage).toBe('unknown')
    await beat({ ladder: 'off' })
    expect(strip.now().coverage).toBeNull()
    at.clock.advance(minutes(4))
    expect(strip.now().coverage).toBe('unknown')
  })

  it('is being worked out for a minute where the directory was saved since that heartbeat, and then as it says', async () => {
    const saved = (version: number) =>
      at.receive({
        ...{ schema_version: 2, event_type: 'POLICY_CHANGED', idempotency_key: `policy-${version}`, school_id: school },
        ...{ timestamp: new Date(at.clock.now()).toISOString(), version, changed_by: 'dean' },
        sealed: at.key.seal('{}'),
      })
    const nobody = { ...said, rungs: [] }
    await saved(3)
    await beat({ coverage: nobody })
    expect(strip.now().coverage).toEqual({ rungs: [], next_gap: null })
    await saved(4)
    expect(strip.now().coverage).toBe('pending')
    at.clock.advance(seconds(1))
    await beat({ coverage: { ...said, policy_version: 4 } })
    expect(strip.now().coverage).toMatchObject({ rungs: [{ told }] })
    await beat({ coverage: nobody })
    expect(strip.now().coverage).toBe('pending')
    at.clock.advance(minutes(1))
    expect(strip.now().coverage).toEqual({ rungs: [], next_gap: null })
  })

  it('is only at a console where a rung has no other way to those whom it tells', async () => {
    const rungs = [['desktop'], ['desktop', 'sms']].map((channels) => ({ after_s: 0, to: ['rivera'], channels }))
    await beat({ coverage: { ...said, rungs } })
    expect(strip.now().coverage).toMatchObject({ rungs: [{ only_at_console: true }, { only_at_console: false }] })
  })

  it('is not known, either, where the ladder runs and could not compute it', async () => {
    await beat({ ladder: 'on' })
    expect(strip.now()).toMatchObject({ ladder: 'station', coverage: 'unknown' })
  })
})

describe('whether anybody is told', () => {
  const beat = (changes: Record<string, unknown> = {}) => at.receive(heartbeat({ at: at.clock.now(), ...changes }))
  const said = () => {
    const { ladder, coverage } = strip.now()
    return [ladder, coverage]
  }
  const restart = () => {
    strip.stop()
    watch.stop()
    strip = open()
  }

  it.each([null, 'off', 'station'] as const)('is what the station says, whatever was configured: %s', async (set) => {
    configured = set
    await beat({ ladder: 'on' })
    expect(said()).toEqual(['station', 'unknown'])
    at.clock.advance(seconds(1))
    await beat({ ladder: 'off' })
    expect(said()).toEqual(['off', null])
    // Its silence is not the same, and neither is what it said before a night off.
    at.clock.advance(minutes(4))
    expect(said()).toEqual(['unknown', 'unknown'])
    restart()
    expect(said()).toEqual(['unknown', 'unknown'])
  })

  it('is as configured with a back end that never says it, with heartbeats and without', async () => {
    configured = 'station'
    expect(said()).toEqual(['station', null])
    await beat()
    expect(said()).toEqual(['station', null])
    configured = 'off'
    expect(said()).toEqual(['off', null])
    at.clock.advance(minutes(4))
    expect(said()).toEqual(['off', null])
    configured = null
    expect(said()).toEqual(['unknown', 'unknown'])
  })

  it('is not known after a restart until a heartbeat comes', async () => {
    configured = 'off'
    await beat({ ladder: 'on' })
    at.clock.advance(hours(9))
    restart()
    expect(said()).toEqual(['unknown', 'unknown'])
    await beat({ ladder: 'on' })
    expect(said()).toEqual(['station', 'unknown'])
  })
})

describe('heartbeats that never came', () => {
  const beat = (number: number, made: number) => at.receive(heartbeat({ at: made, number }))

  it('are named by their numbers once they are 2 minutes late, also after a restart, until they come', async () => {
    await beat(411, noon)
    at.clock.advance(minutes(5))
    await beat(416, noon + minutes(5))
    expect(strip.now().missing_heartbeats).toBeNull()
    at.clock.advance(minutes(2))
    const missing = { ranges: [{ from: 412, to: 415 }], noticed_at: noon + minutes(5) }
    expect(strip.now().missing_heartbeats).toEqual(missing)
    strip.stop()
    watch.stop()
    strip = open()
    expect(strip.now().missing_heartbeats).toEqual(missing)
    await beat(413, noon + minutes(2))
    expect(strip.now().missing_heartbeats?.ranges).toEqual([
      { from: 412, to: 412 },
      { from: 414, to: 415 },
    ])
    for (const number of [412, 414, 415]) await beat(number, noon + minutes(number - 411))
    expect(strip.now().missing_heartbeats).toBeNull()
  })

  it('are named after one whose number cannot be, which is said, also after a restart', async () => {
    await beat(411, noon)
    await beat(9_000_000, noon)
    at.clock.advance(minutes(3))
    await beat(414, noon + minutes(3))
    at.clock.advance(minutes(2))
    const said = {
      missing_heartbeats: { ranges: [{ from: 412, to: 413 }], noticed_at: noon + minutes(3) },
      unlikely_heartbeat: { number: 9_000_000, noticed_at: noon },
    }
    expect(strip.now()).toMatchObject(said)
    strip.stop()
    watch.stop()
    strip = open()
    expect(strip.now()).toMatchObject(said)
  })
})

it('says that this console is not approved, once it has waited half a minute for a station to do so', async () => {
  const said = () => strip.now().not_approved
  enrolled = { state: 'waiting', since: at.clock.now() }
  at.clock.advance(minutes(1))
  expect(said()).toBe(false)
  await at.receive(heartbeat({ at: at.clock.now(), ladder: 'on' }))
  expect(said()).toBe(true)
  enrolled = { state: 'approved', since: at.clock.now() }
  expect(said()).toBe(false)
  enrolled = { state: 'waiting', since: at.clock.now() }
  at.clock.advance(seconds(30) - 1)
  expect(said()).toBe(false)
  at.clock.advance(1)
  expect(said()).toBe(true)
})

describe('a demonstration', () => {
  const did = (who: string, what: string) =>
    appendAudit(at.db, { at: noon, who, role: 'COUNSELOR', what, subject: '', why: '', console_id: 'console' })

  it('says that its stop discards what was done in it, once somebody did something, and no school’s console ever', () => {
    strip.stop()
    strip = open(true)
    did('system', 'alert.reopened')
    did('a-rivera', 'alert.seen')
    did('a-rivera', 'evidence.reveal')
    expect(strip.now().discards).toBe(false)
    did('a-rivera', 'alert.acknowledged')
    expect(strip.now().discards).toBe(true)
    strip.stop()
    strip = open(false)
    expect(strip.now().discards).toBe(false)
  })
})
