import type { AlertAction } from '../../../shared/actions.ts'
import type { Alert, Commitment } from '../../../shared/alerts.ts'
import { openWords } from '../../../shared/record-words.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'

/** An alert with the words that came before the school's key did, and open now that it is here. */
export function openedAlert(alert: Alert, key: EvidenceKey): Alert {
  if (!alert.history.some(({ action }) => action.sealed !== undefined)) return alert
  const history = alert.history.map((entry) => ({ ...entry, action: openSealed(entry.action, alert, key) }))
  const commitments = alert.commitments.map((commitment) => {
    const cameSealed = alert.history.some(({ action }) => action.sealed !== undefined && says(action, commitment))
    return cameSealed ? { ...commitment, what: wordsOf(commitment, history) ?? commitment.what } : commitment
  })
  // The order of what is due does not depend on words.
  const next = commitments.find(({ met, due_at }) => met === null && due_at === alert.due_at)
  return { ...alert, history, commitments, next_action: next?.what ?? alert.next_action }
}

function openSealed(action: AlertAction, { school_id, student_hash }: Alert, key: EvidenceKey): AlertAction {
  if (action.sealed === undefined) return action
  const named = { ...action, school_id: school_id ?? undefined, student_hash, ack_id: action.id }
  const { school_id: _, ack_id: __, student_hash: ___, ...opened } = openWords(named, key)
  return opened
}

/** Whether a record may say what a commitment is: it made or moved it, or corrected the plan. */
function says(action: AlertAction, { id, plan }: Commitment): boolean {
  if (action.action === 'commitment_moved') return action.commitment === id
  return action.id === id || (plan && action.action === 'corrected' && action.record === undefined)
}

/** What a commitment says by the last record that says so in words. */
function wordsOf(commitment: Commitment, history: Alert['history']): string | undefined {
  const words = history.flatMap(({ action, applied }) =>
    applied && says(action, commitment) && 'next_action' in action ? (action.next_action ?? []) : [],
  )
  return words.at(-1)
}
