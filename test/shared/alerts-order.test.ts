import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlertAction } from '../../shared/actions.ts'
import { createReduction } from '../../shared/reduction.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { play, someHistory } from '../support/alert-histories.ts'
import { modelAlerts } from '../support/alert-model.ts'
import { action, only, reduceAlerts, start, trigger } from '../support/alerts.ts'

const at = (position: number, done: AlertAction): AlertAction => ({ ...done, position })

describe('the order that a station gave', () => {
  const crisis = trigger()
  const marlows = action('acknowledged', [crisis], { by: 'marlow', at: start + seconds(20) })
  const oseis = action('acknowledged', [crisis], { by: 'osei', at: start + seconds(30) })

  it('decides who holds an alert, whatever the clocks of the two say', () => {
    const alert = only(reduceAlerts([crisis], [at(2, marlows), at(1, oseis)]))
    expect(alert.owner?.id).toBe('osei')
    expect(alert.history.map(({ action: { by }, applied }) => [by, applied])).toEqual([
      ['osei', true],
      ['marlow', false],
    ])
  })

  it('puts what was done offline for days after what was done meanwhile', () => {
    const friday = action('acknowledged', [crisis], { by: 'marlow', at: start + minutes(1) })
    const sunday = action('resolved', [crisis], { by: 'osei', at: start + minutes(2880) })
    const alert = only(reduceAlerts([crisis], [at(2, friday), at(1, sunday)]))
    expect(alert).toMatchObject({ state: 'resolved', resolved: { by: 'osei' } })
    expect(alert.history.map(({ applied }) => applied)).toEqual([true, false])
  })

  it('puts what has not been relayed yet after what has', () => {
    const alert = only(reduceAlerts([crisis], [marlows, at(1, oseis)]))
    expect(alert.owner?.id).toBe('osei')
  })

  it('lets a console hear that somebody was first', () => {
    const reduction = createReduction()
    reduction.add([crisis], [marlows])
    expect(only(reduction.alerts()).owner?.id).toBe('marlow')
    reduction.add([], [at(1, oseis)])
    reduction.add([], [at(2, marlows)])
    const alert = only(reduction.alerts())
    expect(alert.owner?.id).toBe('osei')
    expect(alert.history.map(({ action: { position } }) => position)).toEqual([1, 2])
  })

  it('changes nothing about what stood in that order already', () => {
    const reduction = createReduction()
    reduction.add([crisis], [marlows])
    const concerned = reduction.add([], [at(1, marlows)])
    expect(concerned?.size).toBe(1)
    expect(only(reduction.alerts()).history[0]?.action.position).toBe(1)
  })

  it('a refusal that comes later takes back what was done here', () => {
    const reduction = createReduction()
    reduction.add([crisis], [marlows])
    reduction.add([], [{ ...marlows, position: 1, refused: 'unknown person' }])
    expect(only(reduction.alerts())).toMatchObject({ state: 'open', owner: null, history: [{ applied: false }] })
  })
})

describe('what nobody vouches for', () => {
  const crisis = trigger()
  const taken = action('acknowledged', [crisis], { by: 'marlow' })
  const relayed = { ...taken, position: 1, unvouched: 'console not approved' }

  it('holds nothing at other consoles, where it is shown', () => {
    expect(only(reduceAlerts([crisis], [relayed]))).toMatchObject({
      ...{ state: 'open', owner: null, first_seen_at: null },
      history: [{ applied: false, action: { unvouched: 'console not approved' } }],
    })
  })

  it('stands where it was done, which knows that it does not elsewhere', () => {
    const reduction = createReduction()
    reduction.add([crisis], [taken])
    reduction.add([], [relayed])
    reduction.add([], [relayed])
    expect(only(reduction.alerts())).toMatchObject({
      ...{ state: 'acknowledged', owner: { id: 'marlow' } },
      history: [{ applied: true, action: { position: 1, unvouched_elsewhere: 'console not approved' } }],
    })
  })

  it('takes nothing back', () => {
    const undo = {
      ...action('withdrawn', [crisis], { at: start + minutes(1) + 1, record: taken.id }),
      unvouched: 'unsigned',
    }
    expect(only(reduceAlerts([crisis], [taken, undo])).state).toBe('acknowledged')
  })
})

describe('what its author cannot have seen', () => {
  it('is not covered by an action whose author says that it is done later than a station had it, on any console', () => {
    const first = trigger({ idempotency_key: 'key-1' })
    const later = trigger({ idempotency_key: 'key-2', at: start + minutes(40), received_at: start + minutes(40) })
    const ahead = action('resolved', [first], { covers: ['key-1', 'key-2'], at: start + minutes(1200) })
    const relayed = { ...at(1, ahead), relayed_at: start + seconds(30) }
    const expected = reduceAlerts([first, later], [relayed])
    expect(expected.map(({ state, triggers }) => [state, triggers.map(({ id }) => id)])).toEqual([
      ['resolved', [first.id]],
      ['open', [later.id]],
    ])
    // As it comes to others, and to its author, who knew it before.
    const adding = [
      { triggers: [first], actions: [] },
      { triggers: [later], actions: [] },
      { triggers: [], actions: [ahead] },
      { triggers: [], actions: [relayed] },
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(adding, { minLength: adding.length }), (order) => {
        const reduction = createReduction()
        // A console knows what it did itself before it comes back.
        const [mine, back] = [order.indexOf(adding[2] as never), order.indexOf(adding[3] as never)]
        fc.pre(mine < back)
        for (const { triggers, actions } of order) reduction.add(triggers, actions)
        const shape = (alerts: typeof expected) => alerts.map(({ key, state, opened_at }) => [key, state, opened_at])
        expect(shape(reduction.alerts())).toEqual(shape(expected))
      }),
    )
  })

  it('is not covered by an action that guessed the key of a trigger still to come', () => {
    const first = trigger()
    const later = trigger({ at: start + minutes(10), idempotency_key: 'session-1768905000' })
    const guessed = action('resolved', [first], { covers: [first.id, later.idempotency_key] })
    const [resolved, open] = reduceAlerts([first, later], [guessed])
    expect(resolved).toMatchObject({ state: 'resolved', triggers: [first] })
    expect(open).toMatchObject({ state: 'open', triggers: [later] })
  })

  it('is covered by nothing where an action names only that; the action is shown', () => {
    const later = trigger({ at: start + minutes(10) })
    const guessed = action('acknowledged', [], { covers: [later.idempotency_key] })
    const alert = only(reduceAlerts([later], [guessed]))
    expect(alert).toMatchObject({ state: 'open', owner: null, first_seen_at: null, history: [{ applied: false }] })
  })

  it('an identity counts however wrong a clock is: nobody knows it before', () => {
    const crisis = trigger()
    const alert = only(reduceAlerts([crisis], [action('acknowledged', [crisis], { at: start - minutes(20) })]))
    expect(alert.state).toBe('acknowledged')
  })
})

it('three consoles and a station come to the same, which is what the plain model says', () => {
  fc.assert(
    fc.property(someHistory, (history) => {
      const { triggers, actions, consoles } = play(history)
      for (const alerts of consoles) expect(alerts).toEqual(reduceAlerts(triggers, actions))
      const shown = (consoles[0] ?? []).map(({ triggers: of, state, owner, hand_off }) => ({
        ...{ triggers: of.map(({ id }) => id), state, owner: owner?.id ?? null, to: hand_off?.to ?? null },
      }))
      const modelled = modelAlerts(triggers, actions).map(({ triggers: of, state, owner, to }) => ({
        triggers: of,
        state,
        owner,
        to,
      }))
      const byFirst = (a: { triggers: string[] }, b: { triggers: string[] }) =>
        (a.triggers[0] ?? '') < (b.triggers[0] ?? '') ? -1 : 1
      expect(shown.sort(byFirst)).toEqual(modelled.sort(byFirst))
    }),
    { numRuns: 20_000 },
  )
})
