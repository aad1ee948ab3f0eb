import { expect, it } from 'vitest'
import { hasEnded, sessionState } from '../../../renderer/sessions/session-state.ts'

it('says of an escalated session whether it is still in progress', () => {
  expect(sessionState({ status: 'escalated', ended_at: null })).toBe('Escalated, in progress')
  expect(sessionState({ status: 'escalated', ended_at: 1 })).toBe('Escalated, ended')
})

it('has ended exactly when it says so', () => {
  for (const status of ['active', 'ended', 'escalated'] as const)
    for (const ended_at of [null, 1])
      expect(/ended/i.test(sessionState({ status, ended_at }))).toBe(hasEnded({ status, ended_at }))
})
