import { beforeAll, expect, it } from 'vitest'
import { actionSentence } from '../../../renderer/alerts/action-sentence.ts'
import { showTimesIn } from '../../../renderer/controls/time-text.ts'
import { minutes } from '../../../shared/time.ts'
import type { ActionView } from '../../../shared/views.ts'

const at = new Date().setUTCHours(10, 16, 0, 0)
beforeAll(() => showTimesIn('UTC', 'en-US-u-hc-h23'))

function action(change: Partial<ActionView>): ActionView {
  return {
    id: 'a', kind: 'acknowledged', at, by: 'rivera', by_name: 'A. Rivera', applied: true, refused: false, note: null, next_action: null, due_at: null,
    to_name: null, disposition: null, reason: null, delivery: 'recorded', sent_at: null, confirmed_at: null,
    delivery_error: null, corrects: null, withdraws: null, commitment: null, step: null, title: null, contact: null, outcome: null,
    who: null, withdrawn_at: null, undo_until: null, sealed: false, ...change,
  } // prettier-ignore
}

it('says who did what when, and what comes next', () => {
  const sentence = actionSentence(action({ next_action: 'call home', due_at: at + minutes(29) }))
  expect(sentence).toBe('A. Rivera acknowledged 10:16. Next: call home by 10:45.')
})

it('says that a hand-off stays with the giver', () => {
  expect(actionSentence(action({ kind: 'handed_off', to_name: 'K. Osei' }))).toBe(
    'A. Rivera handed off to K. Osei 10:16. It stays with A. Rivera until accepted.',
  )
})

it('says what came of it', () => {
  expect(actionSentence(action({ kind: 'resolved', disposition: 'safety plan' }))).toBe(
    'A. Rivera resolved it 10:16: safety plan.',
  )
})

it('blames nobody for a due time that passed', () => {
  expect(actionSentence(action({ kind: 'reopened', by_name: 'system', reason: 'due time passed' }))).toBe(
    'Reopened 10:16: the due time passed.',
  )
})
