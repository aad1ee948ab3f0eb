import type { AlertRow, InboxPage } from '../../shared/views.ts'

/** An open crisis alert that came at `at` (UTC milliseconds), as a row of the inbox. */
export function alertRowAt(at: number, change: Partial<AlertRow> = {}): AlertRow {
  return {
    key: 'k', student: { school_id: '', student_hash: 'a'.repeat(64), pseudonym: 'AAAA', name: null, grade: null, class: null },
    session_id: 's', tier: 'crisis', state: 'open', score: 0.95, categories: ['suicidal_intent', 'hopelessness'],
    about_other: false, opened_at: at, received_at: at, occurred_at: null, last_trigger_at: at, first_seen_at: null,
    again_count: 0, owner: null, due_at: null, hand_off_to: null, reopened: null, disposition: null,
    late_by_ms: null, next_step_at: null, only_past: false, ...change,
  } // prettier-ignore
}

/** The alerts on a page of the inbox. */
export function alertsOn({ rows }: Pick<InboxPage, 'rows'>): AlertRow[] {
  return rows.filter((item) => item.kind === 'alert')
}
