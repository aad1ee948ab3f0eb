import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchSharing, type Claim } from '../../../../main/console/event-queue/index.ts'
import { watchProof, type Proof } from '../../../../main/console/proof.ts'
import { minutes } from '../../../../shared/time.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'
import { heartbeat, noon } from '../../../support/wire.ts'

let at: OpenRecord
let claim: Claim
let heldElsewhere: boolean
let proof: Proof
let watch: ReturnType<typeof watchSharing>
beforeEach(() => {
  at = openRecord()
  claim = { state: 'held' }
  heldElsewhere = false
  proof = watchProof(at)
  watch = watchSharing({ ...at, scattered: proof.scattered, claim: () => claim, heldElsewhere: () => heldElsewhere })
})
afterEach(() => {
  watch.stop()
  proof.stop()
  at.close()
})

/** One a minute, of which those come that `arrives` says. */
async function beats(arrives: readonly boolean[], from = 1): Promise<void> {
  for (const [index, comes] of arrives.entries()) {
    at.clock.advance(minutes(1))
    if (comes) await at.receive(heartbeat({ at: at.clock.now(), number: from + index }))
  }
}
const every = (count: number) => Array.from({ length: count }, () => true)

describe('heartbeats', () => {
  it('of which every other one is missing mean that something else receives, until they come again', async () => {
    await beats(Array.from({ length: 14 }, (_, index) => index % 2 === 0))
    expect(watch.now()).toMatchObject({ kind: 'suspected', computer: '' })
    const { since } = watch.now() ?? {}
    at.clock.advance(minutes(1))
    expect(watch.now()).toMatchObject({ since })
    await beats(every(30), 20)
    expect(watch.now()).toBeNull()
  })

  it('that a queue gives to either of two consoles by chance are missed by both within half an hour', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), async (mine) => {
        // Chance may give one of them nearly everything: then it misses little, and is the one that alerts reach.
        const count = mine.filter(Boolean).length
        fc.pre(count >= 10 && count <= 20 && changes(mine) >= 12)
        const record = openRecord()
        const own = watchSharing({
          ...record,
          scattered: watchProof(record).scattered,
          claim: () => claim,
          heldElsewhere: () => false,
        })
        for (const [index, comes] of mine.entries()) {
          record.clock.advance(minutes(1))
          if (comes) await record.receive(heartbeat({ at: record.clock.now(), number: index + 1 }))
        }
        expect(own.now()).toMatchObject({ kind: 'suspected' })
        record.close()
      }),
      { numRuns: 10 },
    )
  })

  it('that all come, in whatever order, after an outage of the station, or in one hole, mean nothing', async () => {
    await beats(every(12))
    await beats(every(12), 200)
    expect(watch.now()).toBeNull()
    await beats([...every(3), ...Array.from({ length: 8 }, () => false), ...every(6)], 212)
    expect(watch.now()).toBeNull()
    for (const number of [233, 231, 232, 230, 229]) await at.receive(heartbeat({ at: at.clock.now(), number }))
    expect(watch.now()).toBeNull()
  })

  it('of back ends that do not number them, or of before half an hour, mean nothing', async () => {
    for (let index = 0; index < 12; index++) await at.receive(heartbeat({ at: noon + index * minutes(2) }))
    expect(watch.now()).toBeNull()
    await beats(Array.from({ length: 14 }, (_, index) => index % 2 === 0))
    at.clock.advance(minutes(40))
    await beats(every(3), 100)
    expect(watch.now()).toBeNull()
  })
})

it('another console that shows itself is named; what is in other hands counts only where none could show itself', () => {
  heldElsewhere = true
  expect(watch.now()).toBeNull()
  claim = { state: 'unknown', why: 'not permitted' }
  expect(watch.now()).toEqual({ kind: 'suspected', computer: '', since: noon })
  claim = { state: 'shared', computer: 'front-office', since: noon - 1 }
  expect(watch.now()).toEqual({ kind: 'console', computer: 'front-office', since: noon - 1 })
})

const changes = (values: readonly boolean[]) => values.filter((value, index) => value !== values[index - 1]).length
