import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchProof, type Proof } from '../../../main/console/proof.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import type { Outage } from '../../../shared/views.ts'
import { openRecord, type OpenRecord } from '../../support/record.ts'
import { heartbeat, noon, school } from '../../support/wire.ts'

let at: OpenRecord
let proof: Proof
/** How long the machine has slept: its clock went on, and no timer did. */
let slept = 0
const begin = () => {
  const clock = { now: () => at.clock.now() + slept, after: at.clock.after }
  proof = watchProof({ db: at.db, changes: at.changes, clock })
}
beforeEach(() => {
  slept = 0
  at = openRecord()
  begin()
})
afterEach(() => {
  proof.stop()
  at.close()
})
const beat = () => at.receive(heartbeat({ at: at.clock.now() }))
/** What was told of outages, in order. */
const told = (): (Outage | null)[] => at.heard.flatMap(({ outage }) => (outage === null ? [] : [outage.now]))

describe('heartbeats that stop', () => {
  it('are told once, since when, and that they come again', async () => {
    proof.start()
    await beat()
    at.clock.advance(minutes(3))
    expect(told()).toEqual([])
    at.clock.advance(seconds(15))
    const silence = { kind: 'silence', since: noon }
    expect(told()).toEqual([silence])
    expect(proof.outage()).toEqual(silence)
    at.clock.advance(minutes(30))
    expect(told()).toHaveLength(1)
    await beat()
    expect(told()).toEqual([silence, null])
    expect(proof.outage()).toBeNull()
  })

  it('are missed by nobody where none has ever come', () => {
    proof.start()
    at.clock.advance(hours(1))
    expect(told()).toEqual([])
  })

  it('while this console did not run are told only where none comes after its start', async () => {
    await beat()
    at.clock.advance(hours(60))
    expect(proof.isOverdue()).toBe(true)
    proof.start()
    at.clock.advance(minutes(1))
    expect(told()).toEqual([])
    at.clock.advance(seconds(15))
    expect(told()).toEqual([{ kind: 'silence', since: noon }])
  })

  it('while the machine slept are no outage, and one from before is not over by its waking', () => {
    const beatAfterSleep = () => at.changes.tell({ proven_at: at.clock.now() + slept })
    proof.start()
    beatAfterSleep()
    slept = hours(8)
    at.clock.advance(minutes(1))
    beatAfterSleep()
    at.clock.advance(minutes(2))
    expect(told()).toEqual([])
    at.clock.advance(minutes(2))
    expect(told()).toHaveLength(1)
    slept += hours(8)
    at.clock.advance(minutes(1))
    expect(told()).toHaveLength(1)
  })
})

describe('a station beside this console that cannot publish', () => {
  const fails = (failing_since: number | null) => at.changes.tell({ publishing: { failing_since } })

  it('is told at once, and not a second time when its heartbeats are missed for it', async () => {
    proof.start()
    await beat()
    at.clock.advance(minutes(2))
    fails(noon + minutes(1))
    at.clock.advance(minutes(10))
    const publishing = { kind: 'publishing', since: noon + minutes(1) }
    expect(told()).toEqual([publishing])
    await beat()
    expect(proof.outage()).toEqual(publishing)
    fails(null)
    expect(told()).toEqual([publishing, null])
  })

  it('is told at the start where it began before', () => {
    fails(noon)
    expect(told()).toEqual([])
    proof.start()
    expect(told()).toEqual([{ kind: 'publishing', since: noon }])
  })
})

describe('a heartbeat of a station that cannot publish other events', () => {
  const says = (failingSince: number | null, made = at.clock.now()) =>
    at.receive(
      heartbeat({
        at: made,
        ...(failingSince !== null && { publishing_failing_since: new Date(failingSince).toISOString() }),
      }),
    )
  const outage = { kind: 'station', since: noon + seconds(10) }
  beforeEach(() => proof.start())

  it('is an outage, told once, until one comes without it', async () => {
    await says(null)
    at.clock.advance(minutes(1))
    await says(outage.since)
    at.clock.advance(minutes(1))
    // Another station of the school has found it a moment later.
    await says(outage.since + seconds(4))
    expect(told()).toEqual([outage])
    expect(proof.outage()).toEqual(outage)
    at.clock.advance(minutes(1))
    await says(null)
    expect(told()).toEqual([outage, null])
  })

  it('is not over by an older heartbeat that was held up, and none begins by one', async () => {
    at.clock.advance(minutes(30))
    await says(noon, noon)
    expect(told()).not.toContainEqual(expect.objectContaining({ kind: 'station' }))
    await says(outage.since)
    await says(null, at.clock.now() - minutes(1))
    expect(proof.outage()).toEqual(outage)
  })

  it('counts also where the console’s clock was set back since the last', async () => {
    at.clock.advance(hours(1))
    await says(null)
    slept = -hours(1)
    at.clock.advance(minutes(1))
    await says(outage.since, at.clock.now() + slept)
    expect(proof.outage()).toEqual(outage)
  })

  it('of another school says nothing here', async () => {
    await at.receive(
      heartbeat({ at: noon, school_id: 'another', publishing_failing_since: new Date(noon).toISOString() }),
    )
    expect(proof.outage()).toBeNull()
  })

  it.each([['nonsense'], [7], [null]])('that says since %s is a heartbeat all the same', async (nonsense) => {
    await at.receive(heartbeat({ at: noon, publishing_failing_since: nonsense }))
    expect([proof.provenAt(), proof.outage()]).toEqual([noon, null])
  })
})

describe('drills', () => {
  const drill = (number: number, made = at.clock.now()) =>
    at.receive({
      ...heartbeat({ at: made, number, began_at: new Date(made).toISOString() }),
      event_type: 'DRILL',
    })
  /** Heartbeats go on for so many minutes. */
  const beatFor = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      at.clock.advance(minutes(1))
      await beat()
    }
  }

  it('that stop are an outage after three intervals, though heartbeats come, until one comes again', async () => {
    proof.start()
    await drill(1)
    await beatFor(15)
    expect(told()).toEqual([])
    await beatFor(1)
    expect(told()).toEqual([{ kind: 'drill', since: noon }])
    await drill(4)
    expect(told()).toEqual([{ kind: 'drill', since: noon }, null])
  })

  it('are missed by nobody where none has ever come, or this console has only just started', async () => {
    proof.start()
    await beatFor(30)
    expect(told()).toEqual([])
    await drill(1)
    proof.stop()
    at.clock.advance(hours(60))
    begin()
    proof.start()
    await beat()
    await beatFor(5)
    expect(told()).toEqual([])
    await beatFor(2)
    expect(told()).toEqual([{ kind: 'drill', since: noon + minutes(30) }])
  })

  it('while the machine slept are no outage', async () => {
    proof.start()
    await drill(1)
    slept = hours(8)
    const awake = () => at.changes.tell({ proven_at: at.clock.now() + slept })
    for (let minute = 0; minute < 4; minute++) {
      at.clock.advance(minutes(1))
      awake()
    }
    expect(told()).toEqual([])
    const began_at = at.clock.now() + slept
    at.changes.tell({ drill: { school_id: school, number: 90, began_at, at: began_at } })
    for (let minute = 0; minute < 10; minute++) {
      at.clock.advance(minutes(1))
      awake()
    }
    expect(told()).toEqual([])
  })

  it('that fail at the station are an outage that its heartbeats tell', async () => {
    proof.start()
    const since = noon + seconds(10)
    await at.receive(heartbeat({ at: noon, ladder_failing_since: new Date(noon).toISOString() }))
    expect(told()).toEqual([{ kind: 'ladder', since: noon }])
    await at.receive(heartbeat({ at: noon + 1, ladder_failing_since: new Date(since).toISOString() }))
    expect(told()).toHaveLength(1)
    at.clock.advance(minutes(1))
    await beat()
    expect(told()).toEqual([{ kind: 'ladder', since: noon }, null])
  })
})
