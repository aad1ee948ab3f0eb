import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ahead,
  current,
  isPastLast,
  next,
  notBegun,
  outcome,
  previous,
  type Walk,
} from '../../../renderer/alerts/late-start-walk.ts'
import type { LateStartAlert } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

type Changes = Partial<LateStartAlert['alert']> & { raised_at?: number }
const came = (key: string, { raised_at = 0, ...changes }: Changes = {}): LateStartAlert => ({
  alert: alertRowAt(0, { key, ...changes }),
  raised_at,
  never_acknowledged: true,
  told: [],
})
const keysAhead = (walk: Walk, late: readonly LateStartAlert[]) => ahead(walk, late).map(({ alert }) => alert.key)

describe('the way through what came late', () => {
  it('goes by crises first, in each tier by who waits longest; what is held or resolved is left for the end', () => {
    const late = [
      came('high, old', { tier: 'high', raised_at: 1 }),
      came('held', { state: 'acknowledged', raised_at: 2 }),
      came('crisis, young', { raised_at: 9 }),
      came('crisis, old', { raised_at: 3 }),
      came('resolved', { state: 'resolved', raised_at: 0 }),
      came('high, young', { tier: 'high', raised_at: 8 }),
    ]
    expect(keysAhead(notBegun, late)).toEqual(['crisis, old', 'crisis, young', 'high, old', 'high, young'])
  })

  it('what comes while somebody reads stands ahead and moves nothing', () => {
    const one = came('one', { raised_at: 5 })
    const walk = next(notBegun, [one])
    const more = [came('older', { raised_at: 1 }), one]
    expect(current(walk)).toBe('one')
    expect(keysAhead(walk, more)).toEqual(['older'])
    const second = next(walk, more)
    expect(current(second)).toBe('older')
    expect(current(previous(second))).toBe('one')
    expect(isPastLast(next(second, more))).toBe(true)
    expect(current(previous(next(second, more)))).toBe('older')
  })

  it('says what became of all of it', () => {
    const me = { id: 'me', name: 'Me' }
    const late = [
      came('mine', { state: 'acknowledged', owner: me }),
      came('theirs', { state: 'acknowledged', owner: { id: 'osei', name: 'K. Osei' } }),
      came('closed', { state: 'resolved', owner: me }),
      came('open'),
    ]
    expect(outcome(late, 'me')).toEqual({ mine: 1, others: 1, resolved: 1, open: 1 })
  })

  it('passes every alert that is open when its turn comes, however they arrive and change', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('comes' as const), crisis: fc.boolean(), raised_at: fc.nat(20) }),
      fc.record({ kind: fc.constant('is held' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('next' as const) }),
      fc.record({ kind: fc.constant('back' as const) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let late: LateStartAlert[] = []
        let walk = notBegun
        for (const each of events) {
          const before = current(walk)
          if (each.kind === 'comes')
            late = [
              ...late,
              came(`a${late.length}`, { tier: each.crisis ? 'crisis' : 'high', raised_at: each.raised_at }),
            ]
          if (each.kind === 'is held')
            late = late.map((one, at) =>
              at === each.which ? { ...one, alert: { ...one.alert, state: 'acknowledged' } } : one,
            )
          if (each.kind === 'next') walk = next(walk, late)
          if (each.kind === 'back') walk = previous(walk)
          // Only the person moves what is before them.
          if (each.kind === 'comes' || each.kind === 'is held') expect(current(walk)).toBe(before)
          expect(new Set(walk.visited).size).toBe(walk.visited.length)
        }
        for (let step = 0; step < 2 * late.length + 1; step++) walk = next(walk, late)
        expect(isPastLast(walk)).toBe(true)
        const open = late.filter(({ alert }) => alert.state === 'open').map(({ alert }) => alert.key)
        expect(open.filter((key) => !walk.visited.includes(key))).toEqual([])
      }),
    )
  })
})
