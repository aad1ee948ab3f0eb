import { describe, expect, it } from 'vitest'
import { firstUnfilled, instantIn, rowsOf, wallField, weekOf } from '../../../../renderer/settings/on-call/week-days.ts'
import type { Policy } from '../../../../shared/policy.ts'
import { hours } from '../../../../shared/time.ts'
import { policyOnCall, rotaOf, zones } from '../../../support/on-call.ts'
import { listed } from '../../../support/policies.ts'

const newYork = 'America/New_York'

describe('the week calendar', () => {
  it('goes from Monday to Sunday of the school, wherever the reader is', () => {
    const at = Date.UTC(2026, 10, 23, 3)
    // Sunday evening in New York is Monday morning in Kolkata.
    expect(weekOf(at, newYork).map(({ date }) => date.slice(5))).toEqual([
      '11-16',
      '11-17',
      '11-18',
      '11-19',
      '11-20',
      '11-21',
      '11-22',
    ])
    expect(weekOf(at, 'Asia/Kolkata')[0]?.date).toBe('2026-11-23')
    expect(weekOf(at, newYork, 1)[0]?.date).toBe('2026-11-23')
    expect(weekOf(at, newYork, -1)[0]?.date).toBe('2026-11-09')
  })

  it.each(zones)('has days that follow each other without a gap where clocks are set in %s', (zone) => {
    for (let week = -10; week < 30; week++) {
      const found = weekOf(Date.UTC(2026, 9, 1), zone, week)
      for (const [index, day] of found.entries()) {
        expect(day.from).toBe(found[index - 1]?.to ?? day.from)
        expect([23, 23.5, 24, 24.5, 25]).toContain((day.to - day.from) / hours(1))
      }
    }
  })

  it('shows on each day who has a rota, from when and until when', () => {
    const policy = policyOnCall(
      {
        rotas: [
          rotaOf(['p1', 'p2'], { overrides: [{ person: 'p2', from: '2026-11-21T22:00', to: '2026-11-22T06:00' }] }),
        ],
      },
      { people: ['p1', 'p2'].map((id) => listed(id)) },
    )
    const week = weekOf(instantIn('2026-11-20T12:00', newYork) ?? 0, newYork)
    const [row] = rowsOf(policy, week, 0)
    const said = row?.days.map((day) =>
      day.map(({ person, begins, ends }) => `${person} ${begins ?? ''}–${ends ?? ''}`),
    )
    expect(said).toEqual([
      ['p2 –08:00', 'p1 08:00–'],
      ['p1 –'],
      ['p1 –'],
      ['p1 –'],
      ['p1 –'],
      ['p1 –22:00', 'p2 22:00–'],
      ['p2 –06:00', 'p1 06:00–'],
    ])
  })

  it('draws nothing of what was before the first turn, and says so of what counts until then', () => {
    const policy = policyOnCall(
      { rotas: [rotaOf(['p1', 'p2'], { starts: '2026-11-20' })] },
      { people: ['p1', 'p2'].map((id) => listed(id)) },
    )
    const now = instantIn('2026-11-18T12:00', newYork) ?? 0
    const [row] = rowsOf(policy, weekOf(now, newYork), now)
    expect(row?.days.map((day) => day.map(({ person, early }) => `${person}${early ? ', early' : ''}`))).toEqual([
      [],
      [],
      ['p2, early'],
      ['p2, early'],
      ['p2, early', 'p1'],
      ['p1'],
      ['p1'],
    ])
  })

  it('says it only of the part before the first turn where one person has both', () => {
    const policy = policyOnCall({ rotas: [rotaOf(['p1'], { starts: '2026-11-20' })] }, { people: [listed('p1')] })
    const now = instantIn('2026-11-20T06:00', newYork) ?? 0
    const [row] = rowsOf(policy, weekOf(now, newYork), now)
    const friday = row?.days[4]?.map(
      ({ begins, ends, early }) => `${begins ?? ''}–${ends ?? ''}${early ? ', early' : ''}`,
    )
    expect(friday).toEqual(['–08:00, early', '08:00–'])
    expect(row?.days[5]?.map(({ early }) => early)).toEqual([false])
  })

  it('finds the first time at which nobody has a rota that counts', () => {
    const policyOf = (away: Policy['on_call']['away']) =>
      policyOnCall({ rotas: [rotaOf(['p1'])], away }, { people: [listed('p1')] })
    const [from = 0, to = 0] = ['2026-11-20T12:00', '2026-12-04T12:00'].map((each) => instantIn(each, newYork) ?? 0)
    expect(firstUnfilled(policyOf([]), from, to)).toBeNull()
    const away = { person: 'p1', from: '2026-11-28T02:00', to: '2026-11-29T02:00' }
    const found = firstUnfilled(policyOf([away]), from, to)
    expect(found && [found.rota.id, wallField(found.at, newYork)]).toEqual(['rota-1', '2026-11-28T02:00'])
    expect(firstUnfilled(policyOf([{ ...away, from: '2026-11-01T02:00' }]), from, to)?.at).toBe(from)
  })

  it('reads a field as the clocks of the school show it, and nothing that is no time', () => {
    const at = instantIn('2026-11-28T02:00', newYork)
    expect(at).toBe(Date.UTC(2026, 10, 28, 7))
    expect(wallField(at ?? 0, newYork)).toBe('2026-11-28T02:00')
    for (const none of ['', '2026-11-28', '2026-11-28T02:00:00Z']) expect(instantIn(none, newYork)).toBeNull()
  })
})
