import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchProof, type Proof } from '../../../main/console/proof.ts'
import { createStrip, type Strip } from '../../../main/console/strip.ts'
import { appendAudit } from '../../../main/store/console/index.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { heartbeat, noon, school } from '../../support/wire.ts'

let at: OpenRecord
let strip: Strip
let watch: Proof
const open = (demo = false): Strip => {
  watch = watchProof(at)
  return createStrip({
    db: at.db,
    changes: at.changes,
    clock: at.clock,
    proof: watch,
    schoolId: () => school,
    connection: () => ({ state: 'connected', since: noon, error: null, waiting: 0, age_ms: null, retention_days: 14 }),
    sharing: () => null,
    deadLetters: () => null,
    ladder: 'off',
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
