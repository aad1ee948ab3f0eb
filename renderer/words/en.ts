/** English. Short, plain, kind, exact; no exclamation marks, no blame, no jargon of ours. */
import type { PersonalError } from '../../shared/errors.ts'
import { shortestPassphrase } from '../../shared/passphrase.ts'
import type { Role } from '../../shared/people.ts'
import type { OperatingPointName } from '../../shared/detection.ts'
import type { SignalName } from '../../shared/risk.ts'
import { categoryNames, tierNames } from '../../shared/risk-words.ts'
import { alerts } from './en-alerts.ts'
import { attention } from './en-attention.ts'
import { caseWork } from './en-case.ts'
import { charts } from './en-charts.ts'
import { directory } from './en-directory.ts'
import { help } from './en-help.ts'
import { lateStart } from './en-late-start.ts'
import { incident } from './en-incident.ts'
import { due, myDay, followUps } from './en-my-day.ts'
import { onCall } from './en-on-call.ts'
import { overview } from './en-overview.ts'
import { safetyPlan } from './en-safety-plan.ts'
import { reports } from './en-reports.ts'
import { sessions } from './en-sessions.ts'
import { accounts, chatKeys, resources, setUp, signIn } from './en-set-up.ts'
import { settings } from './en-settings.ts'
import { outage } from './en-outage.ts'
import { queues } from './en-queues.ts'
import { strip } from './en-strip.ts'
import { students } from './en-students.ts'
import { when } from './en-when.ts'
import { numberText, plural } from '../../shared/numbers.ts'

const signal: Record<SignalName, string> = {
  regex: 'Known phrases',
  semantic: 'Likeness to dangerous sentences',
  clinical: 'How it is meant, and symptoms',
  history: 'Last 30 days',
}

const operatingPoint: Record<OperatingPointName, string> = {
  fewer_alarms: 'Fewer alarms',
  balanced: 'Balanced',
  more_caution: 'More caution',
}

const role: Record<Role, string> = { COUNSELOR: 'Counselor', CLINICIAN: 'Clinician', ADMIN: 'Admin' }

const unexpected: PersonalError = {
  code: 'unexpected',
  happened: 'That did not work.',
  safe: 'Nothing was changed.',
  todo: 'Try again. If it happens again, restart PsyFlo Console.',
}

/** A person did something, and the program does not answer: main has not begun it, and will not. */
const notTaken: PersonalError = {
  code: 'not_taken',
  happened: 'Not recorded yet: the program does not answer.',
  safe: 'What you entered is kept here.',
  todo: 'Try again when the program answers. If it is urgent, act now and tell a colleague.',
}

/** Main may have begun it: where it did, trying again records nothing twice. */
const answerLost: PersonalError = {
  code: 'answer_lost',
  happened: 'Contact with the program was lost before it confirmed this.',
  safe: 'It may not have been recorded. What you entered is kept here.',
  todo: 'When the program answers, check what was recorded, then try again; nothing is recorded twice.',
}

export const en = {
  app: {
    name: 'PsyFlo Console',
    demonstration: 'Demonstration school',
    demonstrationShort: 'Demo',
    navigation: 'Screens',
    skip: 'Skip to the screen',
    resize: 'Resize columns',
    loading: 'Opening…',
    screens: {
      alerts: 'Alerts',
      'my-day': 'My day',
      students: 'Students',
      sessions: 'Sessions',
      overview: 'Overview',
      settings: 'Settings',
      help: 'Help',
      'set-up': 'Set-up',
      incident: 'Incident record',
      'late-start': 'While this console was off',
    },
    switchPerson: 'Use the demonstration as',
    signedIn: 'Signed in as',
    lock: 'Hide the screen',
    keys: 'Keyboard',
    notForRole: (screen: string, roleName: string) => `${screen} is not part of the ${roleName.toLowerCase()} role.`,
    screenFailed: {
      code: 'screen_failed',
      happened: 'This screen could not be drawn.',
      safe: 'Alerts and records are kept; the other screens still work.',
      todo: 'Try again, or go to another screen.',
    } satisfies PersonalError,
    chartFailed: {
      code: 'chart_failed',
      happened: 'This chart could not be drawn.',
      safe: 'The alert and its records are complete without it.',
      todo: 'Reload the window when there is time.',
    } satisfies PersonalError,
    lost: {
      title: 'This window lost contact with the program.',
      text: 'What you see may be out of date. Trying again… If it does not reconnect, start PsyFlo Console again (npm start) and open the address it prints.',
      /** `here`: the chat talks to this very program; null = not known yet. */
      students: (here: boolean | null) => {
        if (here === null) return ''
        return here
          ? 'If the program has stopped, students’ messages are not received until it runs again.'
          : 'Events are waiting in the queue.'
      },
    },
    older: {
      title: 'The program was updated while this window was open.',
      text: 'Finish what you are writing, then reload this window.',
      action: 'Reload',
    },
    silent: {
      title: 'The program does not answer.',
      text: 'What is on screen may be old, and nothing you do is recorded until it answers. If this lasts, restart PsyFlo Console (npm start).',
      students: (here: boolean | null) => {
        if (here === null) return ''
        return here ? 'Until it answers, students’ messages may not be received.' : 'Events are waiting in the queue.'
      },
    },
    refused: {
      title: 'The program was restarted and no longer knows this window.',
      text: 'Open the address the program printed when it started; this window then picks up where it was.',
      students: (here: boolean | null) => {
        if (here === null) return ''
        return here
          ? 'Everything recorded is still there. If it is waiting for the passphrase, students’ messages are not received until someone enters it.'
          : 'Nothing is lost.'
      },
    },
    title: (unacknowledged: number) =>
      unacknowledged > 0 ? `${unacknowledged} unacknowledged · PsyFlo Console` : 'PsyFlo Console',
  },
  lock: {
    title: 'The screen is hidden',
    text: 'Alerts still arrive and still sound. Anyone can show the screen again: no passphrase is needed.',
    waiting: (count: number) =>
      plural(count, { one: '# alert is unacknowledged', other: '# alerts are unacknowledged' }),
    /** Said aloud while hidden: how many came, nothing about whom or why. */
    arrived: (count: number, crises: number) => {
      if (crises === 0) return plural(count, { one: 'A new alert is waiting', other: '# new alerts are waiting' })
      if (count === 1) return 'A new crisis alert is waiting'
      return `${numberText(count)} new alerts are waiting, ${plural(crises, { one: '# of them a crisis', other: '# of them crises' })}`
    },
    open: 'Return',
  },
  startup: {
    opening: 'Opening the records…',
    telling: 'Preparing the demonstration school: 45 days of a school year, run through the real alarm.',
    create: {
      title: 'Choose a passphrase',
      text: 'It encrypts everything this console stores. The passphrase itself is not saved anywhere: if it is lost, no one can read these records again.',
      passphrase: 'Passphrase',
      again: 'Confirm passphrase',
      hint: `At least ${shortestPassphrase} characters. Several words work well.`,
      tooShort: `Use at least ${shortestPassphrase} characters.`,
      differs: 'The passphrases do not match.',
      action: 'Create and open',
    },
    locked: {
      title: 'Open the console',
      passphrase: 'Passphrase',
      action: 'Open',
      desk: {
        title: 'Open the school’s desk',
        text: 'The desk is not listening yet. Until the passphrase is entered, no student’s message is received and no alert is raised.',
      },
    },
    failed: 'The console could not open',
    claiming: 'Another console has used this queue. Waiting to see whether it still does; this takes up to a minute.',
  },
  keys: {
    title: 'Keyboard',
    scope: { everywhere: 'Everywhere', list: 'In a list', alerts: 'On an alert' },
    list: {
      goAlerts: 'Go to Alerts',
      goMyDay: 'Go to My day',
      goStudents: 'Go to Students',
      goSessions: 'Go to Sessions',
      goOverview: 'Go to Overview',
      goSettings: 'Go to Settings',
      goHelp: 'Go to Help',
      search: 'Search on this screen',
      newCrisis: 'Open the new crisis, or the most urgent unheld alert',
      keys: 'List of keys',
      palette: 'Find a student, an alert or a command',
      lock: 'Hide the screen',
      next: 'Next',
      previous: 'Previous',
      first: 'First',
      last: 'Last',
      open: 'Open',
      done: 'Mark as done, on My day',
      back: 'Back to the list',
      acknowledge: 'Acknowledge',
      handOff: 'Hand off, if you hold it',
      note: 'Add note',
      resolve: 'Resolve',
      reveal: 'Reveal evidence',
      undo: 'Undo what you just did',
      incidentRecord: 'Incident record',
      openAlert: 'Open the alert, when going through what came late',
    },
    then: 'then',
  },
  palette: {
    title: 'Find',
    placeholder: 'A student, an alert, a screen, or a command',
    none: 'No matches.',
    found: (students: number, alertCount: number) =>
      `${plural(students, { one: '# student', other: '# students' })}, ${plural(alertCount, { one: '# alert', other: '# alerts' })}`,
    state: { open: 'unacknowledged', acknowledged: 'acknowledged', resolved: 'resolved' },
    theme: { light: 'Use the light theme', dark: 'Use the dark theme', system: 'Use the system theme' },
  },
  links: {
    title: 'Link',
    copy: {
      alerts: 'Copy link to this alert',
      students: 'Copy link to this student',
      incident: 'Copy link to this record',
    },
    copied: 'Link copied',
    open: 'Open this link',
  },
  common: {
    tryAgain: 'Try again',
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    search: 'Search',
    loading: 'Loading…',
    unknown: '—',
    justNow: 'just now',
    ago: (length: string) => `${length} ago`,
    /** In place of an age, of what is dated later than now. */
    uncertain: 'time uncertain',
    received: (age: string) => `received ${age}`,
    list: (parts: readonly string[]) => parts.join(', '),
    unopened: {
      'not approved':
        'These words are sealed with the school’s key, and this console has not been approved to open them yet. An admin can approve it; Settings → Queues & connection shows how.',
      'other key': 'These words are sealed with a key that this console does not have.',
    },
  },
  error: { unexpected, notTaken, answerLost },
  tier: tierNames,
  category: categoryNames,
  signal,
  operatingPoint,
  role,
  student: {
    pseudonym: (four: string) => `Student ${four}`,
    grade: (grade: string) => `grade ${grade}`,
    school: (id: string) => (id === '' ? 'school not known' : `school ${id.slice(0, 8)}`),
  },
  strip,
  outage,
  queues,
  attention,
  alerts,
  case: caseWork,
  charts,
  students,
  sessions,
  overview,
  reports,
  settings,
  setUp,
  signIn,
  accounts,
  chatKeys,
  resources,
  directory,
  onCall,
  when,
  due,
  myDay,
  followUps,
  safetyPlan,
  help,
  incident,
  lateStart,
}
