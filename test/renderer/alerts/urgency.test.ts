import { expect, it } from 'vitest'
import { isMoreUrgent } from '../../../renderer/alerts/urgency.ts'
import type { AlertRow } from '../../../shared/views.ts'

const row = (key: string, changes: Partial<AlertRow> = {}): AlertRow =>
  ({ key, tier: 'crisis', state: 'open', owner: null, ...changes }) as AlertRow

it('a crisis nobody holds takes the place of an alert that somebody else holds', () => {
  expect(
    isMoreUrgent(row('new'), row('old', { state: 'acknowledged', owner: { id: 'osei', name: 'K. Osei' } }), 'me'),
  ).toBe(true)
})

it('a crisis takes the place of a lesser open alert, not of another crisis', () => {
  expect(isMoreUrgent(row('new'), row('old', { tier: 'high' }), 'me')).toBe(true)
  expect(isMoreUrgent(row('new'), row('old'), 'me')).toBe(false)
})

it('what I hold stays on screen', () => {
  expect(isMoreUrgent(row('new'), row('mine', { state: 'acknowledged', owner: { id: 'me', name: 'I' } }), 'me')).toBe(
    false,
  )
})
