import { expect, it } from 'vitest'
import { refusalOf, whatBecame } from '../../shared/outcome-of-action.ts'
import { minutes, seconds } from '../../shared/time.ts'
import { action, only, reduceAlerts, start, trigger } from '../support/alerts.ts'

const raised = trigger()
const done = (kind: Parameters<typeof action>[0], at: number, by: string, more = {}) =>
  action(kind, [raised], { id: `${kind} ${by}`, at: start + at, by, ...more })
const became = (id: string, ...actions: ReturnType<typeof action>[]) =>
  whatBecame(only(reduceAlerts([raised], actions)), id)

it('what was done first counts; who came second is told who holds it, and by how much they were late', () => {
  const [one, two] = [done('acknowledged', seconds(1), 'osei'), done('acknowledged', seconds(3), 'marlow')]
  expect(became(one.id, one, two)).toEqual({ kind: 'counts' })
  expect(became(two.id, one, two)).toEqual({
    kind: 'changed nothing',
    because: {
      ...{ why: 'held', by: 'osei', by_name: 'osei', did: 'acknowledged', ahead: seconds(2), holder: 'osei' },
    },
  })
})

it('who was first by the clock and second in the queue is not told of seconds', () => {
  const one = done('acknowledged', seconds(9), 'osei', { position: 1 })
  const two = done('acknowledged', seconds(3), 'marlow', { position: 2 })
  expect(became(two.id, one, two)).toMatchObject({ because: { why: 'held', ahead: null } })
})

it('says who holds it by now', () => {
  const all = [
    done('acknowledged', seconds(1), 'osei'),
    done('acknowledged', seconds(3), 'marlow'),
    done('taken_over', seconds(9), 'reed'),
  ]
  expect(became('acknowledged marlow', ...all)).toMatchObject({ because: { by: 'osei', holder: 'reed' } })
})

it('what came after it was resolved, and a hand-off that is theirs no more, say so', () => {
  const held = done('acknowledged', seconds(1), 'osei')
  const closed = done('resolved', minutes(1), 'osei')
  const late = done('resolved', minutes(2), 'marlow')
  expect(became(late.id, held, closed, late)).toMatchObject({ because: { why: 'resolved', by_name: 'osei' } })
  const accepted = done('hand_off_accepted', minutes(1), 'marlow')
  expect(became(accepted.id, held, accepted)).toMatchObject({ because: { why: 'not theirs', holder: 'osei' } })
})

it('what nobody vouches for says why: elsewhere it holds nothing, and its author knows that it counts here alone', () => {
  const why = 'console not approved'
  const elsewhere = done('acknowledged', seconds(1), 'osei', { unvouched: why })
  expect(became(elsewhere.id, elsewhere)).toEqual({ kind: 'unvouched', why })
  const own = done('acknowledged', seconds(1), 'osei', { position: 1, unvouched_elsewhere: why })
  expect(became(own.id, own)).toEqual({ kind: 'refused', why, here: true })
  const undo = done('withdrawn', seconds(2), 'osei', { record: own.id })
  expect(became(own.id, own, undo)).toEqual({ kind: 'counts' })
})

it('what a station refused says why; what was taken back counts as undone; what is not there is nothing', () => {
  const refused = done('acknowledged', seconds(1), 'osei', { refused: 'signature' })
  expect(became(refused.id, refused)).toEqual({ kind: 'refused', why: 'signature', here: false })
  const own = done('resolved', seconds(1), 'marlow')
  const copy = done('resolved', seconds(1), 'marlow', { id: 'r', refused: 'unsigned', refused_record: own.id })
  const alert = only(reduceAlerts([raised], [own, copy]))
  expect(refusalOf(alert, own.id)).toEqual({ kind: 'refused', why: 'unsigned', here: true })
  expect(refusalOf(alert, 'another')).toBeNull()
  const note = done('noted', seconds(1), 'osei', { note: 'n' })
  const undo = done('withdrawn', seconds(2), 'osei', { record: note.id })
  expect(became(note.id, note, undo)).toEqual({ kind: 'counts' })
  expect(became('nowhere', note)).toBeNull()
})
