import { expect, it } from 'vitest'
import { hasEnded, sessionState } from '../../../renderer/sessions/session-state.ts'

it('says of an escalated session whether it goes on', () => {
  expect(sessionState({ status: 'escalated', ended_at: null })).toBe('raised an alert, in progress')
  expect(sessionState({ status: 'escalated', ended_at: 1 })).toBe('raised an alert, ended')
})

it('has ended exactly when it says so', () => {
  for (const status of ['active', 'ended', 'escalated'] as const)
    for (const ended_at of [null, 1])
      expect(sessionState({ status, ended_at }).includes('ended')).toBe(hasEnded({ status, ended_at }))
})
