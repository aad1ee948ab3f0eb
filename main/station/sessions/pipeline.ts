/**
 * The way of a message: find its session → ask the engine → store message, assessment, metrics and
 * events in ONE transaction (commit.ts) → answer the sender. Publishing follows from the outbox.
 */
import { createHmac } from 'node:crypto'
import type { Assessment } from '../../../shared/assessment.ts'
import type { SessionSummary } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import type { AssessmentPorts } from '../../analysis/index.ts'
import type { EvidenceKey } from '../../platform/envelope.ts'
import {
  findByClientId,
  findSummary,
  messagesOf,
  type MessageRole,
  type RefusedAs,
  type SessionKey,
  type SessionMetadata,
  type StoredMessage,
  type StoredSession,
} from '../../store/station/index.ts'
import { assessLongText, assessMessage, notAssessed, withoutEngine, type Assessor } from './assess.ts'
import { createCommit, requireSession, type CommitOptions } from './commit.ts'
import { contextOf, summaryInput } from './context.ts'
import { inOrder } from './in-order.ts'
import { receiptOf, type Receipt } from './receipt.ts'
import { Refusal } from './refusal.ts'
import { longestMessage } from './windows.ts'

export interface PipelineOptions extends CommitOptions {
  /** Clinical service and risk adapters; null = the engine's local signals, synchronously. */
  services: AssessmentPorts | null
  evidenceKey: EvidenceKey
  /** The salt of a school that this station serves. */
  saltOf: (schoolId: string) => string
}

/** One message as it arrives. `at` (UTC ms) is for backfilled history; else the clock is asked. */
export interface Arrival extends SessionKey {
  role: MessageRole
  content: string
  client_message_id?: string | undefined
  at?: number | undefined
  /** Part of the text was too long to be read at all: what was read may not pass as harmless. */
  incomplete?: boolean | undefined
}

/** What a refused message was found to be; it has been stored and alerted. */
export interface RefusedMessage {
  tier: RiskTier
  /** The protocol reply when it was a crisis. */
  reply: string | null
}

export type Pipeline = ReturnType<typeof createPipeline>

export function createPipeline(options: PipelineOptions) {
  const { db, engine, evidenceKey, clock, randomness, logger, bufferSize } = options
  const commit = createCommit(options)
  const oneAtATime = inOrder()

  function start(
    session: Pick<StoredSession, 'school_id' | 'student_hash'> & {
      metadata: SessionMetadata
      at?: number | undefined
    },
  ): Pick<StoredSession, 'session_id' | 'status' | 'started_at'> {
    const { at, ...rest } = session
    const opened = { ...rest, session_id: randomness.uuid(), started_at: Math.round(at ?? clock.now()) }
    commit.openSession(opened)
    return { session_id: opened.session_id, status: 'active', started_at: opened.started_at }
  }

  /**
   * Receives one message of a session. The same `client_message_id` gives the same receipt and no
   * second event. Throws Refusal `unknown session`, `ended`, `too large`, `reused` or `not stored`.
   */
  function receive(arrival: Arrival): Promise<Receipt> {
    return inSession(arrival, async () => {
      const session = requireSession(db, arrival)
      const earlier = findEarlier(arrival)
      if (earlier?.same) return receiptAgain(earlier.message)
      const refusal = refusalOf(session, arrival, earlier !== null)
      if (refusal) throw new Refusal(refusal, (await storeIfFlagged(session, arrival, refusal))?.reply ?? null)
      return receipt(await assessAndStore(session, arrival))
    })
  }

  /** Assesses a message that is refused whatever it says; stored and alerted when any danger is in it. */
  function assessRefused(arrival: Arrival, refusal: RefusedAs): Promise<RefusedMessage | null> {
    return inSession(arrival, async () => {
      const session = requireSession(db, arrival)
      const earlier = findEarlier(arrival)
      if (earlier?.same) return { tier: earlier.message.tier, reply: replyTo(earlier.message.tier) }
      return storeIfFlagged(session, arrival, earlier ? 'reused' : session.status === 'ended' ? 'ended' : refusal)
    })
  }

  /** Ends a session once; a second call gives the same summary. */
  function end(key: SessionKey, at?: number): SessionSummary {
    const session = requireSession(db, key)
    const kept = findSummary(db, key)
    if (kept) return kept
    const endedAt = Math.round(at ?? clock.now())
    const summary = summarize(session, endedAt)
    commit.endSession(session, endedAt, summary)
    return summary
  }

  /** The summary of an ended session, or of a running one as it stands now. */
  function summary(key: SessionKey): SessionSummary {
    const session = requireSession(db, key)
    return findSummary(db, key) ?? summarize(session, clock.now())
  }

  async function assessAndStore(session: StoredSession, arrival: Arrival): Promise<StoredMessage> {
    const times = timesOf(arrival)
    const assessment = await assess(session, arrival, times.said)
    return store(arrival, arrival.content, times, assessment, null)
  }

  async function assess(session: StoredSession, arrival: Arrival, at: number): Promise<Assessment | null> {
    const { role, content } = arrival
    if (role === 'student') return assessMessage(assessorOf(arrival), { text: content, ...context(session, at) })
    if (role === 'system') return null
    return notAssessed(sentimentOf(content, at))
  }

  async function storeIfFlagged(
    session: StoredSession,
    arrival: Arrival,
    refused: RefusedAs,
  ): Promise<RefusedMessage | null> {
    if (arrival.role !== 'student') return null
    const times = timesOf(arrival)
    const around = context(session, times.said)
    const worst = await assessLongText(assessorOf(arrival), arrival.content, (text) => ({ text, ...around }))
    const assessment = arrival.incomplete && worst.assessment.tier === 'ok' ? withoutEngine() : worst.assessment
    if (assessment.tier === 'ok') return null
    store(arrival, worst.text, times, assessment, refused)
    return { tier: assessment.tier, reply: replyTo(assessment.tier) }
  }

  function store(
    arrival: Arrival,
    text: string,
    times: Times,
    assessment: Assessment | null,
    refused: RefusedAs | null,
  ): StoredMessage {
    const tier = assessment?.tier ?? 'ok'
    const message = commit.storeMessage({
      message: {
        school_id: arrival.school_id,
        session_id: arrival.session_id,
        message_id: randomness.uuid(),
        role: arrival.role,
        // An id that another message bears already cannot be borne twice; the words are kept all the same.
        client_message_id: findEarlier(arrival) ? null : (arrival.client_message_id ?? null),
        content_digest: digestOf(arrival),
        said_at: times.said,
        content: evidenceKey.seal(text),
        refused,
        tier,
        score: assessment?.score ?? 0,
        sentiment: assessment?.sentiment ?? 0,
        assessment,
      },
      latency: Math.max(0, clock.now() - times.arrived),
      clinicalIsModel: assessorOf(arrival).services?.clinical !== undefined,
      reply: replyTo(tier),
    })
    if (message.tier === 'crisis' && !isBackfill(arrival)) warnOfCrisis(message)
    return message
  }

  function warnOfCrisis({ school_id, session_id, assessment }: StoredMessage): void {
    const categories = assessment?.categories ?? []
    // A short pseudonym, so that entries of one chat can be told together and nobody can be named by them.
    const chat = keyedDigest(school_id, session_id).slice(0, 12)
    logger.warn({ chat, categories, decided_by: assessment?.decided_by }, 'crisis detected')
  }

  function findEarlier(arrival: Arrival): { message: StoredMessage; same: boolean } | null {
    if (arrival.client_message_id === undefined) return null
    const message = findByClientId(db, arrival, arrival.client_message_id)
    return message && { message, same: message.content_digest === digestOf(arrival) }
  }

  function receiptAgain(message: StoredMessage): Receipt {
    // A message stored while the sender sent too many is simply accepted when it is sent again.
    if (message.refused === null || message.refused === 'too many') return receipt(message)
    throw new Refusal(message.refused, replyTo(message.tier))
  }

  function summarize(session: StoredSession, endedAt: number): SessionSummary {
    return engine.summarize(summaryInput(session, endedAt, messagesOf(db, session)))
  }

  function sentimentOf(text: string, at: number): number {
    try {
      return engine.assess({ text, at, recent: [], history: [], previous: [] }).sentiment
    } catch {
      return 0
    }
  }

  function timesOf({ at }: Arrival): Times {
    const arrived = clock.now()
    return { said: Math.round(at ?? arrived), arrived }
  }

  /** Services are asked about what is said now; thousands of backfilled messages are assessed on this machine. */
  const assessorOf = (arrival: Arrival): Assessor => ({
    engine,
    services: isBackfill(arrival) ? null : options.services,
    logger,
  })
  const inSession = <T>({ school_id, session_id }: SessionKey, work: () => Promise<T>) =>
    oneAtATime(`${school_id}/${session_id}`, work)
  const context = (session: StoredSession, at: number) => contextOf(db, session, at, evidenceKey, bufferSize)
  const receipt = (message: StoredMessage) => receiptOf(db, message, evidenceKey, bufferSize, replyTo(message.tier))
  const replyTo = (tier: RiskTier): string | null => (tier === 'crisis' ? engine.protocolReply : null)
  // Keyed, because short messages could be guessed from a plain digest.
  const keyedDigest = (schoolId: string, text: string) =>
    createHmac('sha256', options.saltOf(schoolId)).update(text, 'utf8').digest('hex')
  const digestOf = ({ school_id, content }: Arrival) => keyedDigest(school_id, content)

  return { start, receive, assessRefused, end, summary }
}

/** When a message was said and when it arrived, UTC milliseconds. */
interface Times {
  said: number
  arrived: number
}

const isBackfill = ({ at }: Arrival): boolean => at !== undefined

function refusalOf(session: StoredSession, arrival: Arrival, reused: boolean): RefusedAs | null {
  if (session.status === 'ended') return 'ended'
  if (arrival.content.length > longestMessage || arrival.incomplete) return 'too large'
  return reused ? 'reused' : null
}
