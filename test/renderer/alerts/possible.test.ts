import { expect, it } from 'vitest'
import { possible } from '../../../renderer/alerts/possible.ts'

const open = { state: 'open', owner: null, hand_off: null } as const
const held = { ...open, state: 'acknowledged', owner: { id: 'me', name: 'A. Rivera' } } as const

function names(can: Record<string, boolean>): string[] {
  return Object.keys(can).filter((name) => can[name])
}

it('an open alert can be acknowledged and resolved', () => {
  expect(names(possible(open, 'me'))).toEqual(['acknowledge', 'resolve'])
})

it('whoever holds it can hand it off; others can take it over', () => {
  expect(names(possible(held, 'me'))).toEqual(['handOff', 'resolve'])
  expect(names(possible(held, 'other'))).toEqual(['takeOver', 'resolve'])
})

it('a hand-off is accepted by the person it was given to', () => {
  const hand_off = { to: 'other', to_name: 'K. Osei', by: 'me', by_name: 'A. Rivera', at: 0 }
  expect(possible({ ...held, hand_off }, 'other').accept).toBe(true)
  expect(possible({ ...held, hand_off }, 'third').accept).toBe(false)
})

it('of a resolved alert only notes are left, which are always possible', () => {
  expect(names(possible({ ...held, state: 'resolved' }, 'me'))).toEqual([])
})
