/** Words of what became of something that a person did: it came second, or a station refused it. */
import type { ActionKind } from '../../shared/actions.ts'
import { plural } from '../../shared/numbers.ts'

/** “your …” */
const yours: Record<ActionKind, string> = {
  seen: 'opening the alert',
  acknowledged: 'acknowledging it',
  taken_over: 'taking it over',
  handed_off: 'handing it off',
  hand_off_accepted: 'accepting the hand-off',
  hand_off_declined: 'declining the hand-off',
  hand_off_withdrawn: 'withdrawing the hand-off',
  returned: 'returning it to the queue',
  noted: 'your note',
  reopened: 'reopening it',
  corrected: 'your correction',
  resolved: 'resolving it',
  step_done: 'your step',
  contact_attempted: 'your call',
  commitment_made: 'your commitment',
  commitment_met: 'completing a commitment',
  commitment_moved: 'changing a commitment',
  withdrawn: 'undoing it',
}

/** Why a station did not stand by it, and what to do; by its code. */
const refused: Record<string, string> = {
  signature:
    'the school’s station could not verify that it came from this console. Ask an admin to check this console under Settings, Queues, then do it again',
  unsigned: 'it reached the station unsigned. Restart this console, then do it again',
  'console not approved':
    'this console is not approved at the school’s station. Ask an admin to approve it under Settings, Queues, then do it again',
  'unknown person':
    'you are not in the school’s directory. Ask an admin to add you in Settings, Directory, then do it again',
}

/** Why no station vouches for what came from elsewhere, by its code. */
const unvouched: Record<string, string> = {
  'console not approved': 'the console it came from is not approved at the school’s station',
  unsigned: 'it reached the school’s station unsigned',
  'unknown person': 'its author is not in the school’s directory',
}

export const reports = {
  label: 'What became of what you did',
  yours,
  /** “Acknowledged by K. Osei …” */
  held: {
    acknowledged: (by: string) => `${by} acknowledged this`,
    taken_over: (by: string) => `${by} took this over`,
    hand_off_accepted: (by: string) => `${by} accepted this hand-off`,
  } as Partial<Record<ActionKind, (by: string) => string>>,
  heldOtherwise: (by: string) => `${by} took this`,
  before: (said: string, length: string) => `${said} ${length} before you`,
  beforeSent: (said: string) => `${said} while yours was still on its way`,
  moment: 'a moment',
  /** To anybody: */
  earlier: (said: string, length: string) => `${said} ${length} earlier`,
  first: (said: string) => `${said} first`,
  they: 'they hold it',
  holds: (name: string) => `${name} holds it now`,
  nobody: 'nobody holds it now',
  you: 'you hold it now',
  resolved: (by: string, when: string) => `${by} had resolved it at ${when}`,
  notTheirs: 'it was no longer yours',
  other: 'the alert had changed before it arrived',
  refused,
  unvouched,
  unvouchedOtherwise: (code: string) => `the school’s station does not vouch for it (${code})`,
  /** Below a line of the history: */
  recorded: (why: string | null) => `Recorded; it changed nothing${why === null ? '' : `: ${why}`}`,
  recordedUnvouched: (why: string) => `Not vouched for: ${why}. It holds nothing here; the ladder goes on`,
  recordedHere: (why: string) => `Counts on this console alone; the ladder goes on: ${why}`,
  notApproved: {
    happened:
      'This console is not approved yet: what you do here does not reach your colleagues, and the ladder goes on.',
    todo: 'Ask an admin to approve it: Settings → Queues → This console at your school.',
  },
  refusedOtherwise: (code: string) => `the school’s station refused it (${code}). Look at the alert, then do it again`,
  /** `what`: of `yours`. */
  nothing: (what: string, why: string) => `${what} changed nothing, because ${why}`,
  hereOnly: (what: string, why: string) => `${what} counts on this console alone, because ${why}`,
  about: (student: string, said: string) => `${student}: ${said}.`,
  offline: (arrived: number, nothing: number) =>
    `${plural(arrived, { one: '# thing you did while offline arrived', other: '# things you did while offline arrived' })}${
      nothing === 0 ? '.' : `; ${plural(nothing, { one: '# changed nothing', other: '# changed nothing' })}:`
    }`,
  several: (count: number) =>
    plural(count, { one: '# thing you did changed nothing:', other: '# things you did changed nothing:' }),
  show: 'Show alert',
  showOf: (student: string) => `Show alert: ${student}`,
  read: 'OK',
}
