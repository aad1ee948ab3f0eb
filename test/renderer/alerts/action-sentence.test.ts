import { beforeAll, expect, it } from 'vitest'
import { actionSentence } from '../../../renderer/alerts/action-sentence.ts'
import { showTimesIn } from '../../../renderer/controls/time-text.ts'
import { minutes } from '../../../shared/time.ts'
import type { ActionView } from '../../../shared/views.ts'
import { actionView } from '../../support/action-view.ts'

const at = new Date().setUTCHours(10, 16, 0, 0)
beforeAll(() => showTimesIn('UTC', 'en-US-u-hc-h23'))

const action = (change: Partial<ActionView>): ActionView => actionView({ at, ...change })

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
