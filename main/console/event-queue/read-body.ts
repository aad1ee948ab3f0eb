import { isStudentRecord, type ConsoleEvent, type LoggedEvent, type SealedWords } from '../../../shared/events.ts'
import { matchMeanings } from '../../../shared/assessment.ts'
import { openWords } from '../../../shared/record-words.ts'
import { markerTypes } from '../../../shared/estimates.ts'
import { isPatternCategory } from '../../../shared/risk.ts'
import type { anotherSchool } from '../../../shared/school.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { readEventBody, type UnreadableBody, type UnreadableReason } from '../../platform/event-body.ts'

export type QuarantineReason = UnreadableReason | 'could not be stored' | typeof anotherSchool

export type Reading = { kind: 'event'; event: LoggedEvent; identity: string } | UnreadableBody<QuarantineReason>

/**
 * Reads one SQS message body: an SNS notification around an event, or the event itself. Never
 * throws: what cannot be read comes back as `unreadable`, with the reason.
 */
export function readBody(body: string, now: number, evidenceKey: EvidenceKey): Reading {
  const reading = readEventBody(body, now)
  if (reading.kind === 'unreadable') return reading
  return { kind: 'event', event: seal(reading.event, evidenceKey), identity: reading.identity }
}

/**
 * Takes out of the fields whatever may quote the student, and seals it: reasoning, patterns and
 * keywords that are no known names. What the rules made of a phrase is kept only in our own words.
 */
function seal(event: ConsoleEvent, evidenceKey: EvidenceKey): LoggedEvent {
  switch (event.event_type) {
    case 'CRISIS_DETECTED':
      return {
        ...event,
        ...sealed(event.reasoning, event.matched_patterns.filter(isFree), evidenceKey),
        reasoning: '',
        matched_patterns: event.matched_patterns.filter(isPatternCategory),
      }
    case 'MESSAGE_ANALYZED':
      return {
        ...event,
        ...sealed('', event.matched_patterns.filter(isFree), evidenceKey),
        matched_patterns: event.matched_patterns.filter(isPatternCategory),
        flagged: event.flagged.map(({ start, end, category, meaning }) => ({
          start,
          end,
          category: isFree(category) ? 'other' : category,
          ...(meaning !== undefined && isMeaning(meaning) && { meaning }),
        })),
      }
    case 'SESSION_ENDED': {
      if (!event.summary) return event
      const keywords = event.summary.risk.flagged_keywords
      const named = keywords.filter((word) => !isFree(word.replaceAll(' ', '_')))
      return {
        ...event,
        ...sealed(
          '',
          keywords.filter((word) => !named.includes(word)),
          evidenceKey,
        ),
        summary: { ...event.summary, risk: { ...event.summary.risk, flagged_keywords: named } },
      }
    }
    default:
      // What colleagues wrote is opened here: the database is encrypted, and screens and tables read it.
      return event.event_type === 'ALERT_ACTION' || isStudentRecord(event) ? openWords(event, evidenceKey) : event
  }
}

function sealed(
  reasoning: string,
  patterns: string[],
  evidenceKey: EvidenceKey,
): Pick<LoggedEvent, 'sealed_words' | 'hidden_patterns'> {
  if (patterns.length === 0 && reasoning === '') return {}
  const words: SealedWords = { reasoning, patterns }
  return { sealed_words: evidenceKey.seal(JSON.stringify(words)), hidden_patterns: patterns.length }
}

/** Neither a pattern category nor a marker: somebody's free words. */
function isFree(name: string): boolean {
  return !isPatternCategory(name) && !(markerTypes as readonly string[]).includes(name)
}

function isMeaning(text: string): boolean {
  return (matchMeanings as readonly string[]).includes(text)
}
