/** A chat as it is shown: in sentences on a terminal, or as one JSON object a line. */
import { styleText } from 'node:util'
import type { SessionSummary } from '../../shared/events.ts'
import { plural } from '../../shared/numbers.ts'
import { isPatternCategory, riskTiers } from '../../shared/risk.ts'
import { categoryNames, decidedByWords, tierNames } from '../../shared/risk-words.ts'
import { seconds } from '../../shared/time.ts'
import { lengthText } from '../platform/length-text.ts'
import type { Answer, Waiting } from './client.ts'
import { isProtocolReply, type Attempted, type Screen } from './conversation.ts'
import { printable } from './printable.ts'

interface TerminalOptions {
  /** Shows one or more lines. */
  write(text: string): void
  /** Whether the terminal shows colors, and is to. */
  colors: boolean
  /** Without the line of tier and score. */
  plain: boolean
  /** Signs that fit on a line. */
  width: number
}

const waitingBecause: Record<Waiting['why'], string> = {
  'no answer': 'No answer yet.',
  'too many': 'The station has had too many calls.',
  'not ready': 'The station is not ready.',
}
const didNotWork: Record<Attempted, string> = {
  message: 'Your message was not delivered.',
  'kept reply': 'That this reply was shown could not be kept in the session.',
  end: 'The session could not be ended.',
}

/** For a person. Nothing shown can steer the terminal, whoever wrote it. */
export function terminalScreen({ write, colors, plain, width }: TerminalOptions): Screen {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text
  const say = (text: string, style?: Parameters<typeof styleText>[0]) => {
    const safe = printable(text)
    write(style === undefined ? safe : paint(style, safe))
  }
  /** The protocol reply to the message that is being sent: a refusal may bring it before the answer does. */
  let shown: string | null = null
  const showProtocolReply = (reply: string) => {
    if (shown === reply) return
    shown = reply
    const lines = [
      'A crisis was detected. The chat shows this instead of an answer:',
      '',
      ...printable(reply).split('\n'),
    ]
    write('')
    for (const line of lines.flatMap((each) => wrapped(each, width - 2)))
      write(paint(['red', 'bold'], '┃') + (line === '' ? '' : ` ${paint('bold', line)}`))
    write('')
  }
  let assistantMissed = false

  return {
    opened: () => undefined,
    answered(answer) {
      const { tier, score, decided_by, reply, assistant } = answer
      const by = decided_by === null ? [] : [decidedByWords[decided_by]]
      if (!plain) say(`  ${[tierNames[tier].toLowerCase(), score.toFixed(2), ...by].join(' · ')}`, 'dim')
      const text = reply ?? assistant?.text ?? null
      if (isProtocolReply(answer)) showProtocolReply(answer.reply)
      else if (text !== null) say(`Assistant: ${text}`)
      else if (!assistantMissed) {
        assistantMissed = true
        say('No assistant is set up here, so no one answers; every message is still checked for danger.', 'dim')
      }
      shown = null
    },
    answeredLate: (text) => say(`Assistant: ${text}`),
    waiting({ why, delay, reply }) {
      if (reply !== null) showProtocolReply(reply)
      say(`${waitingBecause[why]} Trying again in ${lengthText(delay)}; nothing is received twice.`, 'yellow')
    },
    failed(failure, attempted) {
      if (failure.reply !== null) showProtocolReply(failure.reply)
      say(`${didNotWork[attempted]} ${failure.happened} ${failure.safe}\n${failure.todo}`, 'yellow')
      shown = null
    },
    misread: (problem) => say(problem, 'yellow'),
    ended: (summary) => say(summaryText(summary)),
  }
}

/** For scripts: what happened, one JSON object a line, in the order in which it did. */
export function jsonScreen(write: (line: string) => void): Screen {
  // JSON escapes what a terminal obeys, but for DEL, C1 and what turns text around.
  const tell = (happened: object) => write(printable(JSON.stringify(happened)))
  return {
    opened: (session_id) => tell({ type: 'session_started', session_id }),
    answered: ({ tier, score, decided_by, reply, assistant }: Answer) =>
      tell({ type: 'answer', tier, score, decided_by, reply, assistant }),
    answeredLate: (text) => tell({ type: 'late_answer', text }),
    waiting: ({ why, delay, reply }) => tell({ type: 'waiting', why, seconds: delay / seconds(1), reply }),
    failed({ code, happened, safe, todo, reply }, attempted) {
      tell({ type: 'failed', attempted, code, happened, safe, todo, reply })
    },
    misread: (problem) => tell({ type: 'misread', problem }),
    ended: (summary) => tell({ type: 'session_ended', summary }),
  }
}

/** The line in pieces that fit, broken where a space is. */
function wrapped(line: string, width: number): string[] {
  const pieces = ['']
  for (const word of line.split(' ')) {
    const longer = pieces.at(-1) === '' ? word : `${pieces.at(-1)} ${word}`
    if (longer.length <= width || pieces.at(-1) === '') pieces[pieces.length - 1] = longer
    else pieces.push(word)
  }
  return pieces
}

function summaryText({ duration_seconds, message_count, risk, suggested_resources, notes }: SessionSummary): string {
  const messages = plural(message_count, { one: '# message', other: '# messages' })
  const counts = riskTiers.filter((tier) => risk.tier_counts[tier] > 0).map((tier) => `${risk.tier_counts[tier]} ${tierNames[tier].toLowerCase()}`) // prettier-ignore
  const lines = [
    `The session has ended: ${messages} in ${lengthText(seconds(duration_seconds))}.`,
    `Highest tier: ${tierNames[risk.highest_tier].toLowerCase()}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}.`,
  ]
  if (risk.flagged_keywords.length > 0) lines.push(`Flagged: ${risk.flagged_keywords.map(flaggedName).join(', ')}.`)
  if (notes.length > 0) lines.push(`Notes: ${notes.join('; ')}.`)
  if (suggested_resources.length > 0) lines.push('Suggested:', ...suggested_resources.map(({ label }) => `  ${label}`))
  return lines.join('\n')
}

/** “suicidal intent”, “PHQ-9 item 3”. */
function flaggedName(name: string): string {
  if (isPatternCategory(name)) return categoryNames[name]
  return name.replace(/^(PHQ|GAD)(\d)_ITEM_(\d)$/, '$1-$2 item $3')
}
