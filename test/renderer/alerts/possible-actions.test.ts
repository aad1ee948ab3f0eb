import { expect, it } from 'vitest'
import { possibleActions } from '../../../renderer/alerts/possible-actions.ts'

const open = { state: 'open', owner: null, hand_off: null } as const
const held = { ...open, state: 'acknowledged', owner: { id: 'me', name: 'A. Rivera' } } as const

function names(can: Record<string, boolean>): string[] {
  return Object.keys(can).filter((name) => can[name])
}

it('an open alert can be acknowledged and resolved', () => {
  expect(names(possibleActions(open, 'me'))).toEqual(['acknowledge', 'resolve'])
})

it('whoever holds it can hand it off; others can take it over', () => {
  expect(names(possibleActions(held, 'me'))).toEqual(['handOff', 'resolve'])
  expect(names(possibleActions(held, 'other'))).toEqual(['takeOver', 'resolve'])
})

it('a hand-off is accepted by the person it was given to', () => {
  const hand_off = { to: 'other', to_name: 'K. Osei', by: 'me', by_name: 'A. Rivera', at: 0, urgent: false }
  expect(possibleActions({ ...held, hand_off }, 'other').accept).toBe(true)
  expect(possibleActions({ ...held, hand_off }, 'third').accept).toBe(false)
})

it('of a resolved alert only notes are left, which are always possible', () => {
  expect(names(possibleActions({ ...held, state: 'resolved' }, 'me'))).toEqual([])
})
