import { expect, it } from 'vitest'
import { beginDrafts, forget, hasDraft } from '../../../renderer/controls/kept-state.ts'

it('drafts are those of whoever sits here; what is forgotten is told to whoever keeps them', () => {
  const told: [string, unknown][] = []
  const whenKept = (call: () => void) => call()
  beginDrafts(
    { 'alert k note': 'Called', 'alert k to': '', 'plan k': {} },
    { keep: (name, draft) => void told.push([name, draft]), whenKept },
  )
  expect(hasDraft('alert k ')).toBe(true)
  expect(hasDraft('plan k')).toBe(false)
  forget('alert k ')
  expect(hasDraft('alert k ')).toBe(false)
  expect(told).toEqual([
    ['alert k note', undefined],
    ['alert k to', undefined],
  ])
  beginDrafts({ 'alert other note': 'Another hand' }, { keep: () => undefined, whenKept })
  expect(hasDraft('alert k ')).toBe(false)
  beginDrafts({}, { keep: () => undefined, whenKept })
})
