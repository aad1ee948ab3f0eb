import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  actionSchema,
  contactKindSchema,
  contactOutcomeSchema,
  dispositionSchema,
  type AlertAction,
} from '../../shared/actions.ts'
import { groupingWindow } from '../../shared/thresholds.ts'
import { alertKey, coverageOf, isWorse, type Alert, type Trigger } from '../../shared/alerts.ts'
import { createReduction } from '../../shared/reduction.ts'
import { patternCategories, type PatternCategory } from '../../shared/risk.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { action, identity, only, reduceAlerts, start, trigger } from '../support/alerts.ts'

describe('grouping', () => {
  it('makes one alert of what a session says within 30 minutes of the first trigger', () => {
    const triggers = [0, 10, 30].map((after) => trigger({ at: start + minutes(after) }))
    const alert = only(reduceAlerts(triggers, []))
    expect(alert).toMatchObject({ key: alertKey(triggers[0]!), state: 'open', opened_at: start })
    expect(alert.last_trigger_at).toBe(start + minutes(30))
  })

  it('measures the 30 minutes from the first trigger, however many follow', () => {
    const triggers = [0, minutes(20), minutes(30) + 1].map((after) => trigger({ at: start + after }))
    expect(reduceAlerts(triggers, []).map((alert) => alert.triggers.length)).toEqual([2, 1])
  })

  it('says of an alert what holds for all of its triggers', () => {
    const about = (about_other: boolean, second: number) => trigger({ about_other, at: start + seconds(second) })
    expect(only(reduceAlerts([about(true, 0), about(true, 1)], []))).toMatchObject({ about_other: true })
    expect(only(reduceAlerts([about(true, 0), about(false, 1)], []))).toMatchObject({ about_other: false })
    const [seen, others, own] = [about(true, 0), about(true, 1), about(false, 2)]
    const [, left] = reduceAlerts([seen, others, own], [action('resolved', [seen])])
    expect(left).toMatchObject({ triggers: [others, own], about_other: false })
  })

  it('is as bad as the worst of its triggers', () => {
    const first = trigger({ tier: 'high', score: 0.7, categories: ['hopelessness'] })
    const worst = trigger({ at: start + 1, score: 0.95, categories: ['suicidal_intent'] })
    const last = trigger({ at: start + 2, tier: 'high', score: 0.8, categories: ['self_harm'] })
    expect(only(reduceAlerts([first, worst, last], []))).toMatchObject({
      tier: 'crisis',
      score: 0.95,
      categories: ['suicidal_intent', 'self_harm', 'hopelessness'],
    })
  })

  it('was received when the first of its triggers was', () => {
    const received = [5, 2, 7].map((minute, index) =>
      trigger({ at: start + seconds(index), received_at: start + minutes(minute) }),
    )
    expect(only(reduceAlerts(received, [])).received_at).toBe(start + minutes(2))
  })

  it('opens a new one a moment later, linked to the earlier ones, acknowledged or not', () => {
    const first = trigger()
    const second = trigger({ at: start + groupingWindow + 1 })
    const third = trigger({ at: start + 2 * groupingWindow + 2 })
    const alerts = reduceAlerts([third, first, second], [action('acknowledged', [first])])
    expect(alerts.map(({ triggers }) => triggers.length)).toEqual([1, 1, 1])
    expect(alerts.map(({ earlier }) => earlier)).toEqual([[], [alertKey(first)], [alertKey(first), alertKey(second)]])
  })

  it('keeps the old key as an alias when an earlier trigger comes late', () => {
    const late = trigger({ at: start - minutes(5) })
    const known = trigger()
    const before = only(reduceAlerts([known], []))
    const after = only(reduceAlerts([known, late], [action('acknowledged', [known])]))
    expect(after.key).not.toBe(before.key)
    expect(after.aliases).toContain(before.key)
    expect(after.state).toBe('acknowledged')
  })

  it('opens a new alert for a trigger that comes after a resolution', () => {
    const first = trigger()
    const second = trigger({ at: start + minutes(10) })
    const [resolved, fresh] = reduceAlerts([first, second], [action('resolved', [first])])
    expect(resolved).toMatchObject({ state: 'resolved', triggers: [first] })
    expect(fresh).toMatchObject({ state: 'open', triggers: [second], earlier: [alertKey(first)] })
  })

  it('takes two events about one message for one moment', () => {
    const analysis = trigger({ message_id: 'm1', tier: 'crisis' })
    const crisis = trigger({ message_id: 'm1', at: start + 3 })
    const alert = only(reduceAlerts([analysis, crisis], [action('acknowledged', [analysis], { at: start + 1 })]))
    expect(alert).toMatchObject({ state: 'acknowledged', again_at: [] })
    expect(alert.triggers).toHaveLength(2)
    const resolved = only(reduceAlerts([analysis, crisis], [action('resolved', [analysis], { at: start + 1 })]))
    expect(resolved.state).toBe('resolved')
  })
})

describe('what may never be taken for something known', () => {
  it('a message that speaks again hours later is no second event about the same moment', () => {
    const first = trigger({ message_id: 'm1' })
    const again = trigger({ message_id: 'm1', at: start + minutes(180) })
    const alerts = reduceAlerts([first, again], [action('resolved', [first])])
    expect(alerts.map(({ state }) => state)).toEqual(['resolved', 'open'])
  })

  it('a worse event about a message is heard, also where the alert of that message is resolved', () => {
    const analysis = trigger({ message_id: 'm1', tier: 'high', score: 0.8, categories: [] })
    const crisis = trigger({ message_id: 'm1', at: start + minutes(3), score: 0.95 })
    const alerts = reduceAlerts([analysis, crisis], [action('resolved', [analysis], { at: start + minutes(1) })])
    expect(alerts.map(({ state, triggers }) => [state, triggers])).toEqual([
      ['resolved', [analysis]],
      ['open', [crisis]],
    ])
  })

  it('two students under one session id are two alerts', () => {
    const alerts = reduceAlerts([trigger(), trigger({ student_hash: 'b'.repeat(64), at: start + seconds(5) })], [])
    expect(alerts.map(({ student_hash }) => student_hash[0])).toEqual(['a', 'b'])
  })

  it('an equal trigger that an acknowledgement did not cover is shown as “again”', () => {
    const seen = trigger()
    const late = trigger({ at: start + seconds(10) })
    const [alert] = reduceAlerts([seen, late], [action('acknowledged', [seen])])
    expect(alert).toMatchObject({ state: 'acknowledged', again_at: [late.at] })
  })

  it('the first acknowledgement stays the first after a hand-off is accepted', () => {
    const crisis = trigger()
    const taken = action('acknowledged', [crisis])
    const given = action('handed_off', [crisis], { at: start + minutes(2), to: 'osei', to_name: 'osei' })
    const accepted = action('hand_off_accepted', [crisis], { at: start + minutes(9), by: 'osei' })
    const [alert] = reduceAlerts([crisis], [taken, given, accepted])
    expect(alert).toMatchObject({ owner: { id: 'osei' }, first_acknowledged_at: taken.at })
  })
})

describe('after an acknowledgement', () => {
  const first = trigger({ tier: 'high', score: 0.8, categories: ['hopelessness'] })
  const acknowledged = action('acknowledged', [first])
  const later = (changes: Partial<Trigger>) =>
    trigger({ tier: 'high', score: 0.8, categories: ['hopelessness'], at: start + minutes(2), ...changes })

  it.each([
    ['a higher tier', { tier: 'crisis' as const }],
    ['a more severe category', { categories: ['self_harm'] satisfies PatternCategory[] }],
    ['a score 0.05 higher', { score: 0.85 }],
  ])('%s opens it again, with the reason', (_, changes) => {
    const alert = only(reduceAlerts([first, later(changes)], [acknowledged]))
    expect(alert).toMatchObject({ state: 'open', again_at: [], reopened: { reason: 'worse' } })
  })

  it('an equal trigger is “again”, and changes nothing else', () => {
    const alert = only(
      reduceAlerts([first, later({}), later({ score: 0.8499, at: start + minutes(3) })], [acknowledged]),
    )
    expect(alert).toMatchObject({ state: 'acknowledged', reopened: null })
    expect(alert.again_at).toEqual([start + minutes(2), start + minutes(3)])
  })

  it('measures “worse” by what either of two acknowledgements had seen', () => {
    const worse = later({ tier: 'crisis', score: 0.95 })
    const both = action('acknowledged', [first, worse], { by: 'osei', at: start + minutes(3) })
    const equal = later({ tier: 'crisis', score: 0.95, at: start + minutes(4) })
    expect(only(reduceAlerts([first, worse, equal], [acknowledged, both])).state).toBe('acknowledged')
  })

  it('counts what a later acknowledgement says it had seen, though it changes nothing else', () => {
    const seenThere = trigger({ tier: 'crisis', score: 0.95 })
    const second = action('acknowledged', [first], {
      by: 'osei',
      at: start + minutes(2),
      covered: coverageOf([first, seenThere]),
    })
    const equal = later({ tier: 'crisis', score: 0.95, at: start + minutes(4) })
    expect(only(reduceAlerts([first, equal], [acknowledged, second]))).toMatchObject({
      state: 'acknowledged',
      owner: { id: 'marlow' },
      again_at: [equal.at],
    })
  })

  it('covers what an action names by its idempotency key alone', () => {
    const byKey = action('acknowledged', [first], { covers: [first.idempotency_key] })
    expect(only(reduceAlerts([first], [byKey]))).toMatchObject({ state: 'acknowledged', owner: { id: 'marlow' } })
  })

  it('counts what an action names as covered where the sender told no coverage', () => {
    const elsewhere = action('acknowledged', [first], { covered: coverageOf([]) })
    const alert = only(reduceAlerts([first, later({})], [elsewhere]))
    expect(alert).toMatchObject({ state: 'acknowledged', again_at: [start + minutes(2)] })
  })

  it('stays open where something worse was not before the person who acknowledged', () => {
    const unseen = later({ tier: 'crisis', at: start + 10 })
    const alert = only(reduceAlerts([first, unseen], [acknowledged]))
    expect(alert).toMatchObject({ state: 'open', reopened: { reason: 'unseen when acknowledged' } })
    expect(alert.acknowledged?.by).toBe('marlow')
  })

  it('stays open where a worse event about the same message was not before that person', () => {
    const analysis = trigger({ message_id: 'm1', tier: 'high', score: 0.8, categories: [] })
    const crisis = trigger({ message_id: 'm1', tier: 'crisis', score: 0.95, at: start + 5 })
    expect(only(reduceAlerts([analysis, crisis], [action('acknowledged', [analysis])]))).toMatchObject({
      state: 'open',
      reopened: { reason: 'unseen when acknowledged' },
    })
    const [resolved, open] = reduceAlerts([analysis, crisis], [action('resolved', [analysis])])
    expect([resolved?.state, open?.state]).toEqual(['resolved', 'open'])
    expect(open?.triggers).toEqual([crisis])
  })

  it('the first acknowledgement holds; a later one is kept and shown', () => {
    const second = action('acknowledged', [first], { by: 'osei', at: start + minutes(2) })
    const alert = only(reduceAlerts([first], [second, acknowledged]))
    expect(alert.owner?.id).toBe('marlow')
    expect(alert.history.map(({ action: { by }, applied }) => [by, applied])).toEqual([
      ['marlow', true],
      ['osei', false],
    ])
  })
})

describe('resolving', () => {
  it('never closes what its author had not seen', () => {
    const seen = trigger()
    const unseen = trigger({ at: start + 10 })
    const alerts = reduceAlerts([seen, unseen], [action('resolved', [seen])])
    expect(alerts.map(({ state, triggers }) => [state, triggers])).toEqual([
      ['resolved', [seen]],
      ['open', [unseen]],
    ])
  })

  it('takes no “again” of a trigger along that it leaves open', () => {
    const seen = trigger()
    const unseen = trigger({ at: start + minutes(2) })
    const alerts = reduceAlerts(
      [seen, unseen],
      [action('acknowledged', [seen]), action('resolved', [seen], { at: start + minutes(3) })],
    )
    expect(alerts.map(({ again_at }) => again_at)).toEqual([[], []])
  })

  it('needs a disposition, and ends a hand-off and a re-opening', () => {
    const first = trigger()
    const acknowledged = action('acknowledged', [first])
    const handed = action('handed_off', [first], { to: 'osei', at: start + minutes(2) })
    const bare = { ...action('resolved', [first], { at: start + minutes(3) }), disposition: undefined }
    expect(only(reduceAlerts([first], [acknowledged, handed, bare])).state).toBe('acknowledged')
    const resolved = action('resolved', [first], { at: start + minutes(4) })
    expect(only(reduceAlerts([first], [acknowledged, handed, resolved]))).toMatchObject({
      state: 'resolved',
      hand_off: null,
      resolved: { disposition: 'contacted student', note: 'Spoke.' },
    })
  })
})

describe('a reduction that grows', () => {
  const [first, second] = [trigger(), trigger({ at: start + minutes(1) })]
  const alertOf = (...added: [Trigger[], AlertAction[]][]): Alert => {
    const reduction = createReduction()
    for (const [triggers, actions] of added) reduction.add(triggers, actions)
    return only(reduction.alerts())
  }

  it('takes what comes twice once', () => {
    expect(alertOf([[first], []], [[first, first], []]).triggers).toEqual([first])
  })

  it('begins an alert with what came late and was earlier', () => {
    expect(alertOf([[second], []], [[first], []])).toMatchObject({ key: alertKey(first), triggers: [first, second] })
  })

  it('takes an action that waited for its trigger', () => {
    const acknowledged = action('acknowledged', [second], { at: start + minutes(2) })
    expect(alertOf([[first], [acknowledged]]).state).toBe('open')
    expect(alertOf([[first], [acknowledged]], [[second], []])).toMatchObject({ acknowledged: { id: acknowledged.id } })
  })
})

describe('what is resolved', () => {
  const first = trigger()
  const resolved = action('resolved', [first], { at: start + minutes(10) })

  it('stays as it was resolved, whatever is done afterwards', () => {
    const later = { by: 'osei', at: start + minutes(11) }
    for (const after of [action('taken_over', [first], later), action('resolved', [first], later)]) {
      const alert = only(reduceAlerts([first], [resolved, after]))
      expect(alert).toMatchObject({ state: 'resolved', owner: null, resolved: { by: 'marlow' } })
      expect(alert.history.map(({ applied }) => applied)).toEqual([true, false])
    }
  })

  it('is not opened by the clock', () => {
    const due_at = start + minutes(15)
    const overdue = action('reopened', [first], { by: 'system', at: due_at, due_at })
    // What was promised outlives resolving; it opens nothing.
    const promised = action('acknowledged', [first], { due_at, next_action: 'Call the clinic' })
    const alert = only(reduceAlerts([first], [promised, resolved, overdue]))
    expect(alert).toMatchObject({ state: 'resolved', reopened: null, due_at })
  })

  it('is opened by a person, and then nobody has resolved it', () => {
    const opened = action('reopened', [first], { by: 'osei', at: start + minutes(11) })
    expect(only(reduceAlerts([first], [resolved, opened]))).toMatchObject({
      state: 'open',
      resolved: null,
      reopened: { at: opened.at, reason: 'by a person' },
    })
  })
})

it('the clock has not looked at an alert', () => {
  const first = trigger()
  const overdue = action('reopened', [first], { by: 'system' })
  expect(only(reduceAlerts([first], [overdue])).first_seen_at).toBeNull()
  const seen = action('seen', [first], { at: start + minutes(2) })
  expect(only(reduceAlerts([first], [overdue, seen])).first_seen_at).toBe(seen.at)
})

describe('holding', () => {
  const first = trigger()
  const acknowledged = action('acknowledged', [first], { due_at: start + minutes(15), next_action: 'Call' })

  it('a hand-off stays with the giver until it is accepted', () => {
    const handed = action('handed_off', [first], { to: 'osei', to_name: 'Osei', at: start + minutes(2) })
    const offered = only(reduceAlerts([first], [acknowledged, handed]))
    expect(offered).toMatchObject({ owner: { id: 'marlow' }, hand_off: { to: 'osei', by: 'marlow' } })
    const accepted = action('hand_off_accepted', [first], { by: 'osei', at: start + minutes(3) })
    expect(only(reduceAlerts([first], [acknowledged, handed, accepted]))).toMatchObject({
      owner: { id: 'osei' },
      hand_off: null,
      due_at: start + minutes(15),
    })
    const stranger = action('hand_off_accepted', [first], { by: 'quist', at: start + minutes(3) })
    expect(only(reduceAlerts([first], [acknowledged, handed, stranger])).owner?.id).toBe('marlow')
  })

  it('only the holder hands off', () => {
    const handed = action('handed_off', [first], { by: 'osei', to: 'quist', at: start + minutes(2) })
    expect(only(reduceAlerts([first], [acknowledged, handed])).hand_off).toBeNull()
  })

  it('the clock re-opens the plan it spoke of, and no other', () => {
    const overdue = action('reopened', [first], { by: 'system', at: start + minutes(15), due_at: start + minutes(15) })
    expect(only(reduceAlerts([first], [acknowledged, overdue]))).toMatchObject({
      state: 'open',
      reopened: { reason: 'due time passed' },
    })
    const edited = action('corrected', [first], { at: start + minutes(10), due_at: start + minutes(40) })
    expect(only(reduceAlerts([first], [overdue, edited, acknowledged]))).toMatchObject({
      state: 'acknowledged',
      due_at: start + minutes(40),
      reopened: null,
    })
  })

  it('takes actions in the order they were done, also where the trigger’s clock runs ahead of ours', () => {
    const ahead = trigger({ at: start + minutes(90) })
    const ack = action('acknowledged', [ahead], { id: 'z', due_at: start + minutes(15) })
    const resolve = action('resolved', [ahead], { id: 'a', at: start + minutes(2) })
    expect(only(reduceAlerts([ahead], [resolve, ack]))).toMatchObject({
      state: 'resolved',
      acknowledged: { id: 'z' },
    })
    const overdue = action('reopened', [ahead], {
      id: 'b',
      by: 'system',
      at: start + minutes(15),
      due_at: start + minutes(15),
    })
    expect(only(reduceAlerts([ahead], [overdue, ack])).state).toBe('open')
  })
})

// ---- For every set of triggers and actions ---------------------------------------------------

const kinds = actionSchema.options.flatMap(({ shape }) => [...shape.action.values])
const categories = Object.keys(patternCategories) as PatternCategory[]
const someTriggers = fc
  .array(
    fc.record({
      minute: fc.integer({ min: -20, max: 120 }),
      tier: fc.constantFrom('high' as const, 'crisis' as const),
      score: fc.integer({ min: 60, max: 100 }).map((hundredth) => hundredth / 100),
      categories: fc.subarray(categories, { maxLength: 3 }),
      message: fc.option(fc.integer({ min: 0, max: 4 })),
      sameKey: fc.boolean(),
      student_hash: fc.constantFrom('a'.repeat(64), 'a'.repeat(64), 'b'.repeat(64)),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((list) =>
    list.map(({ minute, message, sameKey, ...rest }, index) =>
      trigger({
        ...rest,
        id: identity(index),
        idempotency_key: sameKey ? 'one key' : `key-${index}`,
        at: start + minutes(minute),
        message_id: message === null ? null : `m${message}`,
      }),
    ),
  )

const someActions = (triggers: Trigger[]) =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom(...kinds, 'acknowledged', 'commitment_made', 'commitment_met', 'withdrawn', 'withdrawn'),
        minute: fc.integer({ min: 0, max: 150 }),
        by: fc.constantFrom('marlow', 'osei', 'system'),
        to: fc.constantFrom('marlow', 'osei'),
        covers: fc.subarray(triggers, { minLength: 1 }),
        byKey: fc.boolean(),
        due: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
        disposition: fc.constantFrom(...dispositionSchema.options),
        contact: fc.constantFrom(...contactKindSchema.options),
        outcome: fc.constantFrom(...contactOutcomeSchema.options),
        step: fc.constantFrom('call-guardian', 'follow-up'),
        words: fc.constantFrom('Call', 'Wait', undefined),
        /** Of another of these actions, or of itself. */
        of: fc.nat({ max: 9 }).map((index) => `a${index}`),
      }),
      { maxLength: 10 },
    )
    .map((list) =>
      list.map(({ kind, minute, covers, byKey, due, words, of, ...rest }, index) =>
        action(kind, covers, {
          ...rest,
          ...{ record: of, commitment: of, next_action: words, note: words },
          id: `a${index}`,
          at: start + minutes(minute),
          ...(byKey && { covers: covers.map(({ idempotency_key }) => idempotency_key) }),
          due_at: due === undefined ? undefined : start + minutes(15 * due),
        }),
      ),
    )

const someHistory = someTriggers.chain((triggers) => fc.tuple(fc.constant(triggers), someActions(triggers)))
interface Coming {
  trigger?: Trigger
  action?: AlertAction
}
const timeOf = ({ trigger: one, action: other }: Coming): number => one?.at ?? other?.at ?? 0
/** The same set in another order, some of it twice. */
const disordered = <T>(items: T[]) =>
  fc
    .tuple(fc.shuffledSubarray(items, { minLength: items.length }), fc.subarray(items))
    .map(([all, twice]) => [...twice, ...all])

describe('for every set of triggers and actions', () => {
  it('any order and duplication gives the same alerts', () => {
    const cases = someHistory.chain(([triggers, actions]) =>
      fc.tuple(fc.constant(triggers), fc.constant(actions), disordered(triggers), disordered(actions)),
    )
    fc.assert(
      fc.property(cases, ([triggers, actions, otherTriggers, otherActions]) => {
        expect(reduceAlerts(otherTriggers, otherActions)).toEqual(reduceAlerts(triggers, actions))
      }),
      { numRuns: 500 },
    )
  })

  it('taken one by one, as they come, they give what all at once give; what an addition does not name stays', () => {
    const cases = someHistory.chain(([triggers, actions]) => {
      const coming: Coming[] = [
        ...triggers.map((one) => ({ trigger: one })),
        ...actions.map((one) => ({ action: one })),
      ]
      // In order, so that little is reduced anew, and in any order, so that much is.
      const inTime = [...coming].sort((a, b) => timeOf(a) - timeOf(b))
      return fc.oneof(fc.constant(inTime), disordered(inTime), disordered(coming))
    })
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 3 }), (coming, size) => {
        const reduction = createReduction()
        const known: { triggers: Trigger[]; actions: AlertAction[] } = { triggers: [], actions: [] }
        for (let from = 0; from < coming.length; from += size) {
          const some = coming.slice(from, from + size)
          const triggers = some.flatMap(({ trigger: one }) => one ?? [])
          const actions = some.flatMap(({ action: one }) => one ?? [])
          const before = reduction.alerts()
          const concerned = reduction.add(triggers, actions)
          known.triggers.push(...triggers)
          known.actions.push(...actions)
          const after = reduction.alerts()
          expect(after).toEqual(reduceAlerts(known.triggers, known.actions))
          if (concerned === null) continue
          const keys = new Set([...concerned].map((alert) => alert.key))
          const rest = after.filter((alert) => !keys.has(alert.key)).map(({ earlier: _, ...alert }) => alert)
          for (const alert of rest) expect(before.map(({ earlier: _, ...one }) => one)).toContainEqual(alert)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('what a station refused is shown, and changes nothing', () => {
    const cases = someHistory.chain(([triggers, actions]) =>
      fc.tuple(
        fc.constant(triggers),
        fc.constant(actions),
        someActions(triggers).map((some) =>
          some.map((one, index): AlertAction => ({ ...one, id: `refused-${index}`, refused: 'signature' })),
        ),
      ),
    )
    const stood = (alerts: Alert[]) =>
      alerts.map(({ history, ...alert }) => ({
        ...alert,
        history: history.filter(({ action: { refused } }) => refused === undefined),
      }))
    fc.assert(
      fc.property(cases, ([triggers, actions, refused]) => {
        const alerts = reduceAlerts(triggers, [...refused, ...actions])
        expect(stood(alerts)).toEqual(reduceAlerts(triggers, actions))
        const shown = alerts.flatMap(({ history }) => history.filter(({ action: one }) => one.refused !== undefined))
        expect(shown.some(({ applied }) => applied)).toBe(false)
        expect(new Set(shown.map(({ action: { id } }) => id)).size).toBe(refused.length)
      }),
      { numRuns: 300 },
    )
  })

  it('every trigger is in exactly one alert, and every alert is known by the keys of its triggers', () => {
    fc.assert(
      fc.property(someHistory, ([triggers, actions]) => {
        const alerts = reduceAlerts(triggers, actions)
        const held = alerts.flatMap((alert) => alert.triggers.map(({ id }) => id)).sort()
        expect(held).toEqual(triggers.map(({ id }) => id).sort())
        for (const alert of alerts) {
          expect(alert.key).toBe(alertKey(alert.triggers[0]!))
          expect(alert.aliases).toEqual(alert.triggers.map(alertKey))
          expect(alert.earlier).not.toContain(alert.key)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('what an alert says is the worst of its triggers', () => {
    fc.assert(
      fc.property(someHistory, ([triggers, actions]) => {
        for (const alert of reduceAlerts(triggers, actions)) {
          const worst = coverageOf(alert.triggers)
          expect(alert).toMatchObject({ tier: worst.tier, score: worst.score })
          expect([...alert.categories].sort()).toEqual(worst.categories)
          expect(alert.opened_at).toBe(Math.min(...alert.triggers.map(({ at }) => at)))
          expect(alert.last_trigger_at).toBe(Math.max(...alert.triggers.map(({ at }) => at)))
          for (const at of alert.again_at) expect(alert.triggers.map((one) => one.at)).toContain(at)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('a trigger is resolved only by an action that names it, or its message and nothing milder', () => {
    fc.assert(
      fc.property(someHistory, ([triggers, actions]) => {
        const names = ({ covers }: AlertAction, { id, idempotency_key }: Trigger) =>
          covers.includes(id) || covers.includes(idempotency_key)
        const resolutions = actions.filter(({ action: kind }) => kind === 'resolved')
        for (const alert of reduceAlerts(triggers, actions).filter(({ state }) => state === 'resolved')) {
          for (const one of alert.triggers) {
            const twins = triggers.filter(({ message_id }) => message_id !== null && message_id === one.message_id)
            const byName = resolutions.some((resolution) => names(resolution, one))
            const byTwin = twins.some((twin) => resolutions.some((resolution) => names(resolution, twin)))
            expect(byName || byTwin).toBe(true)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('an acknowledged alert holds nothing worse than what was covered', () => {
    fc.assert(
      fc.property(someHistory, ([triggers, actions]) => {
        for (const alert of reduceAlerts(triggers, actions).filter(({ state }) => state === 'acknowledged')) {
          for (const one of alert.triggers) expect(isWorse(one, alert.acknowledged!.covered)).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('work', () => {
  /** Counts how often a trigger's identity, message or time is looked at: the reduction's work, whatever the machine. */
  const workOf = (count: number, changes: (index: number) => Partial<Trigger>): number => {
    let looks = 0
    const counted = Array.from({ length: count }, (_, index) => {
      const inner = trigger({ id: identity(index), at: start + index, ...changes(index) })
      return new Proxy(inner, {
        get(target, name, receiver) {
          looks += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      })
    })
    const first = counted.slice(0, 10)
    reduceAlerts(counted, [action('acknowledged', first), action('noted', first)])
    return looks
  }

  it.each([
    ['one alert', () => ({})],
    ['messages with two events each', (index: number) => ({ message_id: `m${index >> 1}` })],
    ['an alert every second', (index: number) => ({ at: start + index * seconds(1) })],
  ])('10,000 triggers of one session cost twice as much as 5,000: %s', (_, changes) => {
    expect(workOf(10_000, changes) / workOf(5000, changes)).toBeLessThan(2.5)
  })
})
