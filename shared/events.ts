/**
 * Events on the wire, once, as schemas. Nothing enters the system without passing through one of
 * them. Unknown fields are kept out of the parsed value; the raw body's digest is kept by the log.
 */
import { z } from 'zod'
import { actionsAsRead, recordedFields } from './actions.ts'
import { operatingPointNameSchema } from './detection.ts'
import { markerSchema } from './estimates.ts'
import {
  decidedBySchema,
  decidedOnSchema,
  probabilitySchema,
  riskLevelSchema,
  riskTierSchema,
  signalNameSchema,
  signalsSchema,
} from './risk.ts'
import { normalSchoolId } from './school.ts'
import { studentRecordedFields, studentRecordFields, studentRecordTypes } from './student-records.ts'
import { parseUtc } from './time.ts'
import { channelSchema } from './on-call.ts'

/** Newest event schema this program understands. */
export const newestSchemaVersion = 2
/** Largest body accepted, in bytes: the SQS limit of old, 256 KiB. */
export const largestBody = 256 * 1024
/** How far ahead of our clock a time may be, in milliseconds. */
export const furthestAhead = 24 * 3_600_000

/** A time of the wire: ISO 8601 text there, UTC milliseconds here. */
export const wireTime = z.codec(z.string(), z.number(), {
  decode(text, context) {
    const at = parseUtc(text)
    if (at !== null) return at
    context.issues.push({ code: 'custom', input: text, message: 'is not an ISO 8601 time' })
    return z.NEVER
  },
  encode: (at) => new Date(at).toISOString(),
})

export const studentHashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'is not 64 hexadecimal digits')
  .toLowerCase()

/** Enveloped text: base64(nonce 12 bytes ‖ AES-256-GCM ciphertext and tag) and the wrapped data key. */
export const envelopeSchema = z.object({ ciphertext: z.base64(), encrypted_key: z.base64() })
export type Envelope = z.infer<typeof envelopeSchema>

const id = z.string().min(1).max(200)

const base = z.object({
  schema_version: z.int().min(1).max(newestSchemaVersion).optional(),
  event_id: id.optional(),
  idempotency_key: z.string().min(1).max(400),
  timestamp: wireTime,
  school_id: id.overwrite(normalSchoolId).min(1).optional(),
  occurred_at: wireTime.optional(),
  /** Told later than it happened, by somebody who may: received when said, and no news. */
  backfill: z.literal(true).optional(),
})

const aboutStudent = base.extend({ session_id: id, student_hash: studentHashSchema })

/** Sentiment of one message, −1 (negative) to 1 (positive). */
const sentimentSchema = z.number().min(-1).max(1)

/** Where a phrase stands in the message and what the rules decided about it; never the phrase itself. */
const flaggedSpanSchema = z.object({
  start: z.int().min(0),
  end: z.int().min(0),
  category: z.string().max(100),
  meaning: z.string().max(100).optional(),
})
export type FlaggedSpan = z.infer<typeof flaggedSpanSchema>

/** The school's operating point by which a message was read; absent = it is not said, or one of a later version. */
const operatingPoint = operatingPointNameSchema.optional().catch(undefined)

/** The evidence that decided; absent = it is not said, or a kind of a later version. */
const decidedOn = decidedOnSchema.optional().catch(undefined)

const crisisDetectedSchema = aboutStudent.extend({
  event_type: z.literal('CRISIS_DETECTED'),
  consensus_score: probabilitySchema,
  risk_level: riskLevelSchema,
  matched_patterns: z.array(z.string().max(2000)).max(200),
  reasoning: z.string().max(20_000),
  message_id: id.optional(),
  tier: riskTierSchema.optional(),
  decided_by: decidedBySchema.optional(),
  decided_on: decidedOn,
  operating_point: operatingPoint,
  signals: signalsSchema.optional(),
  degraded: z.array(signalNameSchema).optional(),
  evidence: envelopeSchema.optional(),
})

const messageAnalyzedSchema = aboutStudent.extend({
  event_type: z.literal('MESSAGE_ANALYZED'),
  message_id: id,
  sequence: z.int().min(0),
  role: z.enum(['student', 'assistant']),
  score: probabilitySchema,
  level: riskLevelSchema,
  tier: riskTierSchema,
  about_other: z.boolean().default(false),
  decided_by: decidedBySchema.optional(),
  decided_on: decidedOn,
  operating_point: operatingPoint,
  matched_patterns: z.array(z.string().max(2000)).max(200).default([]),
  signals: signalsSchema.default({}),
  degraded: z.array(signalNameSchema).default([]),
  sentiment: sentimentSchema.default(0),
  markers: z.array(markerSchema).max(100).default([]),
  flagged: z.array(flaggedSpanSchema).max(500).default([]),
  content: envelopeSchema.optional(),
  evidence: envelopeSchema.optional(),
  latency_ms: z.number().min(0).optional(),
})

const sessionStartedSchema = aboutStudent.extend({
  event_type: z.literal('SESSION_STARTED'),
  metadata: z
    .object({ locale: z.string().max(40), channel: z.string().max(40), device: z.string().max(100) })
    .partial()
    .default({}),
})

const tierCounts = z.object({
  ok: z.int().min(0),
  caution: z.int().min(0),
  high: z.int().min(0),
  crisis: z.int().min(0),
})

/** The end-of-session summary; its form is fixed by what existing back ends send. */
export const sessionSummarySchema = z.object({
  session_id: id,
  user_id: z.string().max(200),
  duration_seconds: z.number().min(0),
  message_count: z.int().min(0),
  sentiment: z.object({
    average: sentimentSchema,
    trend: z.enum(['improving', 'stable', 'declining']),
    bands: z.object({ positive: z.int().min(0), neutral: z.int().min(0), negative: z.int().min(0) }),
    /** The most positive and most negative turns: sequence numbers and values, no words. */
    top: z
      .array(z.object({ sequence: z.int().min(0), sentiment: sentimentSchema }))
      .max(10)
      .default([]),
  }),
  risk: z.object({
    highest_tier: riskTierSchema,
    tier_counts: tierCounts,
    /** Category and item names; the words themselves stay in their envelopes. */
    flagged_keywords: z.array(z.string().max(200)).max(500),
  }),
  suggested_resources: z
    .array(z.object({ type: z.string().max(60), label: z.string().max(300), link: z.string().max(500).optional() }))
    .max(50),
  notes: z.array(z.string().max(1000)).max(100),
})
export type SessionSummary = z.infer<typeof sessionSummarySchema>

const sessionEndedSchema = aboutStudent.extend({
  event_type: z.literal('SESSION_ENDED'),
  summary: sessionSummarySchema.optional(),
})

const clinicalScoreUpdatedSchema = aboutStudent.extend({
  event_type: z.literal('CLINICAL_SCORE_UPDATED'),
  session_id: id.optional(),
  phq9_score: z.int().min(0).max(27).optional(),
  gad7_score: z.int().min(0).max(21).optional(),
  items: z.record(z.string().max(40), z.number().min(0).max(3)).default({}),
})

export const alertActionSchema = actionsAsRead(
  {
    ...aboutStudent.shape,
    event_type: z.literal('ALERT_ACTION'),
    ...recordedFields(wireTime),
    /** Envelope around its words (shared/record-words.ts). */
    sealed: envelopeSchema.optional(),
  },
  wireTime,
)

const recordFields = studentRecordFields(wireTime)
const aboutPerson = base.extend({
  schema_version: z.literal(2),
  student_hash: studentHashSchema,
  ...studentRecordedFields(wireTime),
  /** Envelope around its words (shared/record-words.ts). */
  sealed: envelopeSchema.optional(),
})
const safetyPlanSavedSchema = aboutPerson.extend({
  event_type: z.literal('SAFETY_PLAN_SAVED'),
  ...recordFields.SAFETY_PLAN_SAVED,
})
const followUpSetSchema = aboutPerson.extend({ event_type: z.literal('FOLLOW_UP_SET'), ...recordFields.FOLLOW_UP_SET })
const followUpDoneSchema = aboutPerson.extend({
  event_type: z.literal('FOLLOW_UP_DONE'),
  ...recordFields.FOLLOW_UP_DONE,
})

/** What became of telling one person (ALERT_NOTIFIED), or of a rung of the ladder (ALERT_ESCALATED). */
const alertNotifiedSchema = aboutStudent.extend({
  event_type: z.enum(['ALERT_NOTIFIED', 'ALERT_ESCALATED']),
  alert_key: z.string().max(200),
  layer: z.int().min(1).max(3),
  channel: z.string().max(60),
  outcome: z.enum(['attempted', 'delivered', 'failed']),
  /** Person id. */
  to: z.string().max(200).optional(),
  /** One for each time that one person is told by one channel: what follows about it names the same. */
  delivery_id: id.optional(),
  /** The rung's place in the ladder, from 0. */
  rung: z.int().min(0).max(100).optional(),
  /** When the rung was due, and when the next one is; null = there is none. */
  due_at: wireTime.optional(),
  next_at: wireTime.nullable().optional(),
  /** It came later than it was due, after an outage or a sleep. */
  late: z.literal(true).optional(),
  /** Why a rung told nobody, or a delivery failed: a code, never an address. */
  reason: z.string().max(200).optional(),
  /** Idempotency keys of the triggers of which it tells. */
  covers: z.array(z.string().max(400)).max(500).optional(),
})

/** Somebody has an alert open before them, or no longer has: said while it is so, and kept by nobody. */
const alertViewedSchema = aboutStudent.extend({
  schema_version: z.literal(2),
  event_type: z.literal('ALERT_VIEWED'),
  alert_key: z.string().max(200),
  console_id: id,
  by: id,
  by_name: z.string().max(200).optional(),
  /** Until when this counts, unless it is said again; at or before `timestamp` = they have left. */
  until: wireTime,
})

const markerReviewedSchema = aboutStudent.extend({
  event_type: z.literal('MARKER_REVIEWED'),
  marker_id: id,
  review: z.enum(['confirmed', 'rejected']),
  by: id,
})

const clinicalRiskSetSchema = aboutStudent.extend({
  event_type: z.literal('CLINICAL_RISK_SET'),
  risk: z.enum(['monitor', 'elevated', 'acute']),
  by: id,
})

/** A school's content key, sealed to one of its consoles once an admin has approved that console's keys. */
const schoolKeySealedSchema = base.extend({
  event_type: z.literal('SCHOOL_KEY_SEALED'),
  school_id: id.overwrite(normalSchoolId).min(1),
  console_id: id,
  /** Fingerprint of the console's keys that were approved. */
  fingerprint: z.string().max(100),
  /** Id of the content key. */
  key_id: id,
  /** As main/platform/sealing.ts makes it. */
  sealed: z.base64().max(1000),
})

/** A school's directory and calendar as saved at its station: the whole of it, sealed with the school's content key. */
const policyChangedSchema = base.extend({
  schema_version: z.literal(2),
  event_type: z.literal('POLICY_CHANGED'),
  school_id: id.overwrite(normalSchoolId).min(1),
  /** Counts the savings of a school, from 1. */
  version: z.int().min(1),
  /** Person id. */
  changed_by: id,
  /** Envelope around the JSON of a `Policy`. */
  sealed: envelopeSchema,
})

/** The ladder as it would run from this moment on. */
const coverageNowSchema = z.object({
  rungs: z
    .array(
      z.object({
        /** After the alert, seconds. */
        after_s: z.int().min(0),
        /** Person ids; `assigned` = the counselor who looks after the student. */
        to: z.array(id).max(2000),
        /** How many more, whom it has no room to name. */
        more: z.int().min(0).optional(),
        channels: z.array(z.string().max(60)).max(20),
      }),
    )
    .max(20),
  /** When a rung would next tell nobody. */
  next_gap: wireTime.optional(),
  policy_version: z.int().min(0),
})
export type CoverageNow = z.output<typeof coverageNowSchema>

/** What proves, by coming the whole way, that the alarm works. */
export const proofEventTypes = ['HEARTBEAT', 'DRILL'] as const
/** Whether an event is one. */
export const isProof = (eventType: string): boolean => (proofEventTypes as readonly string[]).includes(eventType)

/** Proofs that the alarm works carry no identity of their own where a station sends none. */
const proof = base.extend({ idempotency_key: z.string().max(400).default('') })
const heartbeatSchema = proof.extend({
  event_type: z.literal('HEARTBEAT'),
  source: z.string().max(200).optional(),
  /** Counts the heartbeats of a school across its stations, from 1. */
  number: z.int().min(1).optional(),
  /** Since when other events of the school do not get through to the topic; absent = they do. */
  publishing_failing_since: wireTime.optional().catch(undefined),
  station_id: z.string().max(200).optional(),
  /** Whether the station runs the escalation ladder; absent = it says nothing of it, as older back ends do. */
  ladder: z.enum(['on', 'off']).optional().catch(undefined),
  /** The ways by which the station can tell anybody; absent = it does not say. */
  channels: z.array(channelSchema).max(20).optional().catch(undefined),
  /** Who would be told if a crisis arrived now; absent = nothing there escalates, or it could not be computed. */
  coverage: coverageNowSchema.optional().catch(undefined),
  /** Since when the ladder does not keep its times, or drills do not come back; absent = all is well. */
  ladder_failing_since: wireTime.optional().catch(undefined),
})
/** Whether a heartbeat's station runs the ladder: one that names who would be told does. Null = it does not say. */
export const saidOfLadder = ({ ladder, coverage }: Pick<Heartbeat, 'ladder' | 'coverage'>): 'on' | 'off' | null =>
  ladder ?? (coverage ? 'on' : null)
type Heartbeat = z.output<typeof heartbeatSchema>
/** A marked synthetic crisis that runs the whole path and is never shown as a student. */
const drillSchema = proof.extend({
  event_type: z.literal('DRILL'),
  source: z.string().max(200).optional(),
  station_id: z.string().max(200).optional(),
  /** Counts the drills of a school, from 1. */
  number: z.int().min(1).optional(),
  /** When its message arrived at the intake. */
  began_at: wireTime.optional(),
  /** When the ladder fired for it, and how many people it would have told at once; absent = none is run. */
  fired_at: wireTime.optional(),
  would_tell: z.int().min(0).optional(),
})

export const eventSchema = z.discriminatedUnion('event_type', [
  crisisDetectedSchema,
  messageAnalyzedSchema,
  sessionStartedSchema,
  sessionEndedSchema,
  clinicalScoreUpdatedSchema,
  alertActionSchema,
  alertNotifiedSchema,
  alertViewedSchema,
  safetyPlanSavedSchema,
  followUpSetSchema,
  followUpDoneSchema,
  markerReviewedSchema,
  clinicalRiskSetSchema,
  schoolKeySealedSchema,
  policyChangedSchema,
  heartbeatSchema,
  drillSchema,
])
/** A parsed event: times are UTC milliseconds. */
export type ConsoleEvent = z.output<typeof eventSchema>
/** An event as it stands on the wire: times are ISO 8601 text. */
export type WireEvent = z.input<typeof eventSchema>
export type CrisisDetected = z.output<typeof crisisDetectedSchema>
export type MessageAnalyzed = z.output<typeof messageAnalyzedSchema>
export type SchoolKeySealed = z.output<typeof schoolKeySealedSchema>
export type AlertNotified = z.output<typeof alertNotifiedSchema>
export type AlertViewed = z.output<typeof alertViewedSchema>
export type Drill = z.output<typeof drillSchema>
export type AlertActionEvent = z.output<typeof alertActionSchema>
export type StudentRecord = z.output<
  typeof safetyPlanSavedSchema | typeof followUpSetSchema | typeof followUpDoneSchema
>

/** Whether an event is a record about a student. */
export function isStudentRecord(event: { event_type: string }): event is StudentRecord {
  return (studentRecordTypes as readonly string[]).includes(event.event_type)
}

export const knownEventTypes: ReadonlySet<string> = new Set(
  eventSchema.options.flatMap((option): string[] => {
    if (option instanceof z.ZodDiscriminatedUnion)
      return option.options.flatMap(({ shape }) => [...shape.event_type.values])
    const type: z.ZodLiteral<string> | z.ZodEnum = option.shape.event_type
    return type instanceof z.ZodEnum ? type.options.map(String) : [...type.values]
  }),
)

/**
 * An event as the log keeps it: what may quote the student (reasoning, patterns that are no known
 * category) is taken out of the fields and sealed.
 */
export type LoggedEvent = ConsoleEvent & {
  /** Envelope around the JSON of `SealedWords`. */
  sealed_words?: Envelope
  /** How many patterns were sealed away. */
  hidden_patterns?: number
}
/**
 * The school of a student's earlier events, which named none, has become known. Made by this console for
 * its own log, so that the same tables come from it again; never on the wire.
 */
export interface SchoolResolved {
  event_type: 'SCHOOL_RESOLVED'
  idempotency_key: string
  timestamp: number
  student_hash: string
  school_id: string
}

export interface SealedWords {
  reasoning: string
  patterns: string[]
}

/** An SNS notification as SQS delivers it without raw delivery. */
export const snsNotificationSchema = z.object({ Type: z.literal('Notification'), Message: z.string() })
