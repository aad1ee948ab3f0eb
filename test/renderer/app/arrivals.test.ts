import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTeller, newsOf, type Heard } from '../../../renderer/app/arrivals.ts'
import type { AlertRow } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const row = (change: Partial<AlertRow> = {}) => alertRowAt(1_000_000, change)
const keysOf = (rows: AlertRow[]) => rows.map(({ key }) => key)
/** What a subscription begins with. */
const first = (...announce: AlertRow[]) => ({ keys: [], announce })
const live = (...announce: AlertRow[]) => ({ keys: keysOf(announce), announce })

describe('what is news', () => {
  let heard: Heard
  beforeEach(() => {
    heard = new Map()
  })

  it('is what nobody has seen when the window begins to listen, once', () => {
    expect(keysOf(newsOf(heard, first(row(), row({ key: 'b' }))))).toEqual(['k', 'b'])
    expect(newsOf(heard, first(row(), row({ key: 'b' })))).toEqual([])
    expect(newsOf(heard, live(row()))).toEqual([])
  })

  it('is what came while the wire was lost, and nothing that was heard before', () => {
    newsOf(heard, live(row()))
    expect(keysOf(newsOf(heard, first(row(), row({ key: 'b' }))))).toEqual(['b'])
  })

  it('is an alert that got worse', () => {
    newsOf(heard, live(row({ tier: 'high', score: 0.8 })))
    expect(newsOf(heard, live(row({ tier: 'crisis', score: 0.8 })))).toHaveLength(1)
    expect(newsOf(heard, live(row({ tier: 'crisis', score: 0.96 })))).toHaveLength(1)
  })

  it('is an alert that was re-opened, as often as that happens', () => {
    newsOf(heard, live(row()))
    const again = row({ reopened_reason: 'due time passed', due_at: 5 })
    newsOf(heard, { keys: ['k'], announce: [] })
    expect(newsOf(heard, live(again))).toHaveLength(1)
    newsOf(heard, { keys: ['k'], announce: [] })
    expect(newsOf(heard, live(again))).toHaveLength(1)
    expect(newsOf(heard, first(again))).toEqual([])
  })
})

describe('when it is said', () => {
  const said: string[][] = []
  const teller = createTeller((rows) => said.push(keysOf(rows)))
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    teller.stop()
    vi.useRealTimers()
  })

  it('at once; then what follows closely is said together, and a crisis waits for nothing lesser', () => {
    teller.tell([row({ key: 'high 1', tier: 'high' })])
    teller.tell([row({ key: 'high 2', tier: 'high' })])
    expect(said).toEqual([['high 1']])
    teller.tell([row({ key: 'crisis 1' })])
    expect(said).toEqual([['high 1'], ['high 2', 'crisis 1']])
    for (const key of ['crisis 2', 'crisis 3', 'crisis 2']) teller.tell([row({ key })])
    expect(said).toHaveLength(2)
    vi.advanceTimersByTime(1500)
    expect(said[2]).toEqual(['crisis 2', 'crisis 3'])
    vi.advanceTimersByTime(1500)
    teller.tell([row({ key: 'crisis 4' })])
    expect(said[3]).toEqual(['crisis 4'])
  })
})
