/** English. Short, plain, kind, exact; no exclamation marks, no blame, no jargon of ours. */
import type { PersonalError } from '../../shared/errors.ts'
import { shortestPassphrase } from '../../shared/passphrase.ts'
import type { Role } from '../../shared/people.ts'
import type { PatternCategory, SignalName } from '../../shared/risk.ts'
import { tierNames } from '../../shared/risk-words.ts'
import { alerts } from './en-alerts.ts'
import { charts } from './en-charts.ts'
import { directory } from './en-directory.ts'
import { help } from './en-help.ts'
import { due, myDay, followUps } from './en-my-day.ts'
import { overview } from './en-overview.ts'
import { safetyPlan } from './en-safety-plan.ts'
import { sessions } from './en-sessions.ts'
import { accounts, chatKeys, resources, setUp, signIn } from './en-set-up.ts'
import { settings } from './en-settings.ts'
import { outage } from './en-outage.ts'
import { strip } from './en-strip.ts'
import { students } from './en-students.ts'
import { when } from './en-when.ts'
import { numberText, plural } from '../../shared/numbers.ts'

const category: Record<PatternCategory, string> = {
  suicidal_intent: 'suicidal intent',
  suicidal_ideation: 'suicidal ideation',
  harm_to_others: 'harm to others',
  self_harm: 'self harm',
  abuse_disclosure: 'abuse disclosure',
  coded_language: 'coded language',
  hopelessness: 'hopelessness',
  disordered_eating: 'disordered eating',
  running_away: 'running away',
}

const signal: Record<SignalName, string> = {
  regex: 'Explicit words',
  semantic: 'Similar phrases',
  clinical: 'Clinical markers',
  history: 'Last 30 days',
}

const role: Record<Role, string> = { COUNSELOR: 'Counselor', CLINICIAN: 'Clinician', ADMIN: 'Admin' }

const unexpected: PersonalError = {
  code: 'unexpected',
  happened: 'This could not be done.',
  safe: 'Nothing was changed.',
  todo: 'Try again. If it happens again, restart PsyFlo Console.',
}

export const en = {
  app: {
    name: 'PsyFlo Console',
    demonstration: 'Demonstration school',
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
      text: 'What is on screen may be old. Trying again… If it does not come back, start PsyFlo Console again (npm start) and open the address it prints.',
      /** `here`: the chat talks to this very program; null = not known yet. */
      students: (here: boolean | null) => {
        if (here === null) return ''
        return here
          ? 'If the program has stopped, students’ messages are not taken in until it runs again.'
          : 'Events wait in the queue.'
      },
    },
    refused: {
      title: 'The program was restarted and no longer knows this window.',
      text: 'Open the address that the program printed when it started.',
      students: (here: boolean | null) => {
        if (here === null) return ''
        return here
          ? 'What was kept is still there. If it waits for the passphrase, students’ messages are not taken in until somebody types it.'
          : 'Nothing is lost.'
      },
    },
    title: (unacknowledged: number) =>
      unacknowledged > 0 ? `${unacknowledged} unacknowledged · PsyFlo Console` : 'PsyFlo Console',
    sound: 'sound after your first click or key press',
  },
  lock: {
    title: 'The screen is hidden',
    text: 'Alerts are still received and still sound. Anybody can show the screen again: no passphrase is asked for.',
    waiting: (count: number) =>
      plural(count, { one: '# alert is unacknowledged', other: '# alerts are unacknowledged' }),
    /** Said aloud while hidden: how many came, nothing about whom or why. */
    arrived: (count: number, crises: number) => {
      if (crises === 0) return plural(count, { one: 'A new alert waits', other: '# new alerts wait' })
      if (count === 1) return 'A new crisis alert waits'
      return `${numberText(count)} new alerts wait, ${plural(crises, { one: '# of them a crisis', other: '# of them crises' })}`
    },
    open: 'Return',
  },
  startup: {
    opening: 'Opening the records…',
    telling: 'Preparing the demonstration school: 45 days of a school year, played through the real alarm.',
    create: {
      title: 'Choose a passphrase',
      text: 'It encrypts everything this console keeps. It is stored nowhere: if it is lost, the records here cannot be read again.',
      passphrase: 'Passphrase',
      again: 'Type it again',
      hint: `At least ${shortestPassphrase} characters. Several words are good.`,
      tooShort: `It has fewer than ${shortestPassphrase} characters.`,
      differs: 'The two do not match.',
      action: 'Create and open',
    },
    locked: {
      title: 'Open the console',
      passphrase: 'Passphrase',
      action: 'Open',
      desk: {
        title: 'Open the school’s desk',
        text: 'Nobody is heard yet: until the passphrase is typed, no student’s message is taken in and no alert is raised.',
      },
    },
    failed: 'The console could not open',
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
      keys: 'List of keys',
      palette: 'Find a screen or a command',
      lock: 'Hide the screen',
      next: 'Next',
      previous: 'Previous',
      first: 'First',
      last: 'Last',
      open: 'Open',
      done: 'Mark as done, on My day',
      undo: 'Undo',
      back: 'Back to the list',
      acknowledge: 'Acknowledge',
      handOff: 'Hand off, if you hold it',
      note: 'Add note',
      resolve: 'Resolve',
      reveal: 'Reveal evidence',
    },
    then: 'then',
  },
  palette: {
    title: 'Commands',
    placeholder: 'Type a screen or a command',
    none: 'Nothing has that name.',
    theme: { light: 'Use the light theme', dark: 'Use the dark theme', system: 'Use the system theme' },
  },
  common: {
    tryAgain: 'Try again',
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    search: 'Search',
    loading: 'Loading…',
    unknown: '—',
    list: (parts: readonly string[]) => parts.join(', '),
    unopened: {
      'not approved':
        'The words are sealed with the school’s key, and this console has not been approved for it yet. An admin approves it; Settings → Queues shows how.',
      'other key': 'The words are sealed with a key that this console does not have.',
    },
  },
  error: { unexpected },
  tier: tierNames,
  category,
  signal,
  role,
  student: {
    pseudonym: (four: string) => `Student ${four}`,
    grade: (grade: string) => `grade ${grade}`,
    school: (id: string) => (id === '' ? 'school not known' : `school ${id.slice(0, 8)}`),
  },
  strip,
  outage,
  alerts,
  charts,
  students,
  sessions,
  overview,
  settings,
  setUp,
  signIn,
  accounts,
  chatKeys,
  resources,
  directory,
  when,
  due,
  myDay,
  followUps,
  safetyPlan,
  help,
}
