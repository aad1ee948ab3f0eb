import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { announce, hush, saidNow, tell } from '../../../renderer/app/announcer.tsx'
import { createNotice, createStanding, type Standing } from '../../../renderer/alerts/standing.ts'
import { handsRestAfter, keysActAfter, swapGuard } from '../../../shared/thresholds.ts'

let now = 0
let standing: Standing
const chosen = { chosen: true, underPointer: false }
const offered = { chosen: false, underPointer: false }

beforeEach(() => {
  now = 1000
  standing = createStanding(() => now)
})

describe('a single key', () => {
  it('does nothing to what the program shows by itself, however long it stands there', () => {
    standing.shows('one', offered)
    now += 60_000
    expect(standing.refusesKey()).toBe('not chosen')
  })

  it('acts at once on what stood there long enough before it was chosen, and else when it has', () => {
    standing.shows('one', offered)
    now += keysActAfter
    standing.shows('one', chosen)
    expect(standing.refusesKey()).toBeNull()
    standing.shows('two', chosen)
    expect(standing.refusesKey()).toBe('just changed')
    now += keysActAfter - 1
    expect(standing.refusesKey()).toBe('just changed')
    now += 1
    expect(standing.refusesKey()).toBeNull()
  })

  it('waits anew when more was said in the alert, and when the person comes back to the window', () => {
    standing.shows('one', chosen)
    now += keysActAfter
    standing.shows('one and more', chosen)
    expect(standing.refusesKey()).toBe('just changed')
    now += keysActAfter
    standing.cameBack()
    expect(standing.refusesKey()).toBe('just changed')
  })

  it('waits anew for what changed beneath a dialog, and for nothing else', () => {
    standing.shows('one', chosen)
    now += keysActAfter
    standing.covered(true)
    expect(standing.refusesKey()).toBe('just changed')
    standing.covered(false)
    expect(standing.refusesKey()).toBeNull()
    standing.covered(true)
    standing.shows('one and more', chosen)
    now += keysActAfter * 2
    standing.covered(false)
    expect(standing.refusesKey()).toBe('just changed')
  })

  it('never acts on what was not chosen, uncovered and the same for the time before, whatever came in between', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('show' as const), what: fc.constantFrom('one', 'two', null), chosen: fc.boolean() }),
      fc.record({ do: fc.constantFrom('cover' as const, 'uncover' as const, 'back' as const) }),
      fc.record({ do: fc.constant('wait' as const), time: fc.integer({ min: 1, max: keysActAfter }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        now = 0
        const machine = createStanding(() => now)
        /** What could be seen and was chosen, at each moment. */
        const seen: { at: number; what: string | null; chosen: boolean; covered: boolean }[] = []
        let state = { what: null as string | null, chosen: false, covered: false }
        const look = () => seen.push({ at: now, ...state })
        for (const each of steps) {
          if (each.do === 'show') {
            state = { ...state, what: each.what, chosen: each.chosen }
            machine.shows(each.what, { chosen: each.chosen, underPointer: false })
          } else if (each.do === 'wait') now += each.time
          else if (each.do === 'back') machine.cameBack()
          else {
            state = { ...state, covered: each.do === 'cover' }
            machine.covered(each.do === 'cover')
          }
          look()
          if (machine.refusesKey() !== null) continue
          expect(state).toMatchObject({ chosen: true, covered: false })
          const since = seen.findLast(({ at }) => at <= now - keysActAfter)
          const lately = seen.filter(({ at }) => at > now - keysActAfter)
          for (const moment of [...(since ? [since] : []), ...lately]) expect(moment.what).toBe(state.what)
        }
      }),
    )
  })
})

it('no key acts for a while once a dialog vanished that the person did not close', () => {
  standing.shows('one', { chosen: true, underPointer: false })
  now += keysActAfter
  standing.covered(true)
  standing.covered(false)
  expect(standing.refusesKey()).toBeNull()
  standing.covered(true)
  now += 60_000
  standing.covered(false, true)
  now += handsRestAfter - 1
  expect(standing.refusesKey()).toBe('just changed')
  now += 1
  expect(standing.refusesKey()).toBeNull()
})

it('a click is held back for a moment where something else stood under the pointer', () => {
  standing.shows('one', { chosen: false, underPointer: false })
  expect(standing.refusesClick()).toBe(false)
  now += 5000
  standing.shows('two', { chosen: false, underPointer: true })
  expect(standing.refusesClick()).toBe(true)
  now += swapGuard
  expect(standing.refusesClick()).toBe(false)
})

it('that a key did nothing is said until something is done, and what was said beside it stays', () => {
  const notice = createNotice(tell)
  notice.say('Nothing was done.')
  announce('Acknowledged: A. Student.')
  notice.takeBack()
  expect(saidNow().polite).toBe('Acknowledged: A. Student.')
  notice.takeBack()
  expect(saidNow().polite).toBe('Acknowledged: A. Student.')
  hush()
})
