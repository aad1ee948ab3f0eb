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

/** A text message: one part if a link leaves room for it. */
export function textOf(message: Message): string {
  const pieces = (categories: readonly string[]) => [
    `PsyFlo: ${headline(message)}${categories.length === 0 ? '' : `: ${categories.join(', ')}`}.`,
    ...said(lateness(message)),
    `${whatToDo(message)}.`,
    ...said(message.link),
  ]
  const named = namesOf(message.categories)
  // Rather fewer categories than a text in two parts, which may arrive one without the other.
  for (let kept = named.length; kept > 0; kept -= 1) {
    const more = named.length - kept
    const text = pieces([...named.slice(0, kept), ...(more > 0 ? [`${more} more`] : [])]).join(' ')
    if (text.length <= longestText || kept === 1) return text
  }
  return pieces([]).join(' ')
}

function headline({ kind, tier, count }: Message): string {
  switch (kind) {
    case 'alert':
      return tier === 'crisis' ? 'CRISIS alert' : 'High-risk alert'
    case 'several': {
      const alerts = plural(count, { one: '# more alert', other: '# more alerts' })
      return tier === 'crisis' ? `CRISIS, ${alerts}` : `High risk, ${alerts}`
    }
    case 'hand off':
      return tier === 'crisis' ? 'URGENT, a CRISIS alert was handed to you' : 'URGENT, an alert was handed to you'
    case 'alarm failing':
      return 'The ALARM ITSELF may not be working'
    case 'test':
      return 'Test alert. No student is at risk'
  }
}

function lateness({ late_ms }: Message): string | null {
  // Told to the minute: what is not a minute late is on time for whoever reads it.
  return late_ms < minutes(1) ? null : `${lengthText(Math.floor(late_ms / minutes(1)) * minutes(1))} LATE.`
}

function whatToDo({ kind, reply }: Message): string {
  if (kind === 'test') return 'You need to do nothing: texts reach you here'
  if (kind === 'alarm failing') return 'Open the console, and watch the chat another way until it is repaired'
  return reply === null ? 'Open the console now' : `Open the console now. Reply ACK ${reply} to take it`
}

/** The most severe first. */
function namesOf(categories: readonly PatternCategory[]): string[] {
  return [...new Set(categories)]
    .toSorted((a, b) => patternCategories[b] - patternCategories[a])
    .map((category) => categoryNames[category])
}

const said = (text: string | null): string[] => (text === null ? [] : [text])
