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

it('whoever holds it can hand it off or return it; others can take it over', () => {
  expect(names(possibleActions(held, 'me'))).toEqual(['handOff', 'returnToQueue', 'resolve'])
  expect(names(possibleActions(held, 'other'))).toEqual(['takeOver', 'resolve'])
})

it('a hand-off is accepted or declined by the person it was given to, and withdrawn by the giver', () => {
  const hand_off = { to: 'other', to_name: 'K. Osei', by: 'me', by_name: 'A. Rivera', at: 0, urgent: false }
  const handed = { ...held, hand_off }
  expect(names(possibleActions(handed, 'other'))).toEqual(['accept', 'decline', 'takeOver', 'resolve'])
  expect(names(possibleActions(handed, 'me'))).toEqual(['handOff', 'withdrawHandOff', 'returnToQueue', 'resolve'])
  expect(names(possibleActions(handed, 'third'))).toEqual(['takeOver', 'resolve'])
})

it('a resolved alert can be opened again; notes are always possible', () => {
  expect(names(possibleActions({ ...held, state: 'resolved' }, 'me'))).toEqual(['reopen'])
})
