/** Words of what the ladder did about an alert, and does next. */
import { numberText, plural } from '../../shared/numbers.ts'

/** How somebody is told. A way that is not known here has the station’s own name. */
const channel: Record<string, string> = {
  desktop: 'at the console',
  sms: 'by text',
  voice: 'by phone call',
  email: 'by e-mail',
  other: 'in another way',
}

/** Why nobody was told, or somebody could not be; a code that is not here is shown as it is. */
const reason: Record<string, string> = {
  'nobody assigned': 'no counselor is assigned',
  'not on the rota': 'no one is on call',
  'nobody in this role': 'no one has this role',
  'left the directory': 'they have left the directory',
  away: 'they are away',
  'no way to reach them': 'there is no way to reach them',
  'the rung is empty': 'the ladder names no one here',
  'nobody was reached': 'no one could be reached before, so it came at once',
  'handed off urgently': 'handed off urgently',
  'hand-off not accepted': 'the urgent hand-off was not answered',
  'no answer': 'no answer from the provider',
  'no connection': 'the provider could not be reached',
  'no number': 'no number in the directory',
  'no address': 'no address in the directory',
  'not configured': 'the station cannot send this way',
  'not set up': 'the station cannot send this way',
}

/** “opened again: worse” */
const openedAgain = 'opened again'

/** Why something of the ladder is as it is, from its code; several stand behind each other. */
function why(code: string, of: { channel?: string } = {}): string {
  if (of.channel === 'desktop' && code === 'no answer') return 'no console showed it'
  if (code.startsWith(openedAgain)) return 'the alert was opened again'
  return code
    .split(', ')
    .map((each) => reason[each] ?? each)
    .join('; ')
}

export const ladder = {
  /** In a row of the inbox. */
  escalates: (countdown: string) => `escalates in ${countdown}`,
  escalating: 'escalating now',
  notKnown: 'escalation not known',
  nextNotKnown: 'Not known now whether anyone is told next, or when.',
  stepLate: (countdown: string) => `next step ${countdown} late`,
  next: {
    one: (name: string, when: string) => `${name} is told next, at ${when}`,
    some: (names: string, when: string) => `${names} are told next, at ${when}`,
    many: (count: number, when: string) => `${numberText(count)} people are told next, at ${when}`,
    unknown: (when: string) => `The next people are told at ${when}`,
  },
  /** In the middle of a sentence about what comes before. */
  follow: {
    one: (name: string) => `${name} is told`,
    some: (names: string) => `${names} are told`,
    many: (count: number) => `${numberText(count)} people are told`,
    unknown: 'the next people are told',
  },
  in: (countdown: string) => `in ${countdown}`,
  now: 'now',
  late: (countdown: string) => `${countdown} late`,
  title: 'Who was told',
  none: {
    station: 'No one has been told yet.',
    off: 'Nothing here tells anyone: the alert waits until someone takes it.',
    unknown: 'Not known whether anyone is told: the alert waits here until someone takes it.',
  },
  channel,
  why,
  somebody: 'Someone on call',
  outcome: {
    attempted: (who: string, how: string, when: string) => `${who} ${how} ${when}: sent, no answer yet`,
    delivered: (who: string, how: string, when: string) => `${who} ${how} ${when}: delivered`,
    failed: (who: string, how: string, when: string, why: string | null) =>
      `${who} ${how} ${when}: failed${why === null ? '' : `, ${why}`}`,
  },
  step: (number: number, when: string) => `Step ${numberText(number)} at ${when}`,
  stepReason: (step: string, why: string) => `${step}: ${why}`,
  wasLate: (age: string | null) => (age === null ? 'late' : `${age} late`),
  more: (count: number) => plural(count, { one: 'Show # earlier entry', other: 'Show # earlier entries' }),
  handOff: {
    /** `then`: who is told after that, of `follow`. */
    waits: (name: string, until: string, countdown: string, then: string) =>
      `${name} has until ${until} (${countdown} left) to accept; if not, ${then}.`,
    over: (name: string, age: string) => `${name} has not answered for ${age}; the next people are being told.`,
    wentOn: (name: string, when: string) =>
      `${name} did not answer within 2 minutes. The next people were told at ${when}.`,
    waitsHere: {
      off: (name: string, age: string) =>
        `${name} has not answered yet (${age}). Nothing here tells anyone else: if it takes too long, call them yourself.`,
      unknown: (name: string, age: string) =>
        `${name} has not answered yet (${age}). Not known whether anyone else is told: if it takes too long, call them yourself.`,
    },
    urgent: {
      station: 'It is urgent: tell them now; after 2 minutes without an answer the next people are told',
      off: 'It is urgent: sound at their console until they accept or decline; nothing here tells anyone else',
      unknown:
        'It is urgent: sound at their console until they accept or decline; not known whether anyone else is told',
    },
    /** After the sentence that a crisis always rings. */
    always: {
      station: 'After 2 minutes without an answer the next people are told.',
      off: 'Nothing here tells anyone else.',
      unknown: 'Not known whether anyone else is told.',
    },
  },
  called: {
    title: 'It is your turn',
    crisis: (student: string) => `It is your turn: crisis alert, ${student}. Nobody has taken it yet.`,
    high: (student: string) => `It is your turn: alert, high, ${student}. Nobody has taken it yet.`,
    unknown: 'It is your turn with an alert that has not reached this console yet.',
    hidden: 'It is your turn with an alert.',
  },
}
