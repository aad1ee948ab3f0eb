/** Words of My day, and of follow-ups wherever they stand. */
import { plural } from '../../shared/numbers.ts'
import type { FollowUpEnd } from '../../shared/student-records.ts'

const overdueCount = (count: number) => plural(count, { one: '# overdue', other: '# overdue' })
const todayCount = (count: number) => plural(count, { one: '# due today', other: '# due today' })

/** The mark in the navigation, and what is said when it changes. */
export const due = {
  counts: (overdue: number, today: number) =>
    [overdue > 0 && overdueCount(overdue), today > 0 && todayCount(today)].filter(Boolean).join(', '),
  news: (count: number) =>
    plural(count, { one: 'Something you planned is due.', other: '# things you planned are due.' }),
}

export const myDay = {
  loading: 'Opening your day…',
  sections: {
    overdue: 'Overdue',
    today: 'Due today',
    handed: 'Handed to you',
    held: 'Held by you',
    later: 'Later',
  },
  nothingToday: 'Nothing is due today.',
  empty: 'Nothing is waiting for you.',
  emptyHint:
    'Alerts you hold, alerts handed to you, what you commit to about an alert, and follow-ups you own will appear here, with what is overdue first.',
  tomorrow: (day: string) => `Tomorrow, ${day}`,
  overdueBy: (length: string) => `Overdue by ${length}`,
  dueAt: (clock: string) => `Due ${clock}`,
  kind: { commitment: 'Commitment', follow_up: 'Follow-up' },
  resolved: 'alert resolved',
  sealed: 'This console was not given the key to these words.',
  done: 'Done',
  doneOf: (what: string, student: string) => `Done: ${what}, ${student}`,
  move: 'Move',
  moveOf: (what: string, student: string) => `Move: ${what}, ${student}`,
  newTime: 'New time',
  undo: 'Undo',
  undoOf: (said: string, student: string) => `Undo: ${said}, ${student}`,
  undone: 'Undone.',
  accept: 'Accept hand-off',
  decline: 'Decline',
  acceptOf: (student: string) => `Accept hand-off: ${student}`,
  declineOf: (student: string) => `Decline: ${student}`,
  from: (name: string) => `from ${name}`,
  said: {
    done: 'Done',
    'not needed': 'Not needed',
    withdrawn: 'Removed',
    moved: (when: string) => `Moved to ${when}`,
    accepted: 'Accepted: you hold it now',
    declined: 'Declined: it stays with the giver',
  },
  /** Said by a row of a list, after what it is about. */
  opens: { alert: 'opens the alert', student: 'opens the student' },
}

const ended: Record<FollowUpEnd, string> = { done: 'Done', 'not needed': 'Not needed', withdrawn: 'Removed' }

export const followUps = {
  title: 'Follow-ups',
  none: 'No follow-ups. What has to be done on another day will appear here, and on the owner’s My day.',
  add: 'Add follow-up',
  what: 'What',
  whatMissing: 'Say what has to be done.',
  whatDefault: 'Check in with the student',
  when: 'When',
  owner: 'Owner',
  save: 'Save follow-up',
  savedFor: (student: string) => `Follow-up saved: ${student}`,
  set: (by: string, at: string) => `set by ${by}, ${at}`,
  ownedBy: (name: string) => `Owner: ${name}`,
  notNeeded: 'Not needed',
  notNeededOf: (what: string) => `Not needed: ${what}`,
  earlier: 'Earlier follow-ups',
  ended: (outcome: FollowUpEnd, by: string, at: string) => `${ended[outcome]} · ${by}, ${at}`,
  restsQuietly: 'No sound. It appears in the owner’s My day, with a reminder when it is due.',
}
