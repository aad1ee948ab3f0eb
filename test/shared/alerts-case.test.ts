/** What a case is made of, beside who holds its alert: undo, commitments, steps, attempts, hand-offs, corrections. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAnsweredBy, mayWithdraw, type Alert } from '../../shared/alerts.ts'
import type { ActionKind, AlertAction } from '../../shared/actions.ts'
import { turnOf } from '../../shared/inbox-order.ts'
import { createReduction } from '../../shared/reduction.ts'
import { decideNext, decideNextWithin, defaultNextAction } from '../../shared/thresholds.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { action, only, reduceAlerts, start, trigger } from '../support/alerts.ts'

const crisis = trigger()
const due = start + minutes(15)
const acknowledged = action('acknowledged', [crisis], { id: 'ack', next_action: 'Call', due_at: due })
const after = (minute: number, kind: ActionKind, said: object = {}) =>
  action(kind, [crisis], { at: start + minutes(minute), ...said })
const alertOf = (...actions: AlertAction[]): Alert => only(reduceAlerts([crisis], actions))
const appliedTo = (alert: Alert, id: string) => alert.history.find(({ action: one }) => one.id === id)?.applied
const turn = (alert: Alert) => turnOf({ ...alert, reopened_at: alert.reopened?.at ?? null })
/** The clock's word that a plan was due. */
const overdue = (at = due) => action('reopened', [crisis], { id: `due ${at}`, by: 'system', at, due_at: at })

describe('what its author takes back', () => {
  const undone = (said: object = {}) => after(2, 'withdrawn', { id: 'undo', record: 'ack', ...said })

  it('is as if it had not been done, and is erased nowhere', () => {
    const alert = alertOf(acknowledged, undone())
    expect(alert).toMatchObject({
      ...{ state: 'open', owner: null, acknowledged: null, first_acknowledged_at: null, reopened: null },
      ...{ commitments: [], next_action: null, due_at: null },
    })
    expect(alert.history).toEqual([
      { action: acknowledged, applied: false, withdrawn: { at: start + minutes(2) } },
      { action: undone(), applied: true },
    ])
  })

  it('leaves the clock where it stood: the alert waits since it was received', () => {
    const waiting = alertOf()
    const alert = alertOf(acknowledged, undone())
    expect(turn(alert)).toBe(turn(waiting))
    expect(turn(alert)).toBe(crisis.received_at)
  })

  it('was looked at all the same', () => {
    expect(alertOf(acknowledged, undone()).first_seen_at).toBe(acknowledged.at)
  })

  it('is open again where it was resolved, and whole again where something had been split off', () => {
    const unseen = trigger({ at: start + 10 })
    const resolved = after(1, 'resolved', { id: 'done' })
    expect(reduceAlerts([crisis, unseen], [resolved])).toHaveLength(2)
    const alert = only(reduceAlerts([crisis, unseen], [resolved, after(2, 'withdrawn', { record: 'done' })]))
    expect(alert).toMatchObject({ state: 'open', resolved: null, triggers: [crisis, unseen] })
  })

  it('stays done where somebody else takes it back', () => {
    const alert = alertOf(acknowledged, undone({ by: 'osei' }))
    expect(alert).toMatchObject({ state: 'acknowledged', owner: { id: 'marlow' } })
    expect(appliedTo(alert, 'undo')).toBe(false)
    expect(alert.history[0]).not.toHaveProperty('withdrawn')
  })

  it('is taken back whatever a stranger says of the same record, who has taken back nothing', () => {
    const stranger = undone({ id: 'a stranger’s', by: 'osei' })
    for (const order of [
      [acknowledged, stranger, undone()],
      [undone(), stranger, acknowledged],
    ]) {
      const alert = alertOf(...order)
      expect(alert.state).toBe('open')
      expect([appliedTo(alert, 'undo'), appliedTo(alert, 'a stranger’s')]).toEqual([true, false])
    }
  })

  it('is taken back at one time everywhere, where it was taken back twice', () => {
    const [one, other] = [undone({ id: 'x' }), undone({ id: 'y', at: start + minutes(1) + 1 })]
    const times = [
      [acknowledged, one, other],
      [acknowledged, other, one],
      [other, acknowledged, one],
    ].map((actions) => {
      const reduction = createReduction()
      reduction.add([crisis], [])
      for (const each of actions) reduction.add([], [each])
      return only(reduction.alerts()).history[0]?.withdrawn
    })
    expect(new Set(times.map((time) => time?.at))).toEqual(new Set([one.at]))
  })

  it.each([
    ['the word of the clock', { ...overdue(start + minutes(1)), by: 'system' }],
    ['having looked', action('seen', [crisis], { id: 'looked' })],
    ['what a station refused', action('acknowledged', [crisis], { refused: 'signature' })],
    ['a told past', { ...acknowledged, backfill: true } as AlertAction],
  ])('is never %s', (_, done) => {
    expect(mayWithdraw(done)).toBe(false)
    const undo = after(3, 'withdrawn', { record: done.id, by: done.by })
    const alert = alertOf(done, undo)
    expect(alert.history.every(({ withdrawn }) => withdrawn === undefined)).toBe(true)
    expect({ ...alert, history: [] }).toEqual({ ...alertOf(done), history: [], first_seen_at: alert.first_seen_at })
  })

  it('is never a taking back: what was undone is done again, not undone twice', () => {
    const alert = alertOf(acknowledged, undone(), after(3, 'withdrawn', { id: 'redo', record: 'undo' }))
    expect(alert.state).toBe('open')
    expect(appliedTo(alert, 'redo')).toBe(false)
  })

  it('stays done where a station refused the taking back', () => {
    expect(alertOf(acknowledged, undone({ refused: 'signature' })).state).toBe('acknowledged')
  })

  it('leaves everything else of a case as it would be without it; nothing, once somebody else has acted on it', () => {
    const kinds: ActionKind[] = [
      ...(['acknowledged', 'taken_over', 'handed_off', 'hand_off_accepted', 'hand_off_declined', 'returned'] as const),
      ...(['noted', 'corrected', 'resolved', 'step_done', 'commitment_made', 'commitment_met'] as const),
      ...(['commitment_moved', 'reopened', 'hand_off_withdrawn'] as const),
    ]
    const triggers = [crisis, trigger({ at: start + minutes(3), tier: 'high' }), trigger({ at: start + minutes(40) })]
    const some = fc
      .array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          minute: fc.integer({ min: 1, max: 50 }),
          by: fc.constantFrom('marlow', 'osei'),
          to: fc.constantFrom('marlow', 'osei'),
          covers: fc.subarray(triggers, { minLength: 1 }),
          words: fc.constantFrom('Call', undefined),
          of: fc.nat(8).map((index) => `a${index}`),
          due: fc.integer({ min: 1, max: 60 }),
        }),
        { minLength: 1, maxLength: 9 },
      )
      .map((list) =>
        list.map(({ kind, minute, by, to, covers, words, of, due: until }, index) =>
          action(kind, covers, {
            ...{ id: `a${index}`, by, to, at: start + minutes(minute), due_at: start + minutes(until) },
            ...{ next_action: words, note: words, record: of, commitment: of, step: words ?? 'other' },
          }),
        ),
      )
    fc.assert(
      fc.property(some, fc.nat(8), (actions, index) => {
        const [chosen = actions[0]!] = actions.slice(index, index + 1)
        const undo = action('withdrawn', triggers, {
          ...{ id: 'undo', record: chosen.id, by: chosen.by, at: chosen.at + seconds(10) },
        })
        const without = (alerts: Alert[]) =>
          alerts.map(({ history, first_seen_at: _, ...alert }) => ({
            ...alert,
            history: history.filter(({ action: one }) => one !== chosen && one !== undo),
          }))
        const answered =
          actions.some((other) => isAnsweredBy(chosen, other) && other.at <= undo.at) ||
          (chosen.action === 'resolved' && triggers.some(({ at }) => at > chosen.at && at <= undo.at))
        const left = answered ? actions : actions.filter((one) => one !== chosen)
        expect(without(reduceAlerts(triggers, [...actions, undo]))).toEqual(without(reduceAlerts(triggers, left)))
      }),
      { numRuns: 500 },
    )
  })
})

describe('undo after a colleague has acted', () => {
  const reopened = () =>
    action('reopened', [crisis], { id: 'again', by: 'marlow', at: start + minutes(10), reason: 'Again.' })
  const resolved = () =>
    action('resolved', [crisis], {
      id: 'end',
      by: 'marlow',
      at: start + minutes(5),
      disposition: 'referred',
      note: 'x',
    })
  const taken = () =>
    action('acknowledged', [crisis], {
      id: 'taken',
      by: 'osei',
      at: start + minutes(10) + seconds(5),
      next_action: 'Go',
    })
  const undo = (record: string, minute = 12) =>
    action('withdrawn', [crisis], {
      id: `undo ${record}`,
      record,
      by: 'marlow',
      at: start + minutes(10) + seconds(minute),
    })

  it('closes nothing that a colleague holds', () => {
    const alert = only(reduceAlerts([crisis], [acknowledged, resolved(), reopened(), taken(), undo('again')]))
    expect(alert).toMatchObject({ state: 'acknowledged', owner: { id: 'osei' } })
    expect(alert.commitments.map(({ what }) => what)).toContain('Go')
    expect(alert.history.at(-1)).toMatchObject({ applied: false })
  })

  it('takes nothing from a colleague who accepted it', () => {
    const handed = action('handed_off', [crisis], { id: 'handed', by: 'marlow', to: 'osei', at: start + minutes(10) })
    const accepted = action('hand_off_accepted', [crisis], {
      id: 'accepted',
      by: 'osei',
      at: start + minutes(10) + seconds(5),
    })
    const alert = only(reduceAlerts([crisis], [acknowledged, handed, accepted, undo('handed')]))
    expect(alert).toMatchObject({ state: 'acknowledged', owner: { id: 'osei' } })
  })

  it('is void in whatever order it is heard', () => {
    const all = [acknowledged, resolved(), reopened(), taken(), undo('again')]
    const whole = reduceAlerts([crisis], all)
    for (const [index] of all.entries()) {
      const reduction = createReduction()
      for (const one of [...all.slice(index), ...all.slice(0, index)]) reduction.add([crisis], [one])
      expect(reduction.alerts()).toEqual(whole)
    }
  })
})

describe('what somebody promised', () => {
  const promise = (id: string, minute: number, said: object = {}) =>
    after(3, 'commitment_made', { id, next_action: id, due_at: start + minutes(minute), ...said })
  const [tonight, tomorrow] = [promise('tonight', 60), promise('tomorrow', 1440)]
  const planOf = ({ next_action, due_at }: Alert) => [next_action, due_at]

  it('replaces nothing that was promised before; what is due first is next', () => {
    const alert = alertOf(acknowledged, tomorrow, tonight)
    expect(alert.commitments.map(({ what, plan }) => [what, plan])).toEqual([
      ['Call', true],
      ['tomorrow', false],
      ['tonight', false],
    ])
    expect(planOf(alert)).toEqual(['Call', due])
    const met = (minute: number, commitment: string) => after(minute, 'commitment_met', { commitment })
    expect(planOf(alertOf(acknowledged, tonight, tomorrow, met(5, 'ack')))).toEqual(['tonight', tonight_due()])
    const done = alertOf(acknowledged, tonight, met(5, 'ack'), met(6, 'tonight'))
    // A held alert is asked for again, whatever was done.
    expect(planOf(done)).toEqual([decideNext, start + minutes(6) + decideNextWithin])
    expect(done.commitments.slice(0, 2).map(({ met: by }) => by)).toEqual([
      { at: start + minutes(5), by_name: 'marlow' },
      { at: start + minutes(6), by_name: 'marlow' },
    ])
  })
  const tonight_due = () => start + minutes(60)

  it('is met once, by whoever met it first', () => {
    const first = after(5, 'commitment_met', { id: 'first', commitment: 'tonight', by: 'osei' })
    const second = after(6, 'commitment_met', { id: 'second', commitment: 'tonight' })
    const alert = alertOf(acknowledged, tonight, second, first)
    expect(alert.commitments[1]?.met).toEqual({ at: first.at, by_name: 'osei' })
    expect([appliedTo(alert, 'first'), appliedTo(alert, 'second')]).toEqual([true, false])
  })

  it('is moved in whatever it says, and only while it is open', () => {
    const moved = after(5, 'commitment_moved', {
      ...{ commitment: 'tonight', due_at: start + minutes(90), owner: 'osei', owner_name: 'A. Osei' },
    })
    const alert = alertOf(acknowledged, tonight, moved)
    expect(alert.commitments[1]).toMatchObject({
      ...{ id: 'tonight', what: 'tonight', due_at: start + minutes(90), owner: { id: 'osei', name: 'A. Osei' } },
    })
    // Whose alert it is, a commitment does not say.
    expect(alert.owner?.id).toBe('marlow')
    const met = after(4, 'commitment_met', { commitment: 'tonight' })
    expect(alertOf(acknowledged, tonight, met, moved).commitments[1]).toMatchObject({ due_at: tonight_due() })
  })

  it('opens the alert again when its time has passed, and not when it was moved or met before', () => {
    const early = promise('early', 10)
    const word = overdue(start + minutes(10))
    expect(alertOf(acknowledged, early, word)).toMatchObject({
      state: 'open',
      reopened: { reason: 'due time passed' },
      owner: { id: 'marlow' },
    })
    for (const answer of [
      after(5, 'commitment_met', { commitment: 'early' }),
      after(5, 'commitment_moved', { commitment: 'early', due_at: start + minutes(30) }),
      after(1, 'withdrawn', { record: 'early', at: early.at + seconds(10) }),
    ])
      expect(alertOf(acknowledged, early, answer, word).state).toBe('acknowledged')
  })

  it('goes to whoever takes the alert, but for what a third person promised', () => {
    const thirds = promise('third', 30, { owner: 'quist', owner_name: 'Q. Quist' })
    const taken = after(5, 'taken_over', { by: 'osei' })
    const alert = alertOf(acknowledged, tonight, thirds, taken)
    expect(alert.commitments.map(({ id, owner }) => [id, owner.id])).toEqual([
      ['ack', 'osei'],
      ['third', 'quist'],
      ['tonight', 'osei'],
    ])
    const handed = [after(5, 'handed_off', { to: 'osei' }), after(6, 'hand_off_accepted', { by: 'osei' })]
    expect(alertOf(acknowledged, tonight, ...handed).commitments.map(({ owner }) => owner.id)).toEqual(['osei', 'osei'])
  })

  it('that is overdue gets the new time of an acknowledgement that answers for it; the others keep theirs', () => {
    const answered = after(16, 'acknowledged', { by: 'osei', next_action: 'Call', due_at: start + minutes(31) })
    const alert = alertOf(acknowledged, tonight, overdue(), answered)
    expect(alert).toMatchObject({ state: 'acknowledged', owner: { id: 'osei' }, due_at: start + minutes(31) })
    expect(alert.commitments.map(({ what, due_at }) => [what, due_at])).toEqual([
      ['Call', start + minutes(31)],
      ['tonight', tonight_due()],
    ])
  })

  it('that is new to an acknowledgement is one more', () => {
    const answered = after(16, 'acknowledged', { by: 'osei', next_action: 'Go there', due_at: start + minutes(31) })
    const alert = alertOf(acknowledged, overdue(), answered)
    expect(alert.commitments.map(({ what, due_at }) => [what, due_at])).toEqual([
      ['Call', start + minutes(31)],
      ['Go there', start + minutes(31)],
    ])
  })

  describe('and met when it was overdue', () => {
    const met = (said: object = {}) => after(16, 'commitment_met', { commitment: 'ack', ...said })

    it('holds the alert again, where its holder met it', () => {
      expect(alertOf(acknowledged, overdue(), met())).toMatchObject({ state: 'acknowledged', reopened: null })
      const moved = after(16, 'commitment_moved', { commitment: 'ack', due_at: start + minutes(40) })
      expect(alertOf(acknowledged, overdue(), moved)).toMatchObject({ state: 'acknowledged', reopened: null })
    })

    it('leaves it open where somebody else did, or another is overdue, too', () => {
      expect(alertOf(acknowledged, overdue(), met({ by: 'osei' })).state).toBe('open')
      expect(alertOf(acknowledged, promise('early', 10), overdue(start + minutes(10)), met()).state).toBe('open')
    })

    it('leaves it open where something came that nobody has seen', () => {
      const again = trigger({ at: start + minutes(15) + seconds(30), score: 0.9 })
      const alert = only(reduceAlerts([crisis, again], [acknowledged, overdue(), met()]))
      expect(alert).toMatchObject({
        state: 'open',
        commitments: [
          { id: 'ack', met: { by_name: 'marlow' } },
          { what: decideNext, met: null },
        ],
      })
    })

    it('leaves it open where a person, or something worse, had opened it', () => {
      const opened = after(5, 'reopened', { by: 'osei', reason: 'Look again.' })
      expect(alertOf(acknowledged, opened, met({ at: start + minutes(6) })).state).toBe('open')
      const worse = trigger({ at: start + minutes(5), score: 0.99 })
      const covering = { covers: [crisis.id, worse.id], at: start + minutes(6) }
      expect(only(reduceAlerts([crisis, worse], [acknowledged, met(covering)])).state).toBe('open')
    })
  })

  it('outlives the alert; the plan of every acknowledgement is settled with it', () => {
    const plain = action('acknowledged', [crisis], { id: 'ack', next_action: defaultNextAction, due_at: due })
    const resolved = after(20, 'resolved', { at: start + minutes(10) })
    const alert = alertOf(plain, tomorrow, resolved)
    expect(alert).toMatchObject({ state: 'resolved', next_action: 'tomorrow', due_at: start + minutes(1440) })
    expect(alert.commitments.map(({ id, met }) => [id, met?.at ?? null])).toEqual([
      ['ack', resolved.at],
      ['tomorrow', null],
    ])
    // What was promised in words of one's own is nobody's to settle by the way.
    expect(alertOf(acknowledged, resolved).commitments[0]?.met).toBeNull()
    const met = after(1441, 'commitment_met', { commitment: 'tomorrow' })
    expect(alertOf(plain, tomorrow, resolved, met)).toMatchObject({ state: 'resolved', next_action: null })
  })

  it('of a told past has no time that is watched', () => {
    expect(alertOf({ ...tonight, backfill: true } as AlertAction).commitments).toMatchObject([
      { id: 'tonight', due_at: null },
    ])
  })

  it('is shown without words where they are sealed', () => {
    const sealed = { ...tonight, next_action: undefined, sealed: { ciphertext: 'AAAA', encrypted_key: 'AAAA' } }
    expect(alertOf(sealed as AlertAction)).toMatchObject({ next_action: '', due_at: tonight_due() })
  })
})

describe('“could not reach”', () => {
  const gaveUp = after(9, 'resolved', { id: 'gave up', disposition: 'could not reach' })

  it('closes no crisis, and changes nothing else about it', () => {
    const alert = alertOf(acknowledged, gaveUp)
    expect(alert).toMatchObject({ state: 'acknowledged', resolved: null, due_at: due })
    expect(appliedTo(alert, 'gave up')).toBe(false)
  })

  it('closes an alert of the high tier, as before', () => {
    const high = trigger({ tier: 'high' })
    const resolved = action('resolved', [high], { disposition: 'could not reach' })
    expect(only(reduceAlerts([high], [resolved])).state).toBe('resolved')
  })

  it('is an attempt: any number of them stand in the history, and change nothing', () => {
    const attempt = (minute: number) =>
      after(minute, 'contact_attempted', { contact: 'guardian', outcome: 'no answer' })
    const { history, ...alert } = alertOf(acknowledged, attempt(2), attempt(3))
    expect(history.map(({ applied }) => applied)).toEqual([true, true, true])
    const { history: _, ...before } = alertOf(acknowledged)
    expect(alert).toEqual(before)
  })
})

describe('a hand-off', () => {
  const handed = after(2, 'handed_off', { to: 'osei', to_name: 'A. Osei', urgent: true })

  it('says whether it rings', () => {
    expect(alertOf(acknowledged, handed).hand_off).toMatchObject({ to: 'osei', urgent: true })
    expect(alertOf(acknowledged, { ...handed, urgent: undefined } as AlertAction).hand_off?.urgent).toBe(false)
  })

  it('is declined by whom it was made to alone, and stays with its giver', () => {
    const decline = (by: string) => after(3, 'hand_off_declined', { id: 'no', by, note: 'In class.' })
    expect(alertOf(acknowledged, handed, decline('osei'))).toMatchObject({
      ...{ state: 'acknowledged', owner: { id: 'marlow' }, hand_off: null },
    })
    for (const by of ['marlow', 'quist']) {
      const alert = alertOf(acknowledged, handed, decline(by))
      expect(alert.hand_off?.to).toBe('osei')
      expect(appliedTo(alert, 'no')).toBe(false)
    }
  })

  it('is withdrawn by its giver alone, and then nobody can accept it', () => {
    const withdraw = (by: string) => after(3, 'hand_off_withdrawn', { by })
    const accept = after(4, 'hand_off_accepted', { by: 'osei' })
    expect(alertOf(acknowledged, handed, withdraw('marlow'), accept)).toMatchObject({
      ...{ owner: { id: 'marlow' }, hand_off: null },
    })
    expect(alertOf(acknowledged, handed, withdraw('osei'), accept).owner?.id).toBe('osei')
  })

  it('that was accepted is neither declined nor withdrawn', () => {
    const accept = after(3, 'hand_off_accepted', { by: 'osei' })
    for (const late of [after(4, 'hand_off_declined', { by: 'osei' }), after(4, 'hand_off_withdrawn')]) {
      const alert = alertOf(acknowledged, handed, accept, late)
      expect(alert.owner?.id).toBe('osei')
      expect(appliedTo(alert, late.id)).toBe(false)
    }
  })
})

describe('an alert that its holder returns', () => {
  const returned = (by = 'marlow') => after(5, 'returned', { id: 'back', by })

  it('is nobody’s, is heard again from then on, and keeps what was promised', () => {
    const handed = after(2, 'handed_off', { to: 'osei' })
    const alert = alertOf(acknowledged, handed, returned())
    expect(alert).toMatchObject({
      ...{ state: 'open', owner: null, hand_off: null, due_at: due, commitments: [{ id: 'ack', met: null }] },
      reopened: { at: start + minutes(5), reason: 'returned' },
    })
    expect(turn(alert)).toBe(start + minutes(5))
  })

  it('is returned by nobody else, and not once it is resolved', () => {
    expect(alertOf(acknowledged, returned('osei'))).toMatchObject({ state: 'acknowledged', owner: { id: 'marlow' } })
    const resolved = after(3, 'resolved')
    expect(appliedTo(alertOf(acknowledged, resolved, returned()), 'back')).toBe(false)
  })
})

describe('a step', () => {
  const step = (minute: number, id: string, by: string) => after(minute, 'step_done', { id, by, step: 'call-guardian' })

  it('is done once, by whoever did it first, also when the alert is resolved', () => {
    const alert = alertOf(step(4, 'later', 'osei'), after(2, 'resolved'), step(3, 'first', 'marlow'))
    expect([appliedTo(alert, 'first'), appliedTo(alert, 'later')]).toEqual([true, false])
    const other = after(5, 'step_done', { id: 'other', step: 'follow-up' })
    expect(appliedTo(alertOf(step(3, 'first', 'marlow'), other), 'other')).toBe(true)
  })

  it('is done by the second where the first took it back', () => {
    const alert = alertOf(
      step(3, 'first', 'marlow'),
      step(4, 'later', 'osei'),
      after(3, 'withdrawn', { record: 'first', at: start + minutes(4) + seconds(5) }),
    )
    expect([appliedTo(alert, 'first'), appliedTo(alert, 'later')]).toEqual([false, true])
  })
})

describe('a corrected note', () => {
  const note = after(2, 'noted', { id: 'note', note: 'Spoke to father.' })
  const correct = (said: object = {}) =>
    after(4, 'corrected', { id: 'right', record: 'note', note: 'Spoke to mother.', ...said })

  it('stands beside what it corrects, also when the alert is resolved', () => {
    const alert = alertOf(note, after(3, 'resolved'), correct())
    expect(alert.history.map(({ action: one, applied }) => [one.note, applied])).toEqual([
      ['Spoke to father.', true],
      ['Spoke.', true],
      ['Spoke to mother.', true],
    ])
    expect(alert.state).toBe('resolved')
  })

  it('touches no plan, whatever else it says', () => {
    const alert = alertOf(acknowledged, note, correct({ next_action: 'Nothing', due_at: start + minutes(99) }))
    expect(alert).toMatchObject({ next_action: 'Call', due_at: due })
  })

  it('is one also where its words are sealed', () => {
    const sealed = { ciphertext: 'AAAA', encrypted_key: 'AAAA' }
    expect(appliedTo(alertOf(note, correct({ note: undefined, sealed })), 'right')).toBe(true)
  })

  it.each([
    ['somebody else’s', { by: 'osei' }],
    ['one that nobody wrote', { record: 'none' }],
    ['without words', { note: undefined }],
  ])('is not %s', (_, said) => {
    expect(appliedTo(alertOf(note, correct(said)), 'right')).toBe(false)
  })

  it('is none that was taken back', () => {
    expect(appliedTo(alertOf(note, after(3, 'withdrawn', { record: 'note' }), correct()), 'right')).toBe(false)
  })
})
