/** Bodies of queues that carry events, as consoles and stations read them: the same ones are events to both. */
import {
  eventSchema,
  furthestAhead,
  knownEventTypes,
  largestBody,
  newestSchemaVersion,
  snsNotificationSchema,
  type ConsoleEvent,
} from '../../shared/events.ts'
import { bodyDigest, eventIdentity } from './event-identity.ts'

export type UnreadableReason =
  | 'not JSON'
  | 'does not fit its schema'
  | 'too large'
  | 'time too far ahead'
  | 'unknown event type'
  | 'newer schema version'

export interface UnreadableBody<Reason = UnreadableReason> {
  kind: 'unreadable'
  reason: Reason
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

/** An event of a body, with whatever its sender wrote. `raw`: its JSON as it stood on the wire. */
export interface EventBody {
  kind: 'event'
  event: ConsoleEvent
  identity: string
  raw: Record<string, unknown>
}

/**
 * Reads one SQS message body: an SNS notification around an event, or the event itself. Never throws: what cannot be read
 * comes back as `unreadable`, with the reason. `now`: UTC milliseconds.
 */
export function readEventBody(body: string, now: number): EventBody | UnreadableBody {
  const bytes = Buffer.byteLength(body)
  let passing = false
  const unreadable = (reason: UnreadableReason, detail: string): UnreadableBody => ({
    kind: 'unreadable',
    reason,
    detail,
    digest: bodyDigest(body),
    bytes,
    names_crisis: namesCrisis(body),
    passing,
  })
  if (bytes > largestBody) return unreadable('too large', `${bytes} bytes, ${largestBody} at most`)

  const raw = eventIn(body)
  if (raw === null) return unreadable('not JSON', 'the body is not a JSON object')
  const type = raw['event_type']
  passing = type === 'ALERT_VIEWED'
  if (typeof type === 'string' && !knownEventTypes.has(type)) {
    return unreadable('unknown event type', 'this version of the console does not know this type')
  }
  const version = raw['schema_version']
  if (typeof version === 'number' && version > newestSchemaVersion) {
    return unreadable('newer schema version', `version ${version}, this console reads up to ${newestSchemaVersion}`)
  }
  const parsed = parseEvent(raw)
  if (!parsed.success) {
    const fields = new Set(parsed.error.issues.map(({ path, code }) => `${fieldOf(path)}: ${code}`))
    return unreadable('does not fit its schema', [...fields].slice(0, 10).join('; '))
  }
  const event = parsed.data
  const began = event.event_type === 'DRILL' ? event.began_at : undefined
  const times = [event.timestamp, event.occurred_at ?? 0, 'at' in event ? event.at : 0, began ?? 0]
  if (times.some((at) => at > now + furthestAhead)) return unreadable('time too far ahead', 'more than 24 hours ahead')
  const identity = eventIdentity(event.idempotency_key, raw)
  if (identity === null) return unreadable('does not fit its schema', 'nested too deep')
  return { kind: 'event', event, identity, raw }
}

/** The event that an object of the wire is. */
export function parseEvent(raw: Record<string, unknown>) {
  return eventSchema.safeParse(withoutNulls(raw))
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

/** The object in a body, with or without the envelope of a notification around it; null where there is none. */
export function eventIn(body: string): Record<string, unknown> | null {
  const outer = parseObject(body)
  const notification = snsNotificationSchema.safeParse(outer)
  return notification.success ? parseObject(notification.data.Message) : outer
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Some senders write null for “not given”. */
function withoutNulls(raw: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
}
