import {
  eventSchema,
  isStudentRecord,
  furthestAhead,
  knownEventTypes,
  largestBody,
  newestSchemaVersion,
  snsNotificationSchema,
  type ConsoleEvent,
  type LoggedEvent,
  type SealedWords,
} from '../../../shared/events.ts'
import { matchMeanings } from '../../../shared/assessment.ts'
import { openWords } from '../../../shared/record-words.ts'
import { markerTypes } from '../../../shared/estimates.ts'
import { isPatternCategory } from '../../../shared/risk.ts'
import type { anotherSchool } from '../../../shared/school.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import { bodyDigest, eventIdentity } from '../../platform/event-identity.ts'

export type QuarantineReason =
  | 'not JSON'
  | 'does not fit its schema'
  | 'too large'
  | 'time too far ahead'
  | 'unknown event type'
  | 'newer schema version'
  | 'could not be stored'
  | typeof anotherSchool

export type Reading =
  | { kind: 'event'; event: LoggedEvent; identity: string }
  | {
      kind: 'unreadable'
      reason: QuarantineReason
      /** Which field and why, never a value of it. */
      detail: string
      /** Identity of the raw body, hex. */
      digest: string
      bytes: number
      /** The body speaks of a crisis: it is shown as an alert of its own. */
      names_crisis: boolean
      /** It said something of its own moment, and nothing is lost with it. */
      passing?: boolean
    }

/**
 * Reads one SQS message body: an SNS notification around an event, or the event itself. Never
 * throws: what cannot be read comes back as `unreadable`, with the reason.
 */
export function readBody(body: string, now: number, evidenceKey: EvidenceKey): Reading {
  const bytes = Buffer.byteLength(body)
  let passing = false
  const unreadable = (reason: QuarantineReason, detail: string): Reading => ({
    kind: 'unreadable',
    reason,
    detail,
    digest: bodyDigest(body),
    bytes,
    names_crisis: namesCrisis(body),
    passing,
  })
  if (bytes > largestBody) return unreadable('too large', `${bytes} bytes, ${largestBody} at most`)

  const raw = unwrap(body)
  if (raw === undefined) return unreadable('not JSON', 'the body is not a JSON object')
  const type = raw['event_type']
  passing = type === 'ALERT_VIEWED'
  if (typeof type === 'string' && !knownEventTypes.has(type)) {
    return unreadable('unknown event type', 'this version of the console does not know this type')
  }
  const version = raw['schema_version']
  if (typeof version === 'number' && version > newestSchemaVersion) {
    return unreadable('newer schema version', `version ${version}, this console reads up to ${newestSchemaVersion}`)
  }
  const parsed = eventSchema.safeParse(withoutNulls(raw))
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map(({ path, code }) => `${fieldOf(path)}: ${code}`))
    return unreadable('does not fit its schema', [...fields].slice(0, 10).join('; '))
  }
  const event = parsed.data
  const times = [event.timestamp, event.occurred_at ?? 0, 'at' in event ? event.at : 0]
  if (times.some((at) => at > now + furthestAhead)) return unreadable('time too far ahead', 'more than 24 hours ahead')
  const identity = eventIdentity(event.idempotency_key, raw)
  if (identity === null) return unreadable('does not fit its schema', 'nested too deep')
  return {
    kind: 'event',
    event: seal(event, evidenceKey),
    identity,
  }
}

/**
 * Whether a body speaks of a crisis: of the event CRISIS_DETECTED, or of an analyzed message of that tier or
 * level. Decided on the text with its escapes undone, so that a cut or nested body is no exception.
 */
export function namesCrisis(body: string): boolean {
  const text = body
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '')
  if (text.includes('CRISIS_DETECTED')) return true
  return text.includes('MESSAGE_ANALYZED') && /"(?:tier|level)"\s*:\s*"crisis"/i.test(text)
}

/** Name of a field of ours. Under `items` the names are the sender's own, and may be anything. */
function fieldOf(path: readonly PropertyKey[]): string {
  return (path[0] === 'items' ? 'items' : path.join('.')) || 'event_type'
}

function unwrap(body: string): Record<string, unknown> | undefined {
  const outer = parseObject(body)
  const notification = snsNotificationSchema.safeParse(outer)
  return notification.success ? parseObject(notification.data.Message) : outer
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Some senders write null for “not given”. */
function withoutNulls(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
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
