import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlertAction } from '../../shared/actions.ts'
import { coverageOf, type Alert, type Trigger } from '../../shared/alerts.ts'
import type { StudentRecord } from '../../shared/events.ts'
import { incidentFollowUps, incidentTimeline, momentsOf, type IncidentEntry } from '../../shared/incident-record.ts'
import { createReduction } from '../../shared/reduction.ts'
import { hours, minutes, seconds } from '../../shared/time.ts'
import type { ActionView, NotificationView } from '../../shared/views.ts'

const start = Date.UTC(2026, 0, 20, 10, 15)
const student_hash = 'a'.repeat(64)

function trigger(name: string, changes: Partial<Trigger> = {}): Trigger {
  const at = changes.at ?? start
  return {
    id: name.padEnd(64, '0'),
    idempotency_key: `key-${name}`,
    ...{ session_id: 'session', student_hash, school_id: null, tier: 'crisis', score: 0.93 },
    at,
    received_at: at + 400,
    categories: ['suicidal_intent'],
    about_other: false,
    message_id: null,
    occurred_at: null,
    ...changes,
  }
}
const first = trigger('first')

/** Something done about the first trigger by `by`, a minute after it unless told otherwise. */
function act(id: string, said: object, changes: { at?: number; by?: string; backfill?: true } = {}): AlertAction {
  const by = changes.by ?? 'rivera'
  return {
    ...{ id, by, by_name: by, at: start + minutes(1), covers: [first.id], covered: coverageOf([first]) },
    ...changes,
    ...said,
  } as AlertAction
}

function alertOf(triggers: Trigger[], actions: AlertAction[]): Alert {
  const reduction = createReduction()
  reduction.add(triggers, actions)
  const [alert] = reduction.alerts()
  if (!alert) throw new Error('no alert')
  return alert
}

/** An action as the screens are told it, as far as a record needs it. */
const viewsOf = ({ history }: Alert): ActionView[] =>
  history
    .filter(({ action }) => action.action !== 'seen')
    .map(
      ({ action, applied, withdrawn }) =>
        ({
          next_action: null,
          ...action,
          kind: action.action,
          applied,
          corrects: action.action === 'corrected' ? (action.record ?? null) : null,
          withdraws: action.action === 'withdrawn' ? action.record : null,
          commitment: 'commitment' in action ? action.commitment : null,
          withdrawn_at: withdrawn?.at ?? null,
        }) as unknown as ActionView,
    )

function timelineOf(
  triggers: Trigger[],
  actions: AlertAction[],
  more: { notifications?: NotificationView[]; records?: StudentRecord[] } = {},
): IncidentEntry[] {
  const alert = alertOf(triggers, actions)
  return incidentTimeline({ alert, actions: viewsOf(alert), notifications: [], records: [], ...more })
}

const namesOf = (entries: IncidentEntry[]) =>
  entries.map((entry) => (entry.kind === 'action' ? entry.action.id : entry.kind))

const told = (id: string, at: number): NotificationView => ({
  ...{ id, at, escalated: false, layer: 1, rung: 0, channel: 'desktop', to_name: null },
  ...{ outcome: 'delivered', outcome_at: at, reason: null, late_by_ms: null },
})

function record(ack_id: string, said: object): StudentRecord {
  return {
    ...{ ack_id, student_hash, by: 'rivera', by_name: 'A. Rivera', at: start + minutes(30), idempotency_key: ack_id },
    ...said,
  } as StudentRecord
}

describe('the messages behind an alert', () => {
  it('are one where two events speak of one message, with the worst and the earliest that either says', () => {
    const analysis = trigger('b', { message_id: 'm', tier: 'high', received_at: start + 100, occurred_at: start - 500 })
    const crisis = trigger('a', { message_id: 'm', at: start + 5, categories: ['self_harm'] })
    expect(momentsOf([analysis, crisis])).toEqual([
      {
        number: 1,
        said_at: start - 500,
        detected_at: start,
        received_at: start + 100,
        tier: 'crisis',
        categories: ['suicidal_intent', 'self_harm'],
        about_other: false,
      },
    ])
  })

  it('are told apart where the sender names no message, and said at a time that nobody knows', () => {
    const moments = momentsOf([trigger('b', { at: start + minutes(2) }), first])
    expect(moments.map(({ number, said_at, detected_at }) => [number, said_at, detected_at])).toEqual([
      [1, null, start],
      [2, null, start + minutes(2)],
    ])
  })
})

describe('the timeline', () => {
  it('is in order of time: said, told, seen, done', () => {
    const entries = timelineOf(
      [first],
      [
        act('resolve', { action: 'resolved', note: 'Done.', disposition: 'referred' }, { at: start + hours(2) }),
        act('take', { action: 'acknowledged' }, { at: start + minutes(2) }),
        act('look', { action: 'seen' }),
      ],
      { notifications: [told('n', start + seconds(3))] },
    )
    expect(namesOf(entries)).toEqual(['moment', 'notified', 'seen', 'take', 'resolve'])
  })

  it('has rungs that came at once in the order of the ladder, before whom they told', () => {
    const at = start + seconds(30)
    const rung = (id: string, place: number) => ({ ...told(id, at), escalated: true, rung: place })
    const notifications = [{ ...told('a', at), rung: 2 }, rung('c', 0), rung('b', 1), rung('d', 2)]
    for (const given of [notifications, notifications.toReversed()]) {
      const entries = timelineOf([first], [], { notifications: given })
      expect(entries.map(({ id }) => id)).toEqual(['moment 1', 'rung c', 'rung b', 'rung d', 'told a'])
    }
  })

  it('says of a message that came late when it was said, and again when it came', () => {
    const late = trigger('late', { at: start + minutes(5), received_at: start + minutes(40) })
    const entries = timelineOf([first, late], [act('take', { action: 'acknowledged' }, { at: start + minutes(20) })])
    expect(namesOf(entries)).toEqual(['moment', 'moment', 'take', 'arrived'])
    expect(entries.at(-1)).toMatchObject({ at: start + minutes(40), late_by: minutes(35), moment: { number: 2 } })
  })

  it('puts what another console’s slow clock says was done before the message behind it, at its own time', () => {
    const entries = timelineOf([first], [act('take', { action: 'acknowledged' }, { at: start - minutes(3) })])
    expect(namesOf(entries)).toEqual(['moment', 'take'])
    expect(entries[1]?.at).toBe(start - minutes(3))
  })

  it('keeps a corrected note as it was, says when it was corrected, and of the correction what it corrects', () => {
    const entries = timelineOf(
      [first],
      [
        act('note', { action: 'noted', note: 'Mother reached.' }, { at: start + minutes(5) }),
        act('other', { action: 'noted', note: 'Waiting.' }, { at: start + minutes(6) }),
        act('right', { action: 'corrected', record: 'note', note: 'Aunt reached.' }, { at: start + minutes(9) }),
      ],
    )
    expect(namesOf(entries)).toEqual(['moment', 'note', 'other', 'right'])
    expect(entries[1]).toMatchObject({ action: { note: 'Mother reached.' }, corrected_at: start + minutes(9) })
    expect(entries[2]).toMatchObject({ corrected_at: null, about: null })
    expect(entries[3]).toMatchObject({ about: { kind: 'noted', at: start + minutes(5) } })
  })

  it('leaves what was undone where it was done, and a correction that was undone corrects nothing', () => {
    const entries = timelineOf(
      [first],
      [
        act('note', { action: 'noted', note: 'A.' }, { at: start + minutes(5) }),
        act('right', { action: 'corrected', record: 'note', note: 'B.' }, { at: start + minutes(6) }),
        act('undo', { action: 'withdrawn', record: 'right' }, { at: start + minutes(6) + seconds(5) }),
      ],
    )
    expect(namesOf(entries)).toEqual(['moment', 'note', 'right', 'undo'])
    expect(entries[1]).toMatchObject({ corrected_at: null })
    expect(entries[2]).toMatchObject({ action: { withdrawn_at: start + minutes(6) + seconds(5) } })
    expect(entries[3]).toMatchObject({ about: { kind: 'corrected', at: start + minutes(6) } })
  })

  it('says of a commitment that was kept what it was, and of a told past that it is one', () => {
    const entries = timelineOf(
      [first],
      [
        act('take', { action: 'acknowledged' }, { backfill: true }),
        act(
          'made',
          { action: 'commitment_made', next_action: 'Call the aunt', due_at: start + hours(1) },
          {
            at: start + minutes(3),
          },
        ),
        act('met', { action: 'commitment_met', commitment: 'made' }, { at: start + minutes(9) }),
      ],
    )
    expect(entries[1]).toMatchObject({ told: true })
    expect(entries[3]).toMatchObject({ told: false, about: { kind: 'commitment_made', what: 'Call the aunt' } })
  })

  it('is the same in whatever order it came, with everything in it once', () => {
    const later = trigger('later', { at: start + minutes(10), received_at: start + minutes(14) })
    const actions = [
      act('look', { action: 'seen' }, { at: start + seconds(30) }),
      act('take', { action: 'acknowledged' }),
      act('step', { action: 'step_done', step: 'call-guardian', title: 'Call' }, { at: start + minutes(4) }),
      act(
        'try',
        { action: 'contact_attempted', contact: 'guardian', outcome: 'no answer' },
        { at: start + minutes(4) },
      ),
      act('note', { action: 'noted', note: 'A.' }, { at: start + minutes(11) }),
      act('undo', { action: 'withdrawn', record: 'step' }, { at: start + minutes(4) + seconds(9) }),
    ]
    const whole = timelineOf([first, later], actions)
    expect(namesOf(whole)).toEqual(
      ['moment', 'seen', 'take', 'step', 'try', 'undo', 'moment', 'note', 'arrived'], // prettier-ignore
    )
    fc.assert(
      fc.property(fc.shuffledSubarray(actions, { minLength: actions.length }), fc.boolean(), (shuffled, turned) => {
        expect(timelineOf(turned ? [later, first] : [first, later], shuffled)).toEqual(whole)
      }),
    )
  })
})

describe('what is kept about the student', () => {
  const alert = alertOf([first], [])
  const set = { event_type: 'FOLLOW_UP_SET', next_action: 'Check in', due_at: start + hours(20), owner: 'osei', owner_name: 'K. Osei' } // prettier-ignore
  const own = record('f', { ...set, follow_up: 'f', alert_key: alert.key })

  it('is in the record where it was set from this alert, as it stands after the last word', () => {
    const moved = record('g', { ...set, follow_up: 'f', due_at: start + hours(30), at: start + hours(1) })
    const done = record('h', { event_type: 'FOLLOW_UP_DONE', follow_up: 'f', outcome: 'done', at: start + hours(2) })
    const other = record('o', { ...set, follow_up: 'o', alert_key: 'another' })
    expect(incidentFollowUps(alert, [moved, own, other])).toEqual([
      { id: 'f', what: 'Check in', due_at: start + hours(30), owner_name: 'K. Osei', set_by: 'A. Rivera', ended: null },
    ])
    expect(incidentFollowUps(alert, [done, moved, own, other])).toMatchObject([
      { id: 'f', ended: { at: start + hours(2), by_name: 'A. Rivera', outcome: 'done' } },
    ])
    const entries = timelineOf([first], [], { records: [done, moved, own, other] })
    expect(entries.map((entry) => (entry.kind === 'follow-up' ? entry.what : entry.kind))).toEqual([
      ...['moment', 'set', 'moved', 'done'],
    ])
  })

  it('is a safety plan that was saved while the alert lasted, and none from before or after', () => {
    const plan = (id: string, at: number) => record(id, { event_type: 'SAFETY_PLAN_SAVED', at })
    const resolve = act('r', { action: 'resolved', note: '.', disposition: 'safety plan' }, { at: start + hours(2) })
    const records = [
      plan('after', start + hours(3)),
      plan('during', start + hours(1)),
      plan('before', start - hours(1)),
    ]
    expect(timelineOf([first], [resolve], { records }).map(({ id }) => id)).toContain('record during')
    expect(timelineOf([first], [resolve], { records }).filter(({ kind }) => kind === 'plan saved')).toHaveLength(1)
    expect(timelineOf([first], [], { records }).filter(({ kind }) => kind === 'plan saved')).toHaveLength(2)
  })
})
