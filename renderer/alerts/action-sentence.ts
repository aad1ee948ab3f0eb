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
      return action.corrects === null ? text.planned(by, at) + next : text.corrected(by, at)
    case 'resolved':
      return text.resolved(by, at, action.disposition ? words.alerts.disposition[action.disposition].toLowerCase() : '')
    case 'seen':
      return text.seen(by, at)
    case 'hand_off_declined':
      return text.declined(by, at)
    case 'hand_off_withdrawn':
      return text.handOffWithdrawn(by, at)
    case 'returned':
      return text.returned(by, at)
    case 'step_done':
      return text.step(by, at, action.title ?? '')
    case 'contact_attempted':
      return text.contact(
        by,
        at,
        action.who ?? words.alerts.contacted[action.contact ?? 'other'],
        words.alerts.contactOutcome[action.outcome ?? 'no answer'],
      )
    case 'commitment_made':
      return text.promised(by, at) + next
    case 'commitment_met':
      return text.met(by, at)
    case 'commitment_moved':
      return text.moved(by, at) + next
    case 'withdrawn':
      return text.withdrew(by, at)
  }
}
