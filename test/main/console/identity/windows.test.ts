import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWindows, type Windows } from '../../../../main/console/identity/index.ts'
import { hours, minutes } from '../../../../shared/time.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

let clock: ReturnType<typeof virtualClock>
let windows: Windows
beforeEach(() => (clock = virtualClock()))
afterEach(() => windows.stop())

const at = (...names: string[]) => names.map((name) => windows.personAt(name))

describe('whoever begins', () => {
  it('sits at every window where nobody has an account, until signing out there', () => {
    windows = createWindows('token', clock)
    windows.leave('one')
    clock.advance(hours(24))
    expect(at('one', 'two', 'three')).toEqual([null, 'token', 'token'])
  })

  it('sits at the first window alone where people have accounts, and for twelve hours', () => {
    windows = createWindows('token', clock, 'first')
    expect(at('one', 'two', 'one')).toEqual(['token', null, 'token'])
    clock.advance(hours(12))
    expect(at('one', 'two', 'three')).toEqual([null, null, null])
  })

  it('sits at no other window once the first was signed out, or was somebody else’s', () => {
    windows = createWindows('token', clock, 'first')
    expect(at('one')).toEqual(['token'])
    windows.leave('one')
    expect(at('one', 'two')).toEqual([null, null])
    windows.stop()
    windows = createWindows('token', clock, 'first')
    windows.seat('one', 'admin')
    expect(at('one', 'two')).toEqual(['admin', null])
  })

  it('can be nobody', () => {
    windows = createWindows(null, clock, 'first')
    expect(at('one', 'two')).toEqual([null, null])
  })
})

describe('a machine that sleeps, and a clock that is set', () => {
  it('whoever wakes it up after twelve hours is told within a minute that nobody sits there', () => {
    windows = createWindows(null, clock, 'first')
    windows.seat('one', 'admin')
    const heard: string[] = []
    windows.listen((windowId) => void heard.push(windowId))
    clock.advance(hours(1))
    clock.jump(hours(13))
    expect(at('one')).toEqual([null])
    clock.advance(minutes(1))
    expect(heard).toEqual(['one'])
    clock.advance(hours(24))
    expect(heard).toEqual(['one'])
  })

  it('nobody sits longer than twelve hours because a clock was set back', () => {
    windows = createWindows(null, clock, 'first')
    windows.seat('one', 'admin')
    clock.jump(-hours(2))
    clock.advance(hours(12))
    expect(at('one')).toEqual([null])
  })
})
