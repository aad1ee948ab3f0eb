import { expect, it } from 'vitest'
import { beginDrafts, forget, hasDraft } from '../../../renderer/controls/kept-state.ts'

it('drafts are those of whoever sits here; what is forgotten is told to whoever keeps them', () => {
  const told: [string, unknown][] = []
  beginDrafts({ 'alert k note': 'Called', 'alert k to': '', 'plan k': {} }, (name, draft) => told.push([name, draft]))
  expect(hasDraft('alert k ')).toBe(true)
  expect(hasDraft('plan k')).toBe(false)
  forget('alert k ')
  expect(hasDraft('alert k ')).toBe(false)
  expect(told).toEqual([
    ['alert k note', undefined],
    ['alert k to', undefined],
  ])
  beginDrafts({ 'alert other note': 'Another hand' }, () => undefined)
  expect(hasDraft('alert k ')).toBe(false)
  beginDrafts({}, () => undefined)
})
