/**
 * The words of texts, calls and mails. Whoever reads them may have been asleep a moment ago: first how bad it is, then
 * what to do. Plain ASCII, which every telephone shows and which fits 160 characters into one text.
 */
import { plural } from '../../../shared/numbers.ts'
import { categoryNames } from '../../../shared/risk-words.ts'
import { patternCategories, type PatternCategory } from '../../../shared/risk.ts'
import { minutes } from '../../../shared/time.ts'
import { lengthText } from '../../platform/length-text.ts'
import type { Message } from './message.ts'

/** Characters of one text message in the alphabet of telephones (GSM 03.38). */
const longestText = 160

/** A text message: in one part wherever a link leaves room for it. */
export function textOf(message: Message): string {
  const named = categoriesIn(message)
  const withFirst = (kept: number): string => {
    const more = named.length - kept
    const names = [...named.slice(0, kept), ...(more > 0 ? [`${more} more`] : [])]
    return [
      `PsyFlo: ${sentence(headline(message), kept === 0 ? [] : names)}`,
      ...said(lateness(message)),
      whatToDo(message),
      ...said(answering(message)),
      ...said(message.link),
    ].join(' ')
  }
  // Rather fewer categories than two parts, of which one may arrive without the other; but one is always named.
  const fitting = Array.from({ length: named.length }, (_, index) => withFirst(named.length - index)).find(
    (text) => text.length <= longestText,
  )
  return fitting ?? withFirst(Math.min(1, named.length))
}

/** What a call says; a number to press or to text is for the school's own telephone service to offer. */
export function sayingOf(message: Message): string {
  const facts = [sentence(headline(message), categoriesIn(message)), ...said(lateness(message)), whatToDo(message)]
  // Said twice: the first words are easily missed.
  return `This is PsyFlo, the alarm of your school. ${facts.join(' ')} I repeat. ${facts.join(' ')}`
}

/** A mail with the same facts, a line each. */
export function mailOf(message: Message): { subject: string; text: string } {
  const named = categoriesIn(message)
  const lines = [
    sentence(headline(message), named),
    ...said(lateness(message)),
    whatToDo(message),
    ...said(message.link),
    ...(message.reply === null || message.kind === 'test'
      ? []
      : [`To take it by text, send ACK ${message.reply} to the number that texts your alerts.`]),
    'PsyFlo sent this mail by itself. Nobody reads answers to it.',
  ]
  return { subject: `PsyFlo: ${headline(message)}`, text: `${lines.join('\n\n')}\n` }
}

/** What an answer to a text came to. */
export type Answered =
  | {
      kind: 'yours'
      alert: Described
      /** Alerts beside it of which they were told, and that nobody holds. */
      waiting: number
    }
  /** They answered what they were told of, and something worse has come since. */
  | { kind: 'worse since'; alert: Described }
  | { kind: 'held by another'; alert: Described }
  | { kind: 'closed'; alert: Described }
  | { kind: 'nothing to take' }
  /** What they could take was told to them only after they had sent it. */
  | { kind: 'told since' }
  | { kind: 'no such number'; number: number }
  | { kind: 'not understood' }

/** An alert as a text may name it. */
interface Described {
  tier: 'high' | 'crisis'
  categories: readonly PatternCategory[]
  /** Milliseconds since it was opened. */
  age_ms: number
}

/** What is texted back. It says which alert it was, so that nobody believes to hold another one. */
export function answerOf(answered: Answered): string {
  switch (answered.kind) {
    case 'yours': {
      const { alert, waiting } = answered
      const next =
        waiting === 0
          ? 'Contact the student within 15 minutes, then record it at the console.'
          : `Contact the student within 15 minutes. ${plural(waiting, { one: '# more waits', other: '# more wait' })}: reply ACK again.`
      return `PsyFlo: YOU HAVE IT: ${described(alert)}. ${next}`
    }
    case 'worse since':
      return `PsyFlo: It got WORSE since you were told, and is still open: ${described(answered.alert)}. Open the console now.`
    case 'held by another':
      return `PsyFlo: Somebody else already has it: ${described(answered.alert)}. Your ACK is recorded. They keep it unless you take over at the console.`
    case 'closed':
      return `PsyFlo: That alert is already resolved: ${described(answered.alert)}. Nothing was changed.`
    case 'nothing to take':
      return 'PsyFlo: No alert that was texted to you is waiting. Nothing was changed. Open the console to be sure.'
    case 'told since':
      return 'PsyFlo: NOT TAKEN. You sent that before an alert reached you. It still waits: reply ACK again, or open the console now.'
    case 'no such number':
      return `PsyFlo: NOT TAKEN. No alert ${answered.number} was texted to you. Reply ACK alone to take the most urgent one, or open the console.`
    case 'not understood':
      return 'PsyFlo: NOT TAKEN: that was not understood. Reply ACK and the number of the alert, nothing else: ACK 1. Or open the console.'
  }
}

function described({ tier, categories, age_ms }: Described): string {
  const [worst] = namesOf(categories)
  const age = age_ms < minutes(1) ? 'just now' : `${lengthText(Math.floor(age_ms / minutes(1)) * minutes(1))} ago`
  return `${tier === 'crisis' ? 'CRISIS' : 'high risk'}, ${worst === undefined ? '' : `${worst}, `}${age}`
}

function headline({ kind, tier, count }: Message): string {
  const crisis = tier === 'crisis'
  switch (kind) {
    case 'alert':
      return crisis ? 'CRISIS alert' : 'High-risk alert'
    case 'several':
      return `${plural(count, { one: '# more alert', other: '# more alerts' })}, the worst ${crisis ? 'a CRISIS' : 'high risk'}`
    case 'hand off':
      return `URGENT: a ${crisis ? 'CRISIS' : 'high-risk'} alert was handed to you`
    case 'alarm failing':
      return 'The ALARM ITSELF may not be working'
    case 'test':
      return 'Test alert. No student is at risk'
  }
}

const sentence = (start: string, names: readonly string[]): string =>
  `${start}${names.length === 0 ? '' : ` (${names.join(', ')})`}.`

function lateness({ late_ms }: Message): string | null {
  // Told to the minute: what is not a minute late is on time for whoever reads it.
  return late_ms < minutes(1) ? null : `${lengthText(Math.floor(late_ms / minutes(1)) * minutes(1))} LATE.`
}

function whatToDo({ kind }: Message): string {
  if (kind === 'test') return 'You do not need to do anything.'
  if (kind === 'alarm failing') return 'Open the console, and watch the chat itself until it is repaired.'
  return 'Open the console now.'
}

function answering({ kind, reply }: Message): string | null {
  return reply === null || kind === 'test' || kind === 'alarm failing' ? null : `Reply ACK ${reply} to take it.`
}

/** Of the alert that a message is about; others are about none. */
const categoriesIn = ({ kind, categories }: Message): string[] =>
  kind === 'alarm failing' || kind === 'test' ? [] : namesOf(categories)

/** Each category once, the most severe first. */
function namesOf(categories: readonly PatternCategory[]): string[] {
  return [...new Set(categories)]
    .toSorted((a, b) => patternCategories[b] - patternCategories[a])
    .map((category) => categoryNames[category])
}

const said = (text: string | null): string[] => (text === null ? [] : [text])
