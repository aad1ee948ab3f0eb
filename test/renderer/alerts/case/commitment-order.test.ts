import { expect, it } from 'vitest'
import { inOrder, isOverdue } from '../../../../renderer/alerts/case/commitment-order.ts'
import type { Commitment } from '../../../../shared/alerts.ts'

const commitment = (id: string, due_at: number | null, met: number | null = null): Commitment => ({
  ...{ id, what: id, due_at, owner: { id: 'rivera', name: 'A. Rivera' }, plan: false },
  made: { at: 0, by_name: 'A. Rivera' },
  met: met === null ? null : { at: met, by_name: 'A. Rivera' },
})

it('shows what is due first before, then what has no time, then what was done', () => {
  const all = [commitment('done', 1, 4), commitment('timeless', null), commitment('late', 9), commitment('soon', 3)]
  expect(inOrder(all).map(({ id }) => id)).toEqual(['soon', 'late', 'timeless', 'done'])
})

it('is overdue from its time on, unless it was done or has none', () => {
  expect(isOverdue(commitment('a', 5), 4)).toBe(false)
  expect(isOverdue(commitment('a', 5), 5)).toBe(true)
  expect(isOverdue(commitment('a', 5, 6), 7)).toBe(false)
  expect(isOverdue(commitment('a', null), 7)).toBe(false)
})
