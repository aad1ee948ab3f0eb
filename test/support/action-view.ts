import type { ActionView } from '../../shared/views.ts'

/** Something that was done, as the history of an alert has it. */
export function actionView(change: Partial<ActionView> = {}): ActionView {
  return {
    id: 'a', kind: 'acknowledged', at: 0, by: 'rivera', by_name: 'A. Rivera', applied: true, refused: false, note: null, became: { kind: 'counts' },
    next_action: null, due_at: null, to_name: null, disposition: null, reason: null, delivery: 'recorded', sent_at: null,
    confirmed_at: null, delivery_error: null, corrects: null, withdraws: null, commitment: null, step: null, title: null,
    contact: null, outcome: null, who: null, withdrawn_at: null, undo_until: null, sealed: false, ...change,
  } // prettier-ignore
}
