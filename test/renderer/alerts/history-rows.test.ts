import { expect, it } from 'vitest'
import { correctable, historyRows } from '../../../renderer/alerts/history-rows.ts'
import { actionView } from '../../support/action-view.ts'

const note = actionView({ id: 'note', kind: 'noted', note: 'Called home.' })
const correction = (id: string, said: string) => actionView({ id, kind: 'corrected', corrects: 'note', note: said })

it('a correction stands beside the note that it corrects, and what counts is the last one', () => {
  const rows = historyRows([note, actionView(), correction('c1', 'Called the aunt.'), correction('c2', 'Called Ana.')])
  expect(rows.map(({ action }) => action.id)).toEqual(['note', 'a'])
  expect(rows[0]?.corrections.map(({ id }) => id)).toEqual(['c1', 'c2'])
  expect(rows[0] && correctable(rows[0], 'rivera')).toBe('Called Ana.')
})

it('what was taken back stays, with the record that took it back', () => {
  const taken = actionView({ applied: false, withdrawn_at: 5 })
  const withdrawn = actionView({ id: 'w', kind: 'withdrawn', withdraws: 'a', at: 5 })
  expect(historyRows([taken, withdrawn])).toEqual([{ action: taken, corrections: [], undoneBy: withdrawn }])
})

it('what changed nothing, or speaks of what is not here, is a row of its own', () => {
  const late = actionView({ id: 'w', kind: 'withdrawn', withdraws: 'a', applied: false })
  const foreign = actionView({ id: 'c', kind: 'corrected', corrects: 'elsewhere', note: 'x' })
  expect(historyRows([actionView(), late, foreign]).map(({ action }) => action.id)).toEqual(['a', 'w', 'c'])
})

it('a correction that was taken back counts no more', () => {
  const [row] = historyRows([note, { ...correction('c1', 'Wrong.'), applied: false, withdrawn_at: 9 }])
  expect(row && correctable(row, 'rivera')).toBe('Called home.')
})

it('only notes of one’s own can be corrected, while they stand', () => {
  const can = (action: typeof note, me = 'rivera') => correctable({ action, corrections: [], undoneBy: null }, me)
  expect(can(note)).toBe('Called home.')
  expect(can(note, 'osei')).toBeNull()
  expect(can(actionView())).toBeNull()
  expect(can({ ...note, applied: false, withdrawn_at: 3 })).toBeNull()
})
