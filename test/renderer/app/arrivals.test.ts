import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCalls, createTeller, newsOf, type Heard } from '../../../renderer/app/arrivals.ts'
import { seconds } from '../../../shared/time.ts'
import type { AlertRow } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const row = (change: Partial<AlertRow> = {}) => alertRowAt(1_000_000, change)
const keysOf = (rows: AlertRow[]) => rows.map(({ key }) => key)
const change = (...rows: AlertRow[]) => ({ rows, announce: keysOf(rows) })

describe('what is news', () => {
  let heard: Heard
  beforeEach(() => {
    heard = new Map()
  })

  it('is what nobody has seen when the window begins to listen, once', () => {
    expect(keysOf(newsOf(heard, change(row(), row({ key: 'b' }))))).toEqual(['k', 'b'])
    expect(newsOf(heard, change(row(), row({ key: 'b' })))).toEqual([])
    expect(newsOf(heard, change(row()))).toEqual([])
  })

  it('is what came while the wire was lost, and nothing that was heard before', () => {
    newsOf(heard, change(row()))
    expect(keysOf(newsOf(heard, change(row(), row({ key: 'b' }))))).toEqual(['b'])
  })

  it('is an alert that got worse', () => {
    newsOf(heard, change(row({ tier: 'high', score: 0.8 })))
    expect(newsOf(heard, change(row({ tier: 'crisis', score: 0.8 })))).toHaveLength(1)
    expect(newsOf(heard, change(row({ tier: 'crisis', score: 0.96 })))).toHaveLength(1)
  })

  it('is an alert that was re-opened, as often as that happens', () => {
    newsOf(heard, change(row()))
    const again = (at: number) => row({ reopened: { at, reason: 'due time passed' }, due_at: 5 })
    expect(newsOf(heard, change(again(1)))).toHaveLength(1)
    expect(newsOf(heard, change(again(2)))).toHaveLength(1)
    expect(newsOf(heard, change(again(2)))).toEqual([])
  })

  it('is an alert that was heard when it came and is handed to this person, or back to them, as often as that happens', () => {
    const [me, giver] = [
      { id: 'me', name: 'K. Osei' },
      { id: 'giver', name: 'A. Rivera' },
    ]
    newsOf(heard, change(row()))
    const held = row({ state: 'acknowledged', owner: giver })
    const handed = row({ state: 'acknowledged', owner: giver, hand_off_to: { ...me, urgent: false } })
    newsOf(heard, { rows: [held], announce: [] })
    expect(newsOf(heard, change(handed))).toHaveLength(1)
    // The window begins to listen once more.
    expect(newsOf(heard, change(handed))).toEqual([])
    expect(newsOf(heard, change(held))).toHaveLength(1)
    newsOf(heard, { rows: [handed], announce: [] })
    expect(newsOf(heard, change(held))).toHaveLength(1)
  })

  it('is no alert that merely changed', () => {
    expect(newsOf(heard, { rows: [row({ state: 'acknowledged' }), row({ key: 'b' })], announce: ['b'] })).toMatchObject(
      [{ key: 'b' }],
    )
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

describe('a call of the ladder', () => {
  let now: number
  let seen: boolean
  let said: (AlertRow | null)[][]
  let answered: string[]
  let calls: ReturnType<typeof createCalls>
  beforeEach(() => {
    now = 1_000_000
    seen = true
    said = []
    answered = []
    calls = createCalls({
      now: () => now,
      isSeen: () => seen,
      say: (alerts) => void said.push(alerts),
      answer: (ids) => void answered.push(...ids),
    })
  })
  const call = (delivery_id: string, alert: AlertRow | null = row()) => ({ delivery_id, at: now, alert })

  it('is shown and answered once, however often it is pushed', () => {
    calls.take([call('d')])
    calls.take([call('d')])
    expect(said).toEqual([[row()]])
    expect(answered).toEqual(['d'])
  })

  it('of an alert that was said a moment ago is answered and says nothing; later it is said again', () => {
    calls.heard([row()])
    now += seconds(2)
    calls.take([call('d')])
    expect([said, answered]).toEqual([[], ['d']])
    now += seconds(300)
    calls.take([call('e')])
    expect([said.length, answered]).toEqual([1, ['d', 'e']])
  })

  it('waits in a window that nobody sees, and is over when it comes into sight too late', () => {
    seen = false
    calls.take([call('d', null)])
    expect(answered).toEqual([])
    now += seconds(5)
    seen = true
    calls.look()
    expect([said, answered]).toEqual([[[null]], ['d']])
    seen = false
    calls.take([call('e')])
    now += seconds(15)
    seen = true
    calls.look()
    expect(answered).toEqual(['d'])
  })
})
