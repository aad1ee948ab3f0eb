import type { ActionView } from '../../shared/views.ts'
import { whenText } from '../controls/index.ts'
import { words } from '../words/index.ts'

const text = words.alerts.history

/** “A. Rivera acknowledged 10:16. Next: call home by 10:45.” */
export function actionSentence(action: ActionView): string {
  const at = whenText(action.at)
  const by = action.by_name
  const next = action.next_action
    ? ` ${text.next(action.next_action, action.due_at === null ? null : whenText(action.due_at))}`
    : ''
  switch (action.kind) {
    case 'acknowledged':
      return text.acknowledged(by, at) + next
    case 'taken_over':
      return text.took(by, at) + next
    case 'handed_off':
      return text.handed(by, action.to_name ?? '', at)
    case 'hand_off_accepted':
      return text.accepted(by, at)
    case 'noted':
      return text.noted(by, at)
    case 'reopened':
      return action.reason === 'due time passed' ? text.reopenedByClock(at) : text.reopened(by, at)
    case 'corrected':
      return text.planned(by, at) + next
    case 'resolved':
      return text.resolved(by, at, action.disposition ? words.alerts.disposition[action.disposition].toLowerCase() : '')
    case 'seen':
      return text.seen(by, at)
  }
}
