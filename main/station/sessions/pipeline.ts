/**
 * The way of a message: find its session → ask the engine → store message, assessment, metrics and
 * events in ONE unit of work (commit.ts) → answer the sender. Publishing follows from the outbox.
 * Where services are asked, the sealed message is stored as accepted before their answer is awaited; what a
 * station that died has left so is analysed by whoever takes it (resume.ts).
 */
import { createHmac } from 'node:crypto'
import type { Assessment } from '../../../shared/assessment.ts'
import type { DetectionChoice } from '../../../shared/detection.ts'
import type { SessionSummary } from '../../../shared/events.ts'
import type { RiskTier } from '../../../shared/risk.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import { protocolReplyIn, type AssessmentInput, type AssessmentPorts } from '../../analysis/index.ts'
import {
  DatabaseGone,
  findByClientId,
  findMessage,
  findSummary,
  insertMessage,
  latestMessages,
  messagesOf,
  nextSequence,
  type RefusedAs,
  type SessionKey,
  type SessionMetadata,
  type StationStore,
  type StoredMessage,
  type StoredSession,
  type Unit,
} from '../../store/station/index.ts'
import type { Cancel } from '../../platform/ports.ts'
import type { SchoolSecrets } from '../school-secrets.ts'
import { isBackfill, isOvertaken, refusalOf, type Arrival, type Times } from './arrival.ts'
import { assessLocally, assessLongText, assessMessage, notAssessed, withoutEngine, type Assessor } from './assess.ts'
import { createCommit, requireSession, type CommitOptions, type Decided } from './commit.ts'
import { contextOf, openContent, sealContent, summaryInput } from './context.ts'
import { nameOfError } from './error-name.ts'
import { inOrder } from './in-order.ts'
import { receiptOf, type Receipt } from './receipt.ts'
import { Refusal } from './refusal.ts'
import { createTails } from './tails.ts'
import { windowsOf } from './windows.ts'

export interface PipelineOptions extends CommitOptions {
  store: StationStore
  /** In whose name messages are taken in hand. */
  stationId: string
  /** Clinical service and risk adapters; null = the engine's local signals, synchronously. */
  services: AssessmentPorts | null
  secretsOf: (schoolId: string) => Promise<SchoolSecrets>
  /** What a school has chosen of how its messages are read, once its secrets were asked for; absent = nothing. */
  detectionOf?: (schoolId: string) => DetectionChoice
  /** Told after each commit that the outbox has something to send. */
  onQueued: () => void
}

/** What a refused message was found to be; it has been stored and alerted. */
export interface RefusedMessage {
  tier: RiskTier
  /** The protocol reply when it was a crisis. */
  reply: string | null
}

export type Pipeline = ReturnType<typeof createPipeline>

/** How long the services of a message may be asked before another station asks them anew. */
export const claimLasts = minutes(1)

/** How long a sender waits for a message to be stored, in milliseconds. */
const longestAnswer = seconds(6)

/** What the engine is told beside the text. */
type Around = Omit<AssessmentInput, 'text'>

/** What has become of an arrival once its session has been looked at. */
type Taken =
  | { is: 'stored'; message: StoredMessage; drill: boolean; receipt: Receipt; isNew: boolean; committed: () => void }
  | { is: 'accepted'; message: StoredMessage; around: Around }
  | { is: 'refused'; refusal: RefusedAs; around: Around }

/** What was found before the database failed. */
interface Found {
  tier: RiskTier | null
}

export function createPipeline(options: PipelineOptions) {
  const { store, engine, clock, randomness, logger, bufferSize, stationId, secretsOf } = options
  const commit = createCommit(options)
  const oneAtATime = inOrder()
  const tails = createTails(bufferSize, clock)

  async function start(
    session: Pick<StoredSession, 'school_id' | 'student_hash'> & {
      metadata: SessionMetadata
      at?: number | undefined
      /** It is that of a drill (main/station/drill.ts), which has given it this id. */
      drill?: string
    },
  ): Promise<Pick<StoredSession, 'session_id' | 'status' | 'started_at'>> {
    const { at, drill, ...rest } = session
    const session_id = drill ?? randomness.uuid()
    const opened = { ...rest, drill: drill !== undefined, session_id, started_at: Math.round(at ?? clock.now()) }
    await orNotStored(null, () =>
      store.asSchool(session.school_id, (unit) => commit.openSession(unit, opened, isBackfill({ at }))),
    )
    options.onQueued()
    return { session_id: opened.session_id, status: 'active', started_at: opened.started_at }
  }

  /**
   * Receives one message of a session. The same `client_message_id` gives the same receipt and no
   * second event. Throws Refusal `unknown session`, `ended`, `too large`, `reused`, `not stored` or
   * `unavailable`.
   */
  function receive(arrival: Arrival): Promise<Receipt> {
    const received = inSession(arrival, () =>
      orNotStored(arrival, async (found) => {
        const secrets = await secretsOf(arrival.school_id)
        const times = timesOf(arrival)
        const taken = await store.asSchool(arrival.school_id, (unit) => take(unit, arrival, times, secrets, found))
        if (taken.is === 'stored') {
          taken.committed()
          if (taken.isNew) afterStoring(taken, secrets)
          return taken.receipt
        }
        if (taken.is === 'accepted') return finish(taken.message, arrival.content, taken.around, times.arrived, found)
        const stored = await storeIfFlagged(arrival, times, secrets, taken, found)
        throw new Refusal(taken.refusal, stored?.reply ?? null)
      }),
    )
    return inTime(arrival, received)
  }

  /** Assesses a message that is refused whatever it says; stored and alerted when any danger is in it. */
  function assessRefused(arrival: Arrival, refusal: RefusedAs): Promise<RefusedMessage | null> {
    const assessed = inSession(arrival, () =>
      orNotStored(arrival, async (found) => {
        const secrets = await secretsOf(arrival.school_id)
        const times = timesOf(arrival)
        const known = await store.asSchool(arrival.school_id, async (unit) => {
          const session = await requireSession(unit, arrival)
          const earlier = await findEarlier(unit, arrival, secrets)
          const before = await latestMessages(unit, session, bufferSize)
          const around = await contextOf(unit, session, times.said, secrets.evidenceKey, before)
          const as = earlier ? 'reused' : session.status === 'ended' ? 'ended' : refusal
          return { same: earlier?.same ? earlier.message : null, refusal: as, around }
        })
        if (known.same?.state === 'analyzed')
          return { tier: known.same.tier, reply: replyTo(known.same.tier, arrival.content) }
        if (known.same) return finish(known.same, arrival.content, known.around, times.arrived, found)
        return storeIfFlagged(arrival, times, secrets, known, found)
      }),
    )
    return inTime(arrival, assessed)
  }

  /** Ends a session once; a second call gives the same summary. */
  function end(key: SessionKey, at?: number): Promise<SessionSummary> {
    return inSession(key, async () => {
      const ended = await orNotStored(null, () =>
        store.asSchool(key.school_id, async (unit) => {
          const session = await requireSession(unit, key, { lock: true })
          const kept = await findSummary(unit, key)
          if (kept) return kept
          const endedAt = Math.round(at ?? clock.now())
          const summary = await summarize(unit, session, endedAt)
          await commit.endSession(unit, session, { at: endedAt, backfill: isBackfill({ at }) }, summary)
          return summary
        }),
      )
      tails.drop(key)
      options.onQueued()
      return ended
    })
  }

  /** The summary of an ended session, or of a running one as it stands now. */
  function summary(key: SessionKey): Promise<SessionSummary> {
    return store.asSchool(key.school_id, async (unit) => {
      const session = await requireSession(unit, key)
      return (await findSummary(unit, key)) ?? summarize(unit, session, clock.now())
    })
  }

  /** Analyses a message that was accepted and left so, by this station or another one. */
  function resume(message: StoredMessage): Promise<void> {
    return inSession(message, async () => {
      const { evidenceKey } = await secretsOf(message.school_id)
      const around = await store.asSchool(message.school_id, async (unit) => {
        const session = await requireSession(unit, message)
        // Whoever sent it again may have had it decided while it waited its turn here.
        if ((await findMessage(unit, session, message.message_id))?.state !== 'accepted') return null
        const before = await latestMessages(unit, session, bufferSize, message.sequence - 1)
        return contextOf(unit, session, message.said_at, evidenceKey, before)
      })
      if (around === null) return
      await finish(message, openContent(message, evidenceKey), around, message.said_at, { tier: null })
    })
  }

  /** One look at the session, with nobody else in it: what needs no service is decided and stored here. */
  async function take(
    unit: Unit,
    arrival: Arrival,
    times: Times,
    secrets: SchoolSecrets,
    found: Found,
  ): Promise<Taken> {
    const session = await requireSession(unit, arrival, { lock: true })
    const earlier = await findEarlier(unit, arrival, secrets)
    if (earlier?.same) return takeAgain(unit, session, earlier.message, secrets)
    const before = tails.of(session) ?? (await latestMessages(unit, session, bufferSize))
    const around = await contextOf(unit, session, times.said, secrets.evidenceKey, before)
    if (isOvertaken(arrival, before)) throw new Refusal('overtaken')
    const refusal = refusalOf(session, arrival, earlier !== null)
    if (refusal) return { is: 'refused', refusal, around }
    const draft = draftOf(arrival, arrival.content, times, secrets, arrival.client_message_id ?? null)
    if (arrival.role === 'student' && servicesFor(arrival)) {
      const accepted = decidedAs(draft, withoutEngine())
      const message = {
        ...accepted,
        assessment: null,
        state: 'accepted',
        sequence: await nextSequence(unit, session),
      } as const
      await insertMessage(unit, message, { by: stationId, until: clock.now() + claimLasts })
      return { is: 'accepted', message, around }
    }
    const decided = decidedAs(draft, assessAtOnce(arrival, around))
    found.tier = decided.tier
    const how = howDecided(times.arrived, arrival)
    const message = await commit.storeMessage(unit, session, before, decided, how)
    return {
      is: 'stored',
      message,
      drill: session.drill,
      receipt: receipt(message, before, secrets),
      isNew: true,
      committed: () => tails.keep(session, before, message),
    }
  }

  /** A message that is here already: its sender gets what it got, or should have got, the first time. */
  async function takeAgain(
    unit: Unit,
    session: StoredSession,
    message: StoredMessage,
    secrets: SchoolSecrets,
  ): Promise<Taken> {
    const before = await latestMessages(unit, session, bufferSize, message.sequence - 1)
    if (message.state === 'accepted') {
      const around = await contextOf(unit, session, message.said_at, secrets.evidenceKey, before)
      return { is: 'accepted', message, around }
    }
    // A message stored while the sender sent too many is simply accepted when it is sent again.
    if (message.refused !== null && message.refused !== 'too many')
      throw new Refusal(message.refused, replyTo(message.tier, openContent(message, secrets.evidenceKey)))
    return {
      is: 'stored',
      message,
      drill: session.drill,
      receipt: receipt(message, before, secrets),
      isNew: false,
      committed: () => undefined,
    }
  }

  /** Asks the services about an accepted message and keeps the answer; of several who ask, the first one's stands. */
  async function finish(
    accepted: StoredMessage,
    text: string | null,
    around: Around,
    arrived: number,
    found: Found,
  ): Promise<Receipt> {
    // Words that open no more are no reason to keep silent.
    const assessment =
      text === null
        ? withoutEngine()
        : await assessMessage(assessor(options.services), { text, ...around, ...chosenAt(accepted) })
    found.tier = assessment.tier
    const secrets = await secretsOf(accepted.school_id)
    const done = await store.asSchool(accepted.school_id, async (unit) => {
      const session = await requireSession(unit, accepted, { lock: true })
      const kept = (await findMessage(unit, accepted, accepted.message_id)) ?? accepted
      return decideOnce(unit, session, kept, assessment, howDecided(arrived, {}))
    })
    if (done.isNew) afterStoring(done, secrets)
    return receipt(done.message, done.before, secrets)
  }

  async function storeIfFlagged(
    arrival: Arrival,
    times: Times,
    secrets: SchoolSecrets,
    { refusal, around }: { refusal: RefusedAs; around: Around },
    found: Found,
  ): Promise<RefusedMessage | null> {
    if (arrival.role !== 'student') return null
    const asked = assessor(servicesFor(arrival))
    const worst = await assessLongText(asked, arrival.content, (text) => ({ text, ...around, ...chosenAt(arrival) }))
    const assessment = arrival.incomplete && worst.assessment.tier === 'ok' ? withoutEngine() : worst.assessment
    found.tier = assessment.tier
    if (assessment.tier === 'ok') return null
    const how = howDecided(times.arrived, arrival)
    const { message, isNew, drill } = await store.asSchool(arrival.school_id, async (unit) => {
      const session = await requireSession(unit, arrival, { lock: true })
      const earlier = await findEarlier(unit, arrival, secrets)
      // It was sent elsewhere, too, while it was assessed here: it stands once, and is decided by who was first.
      if (earlier?.same) return decideOnce(unit, session, earlier.message, assessment, how)
      const before = await latestMessages(unit, session, bufferSize)
      // Another message has this id already, and ids are unique; the words are kept all the same, once, under another.
      const clientId = earlier ? reusedId(arrival, secrets) : (arrival.client_message_id ?? null)
      const draft = { ...draftOf(arrival, worst.text, times, secrets, clientId), refused: refusal }
      const stored = await commit.storeMessage(unit, session, before, decidedAs(draft, assessment), how)
      return { message: stored, isNew: true, drill: session.drill }
    })
    if (isNew) afterStoring({ message, drill }, secrets)
    return { tier: message.tier, reply: replyTo(message.tier, arrival.content) }
  }

  /** Decides a stored message that nobody has decided yet; else it stays as it is. */
  async function decideOnce(
    unit: Unit,
    session: StoredSession,
    kept: StoredMessage,
    assessment: Assessment,
    how: Decided,
  ): Promise<{ message: StoredMessage; isNew: boolean; drill: boolean; before: StoredMessage[] }> {
    const { drill } = session
    const before = await latestMessages(unit, session, bufferSize, kept.sequence - 1)
    if (kept.state !== 'accepted') return { message: kept, isNew: false, drill, before }
    const decided = { ...kept, ...decidedAs(kept, assessment) }
    return { message: await commit.finishMessage(unit, session, before, decided, how), isNew: true, drill, before }
  }

  /** By the local signals alone; null for a system message. */
  function assessAtOnce(arrival: Arrival, around: Around): Assessment | null {
    const { role, content } = arrival
    if (role === 'student') return assessLocally({ engine, logger }, { text: content, ...around, ...chosenAt(arrival) })
    return role === 'system' ? null : notAssessed(sentimentOf(content, around.at))
  }

  function draftOf(
    arrival: Arrival,
    text: string,
    times: Times,
    secrets: SchoolSecrets,
    client_message_id: string | null,
  ) {
    return {
      school_id: arrival.school_id,
      session_id: arrival.session_id,
      message_id: randomness.uuid(),
      role: arrival.role,
      client_message_id,
      content_digest: keyedDigest(secrets, arrival.content),
      said_at: times.said,
      told: isBackfill(arrival),
      content: sealContent(text, secrets.evidenceKey),
      refused: null as RefusedAs | null,
    }
  }

  function afterStoring({ message, drill }: { message: StoredMessage; drill: boolean }, secrets: SchoolSecrets): void {
    options.onQueued()
    if (message.tier !== 'crisis' || drill) return
    const { session_id, assessment } = message
    // A short pseudonym, so that entries of one chat can be told together and nobody can be named by them.
    const chat = keyedDigest(secrets, session_id).slice(0, 12)
    const found = { chat, categories: assessment?.categories ?? [], decided_by: assessment?.decided_by }
    if (message.told) logger.info(found, 'crisis of a told past')
    else logger.warn(found, 'crisis detected')
  }

  async function findEarlier(
    unit: Unit,
    arrival: Arrival,
    secrets: SchoolSecrets,
  ): Promise<{ message: StoredMessage; same: boolean } | null> {
    if (arrival.client_message_id === undefined) return null
    const message = await findByClientId(unit, arrival, arrival.client_message_id)
    if (message === null) return null
    if (message.content_digest === keyedDigest(secrets, arrival.content)) return { message, same: true }
    const again = await findByClientId(unit, arrival, reusedId(arrival, secrets))
    return again ? { message: again, same: true } : { message, same: false }
  }

  async function summarize(unit: Unit, session: StoredSession, endedAt: number): Promise<SessionSummary> {
    return engine.summarize(summaryInput(session, endedAt, await messagesOf(unit, session)))
  }

  function sentimentOf(text: string, at: number): number {
    try {
      return engine.assess({ text, at, recent: [], history: [], previous: [] }).sentiment
    } catch {
      return 0
    }
  }

  /**
   * Runs `work`. Where nothing can be stored the sender is told so; a student's text has then been assessed
   * all the same, and a crisis among it is answered with the protocol reply.
   */
  async function orNotStored<T>(arrival: Arrival | null, work: (found: Found) => Promise<T>): Promise<T> {
    const found: Found = { tier: null }
    try {
      return await work(found)
    } catch (error) {
      if (error instanceof Refusal) throw error
      const reply = replyTo(found.tier ?? tierAlone(arrival), arrival?.content ?? null)
      logger.error({ code: codeOf(error), crisis: reply !== null }, 'not stored')
      throw new Refusal(error instanceof DatabaseGone ? 'unavailable' : 'not stored', reply, { cause: error })
    }
  }

  /**
   * What `work` brings, where it does in time. A database that hangs is no reason to leave a student without the
   * protocol reply: the sender is told to come back, and finds then what has become of the message.
   */
  async function inTime<T>(arrival: Arrival, work: Promise<T>): Promise<T> {
    let cancel: Cancel = () => undefined
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(longestAnswer, () => {
        const reply = replyTo(tierAlone(arrival), arrival?.content ?? null)
        logger.error({ crisis: reply !== null }, 'not stored in time')
        reject(new Refusal('unavailable', reply))
      })
    })
    try {
      return await Promise.race([work, late])
    } finally {
      cancel()
    }
  }

  /** The tier of a text by itself, without what the database knows around it. */
  function tierAlone(arrival: (Pick<Arrival, 'role' | 'content'> & { school_id?: string }) | null): RiskTier {
    if (arrival?.role !== 'student') return 'ok'
    const chosen = arrival.school_id === undefined ? {} : chosenAt({ school_id: arrival.school_id })
    const alone = { at: clock.now(), recent: [], history: [], previous: [], ...chosen }
    const isCrisis = (text: string) => assessLocally({ engine, logger }, { text, ...alone }).tier === 'crisis'
    return windowsOf(arrival.content).some(isCrisis) ? 'crisis' : 'ok'
  }

  function timesOf({ at }: Arrival): Times {
    const arrived = clock.now()
    return { said: Math.round(at ?? arrived), arrived }
  }

  /** Services are asked about what is said now; thousands of backfilled messages are assessed on this machine. */
  const servicesFor = (arrival: Arrival) => (isBackfill(arrival) ? null : options.services)
  const assessor = (services: AssessmentPorts | null): Assessor => ({ engine, services, logger })
  const howDecided = (arrived: number, arrival: Pick<Arrival, 'at'>): Decided => ({
    latency: Math.max(0, clock.now() - arrived),
    clinicalIsModel: !isBackfill(arrival) && options.services?.clinical !== undefined,
  })
  const chosenAt = ({ school_id }: { school_id: string }) => ({ detection: options.detectionOf?.(school_id) })
  const inSession = <T>({ school_id, session_id }: SessionKey, work: () => Promise<T>) =>
    oneAtATime(`${school_id}/${session_id}`, work)
  const receipt = (message: StoredMessage, before: readonly StoredMessage[], { evidenceKey }: SchoolSecrets) =>
    receiptOf(
      message,
      [...before, message].slice(-bufferSize),
      evidenceKey,
      replyTo(message.tier, openContent(message, evidenceKey)),
    )
  /** The protocol reply in the language of the words; in both where they open no more. */
  const replyTo = (tier: RiskTier, content: string | null): string | null =>
    tier === 'crisis' ? protocolReplyIn(engine, content === null ? 'both' : engine.answerLanguage(content)) : null

  /** What a chat must show whose message cannot be taken nor even be told whose it is: the protocol on a crisis, else null. */
  const replyAlone = (role: Arrival['role'], content: string): string | null =>
    replyTo(tierAlone({ role, content }), content)

  return { start, receive, assessRefused, end, summary, resume, replyAlone, stop: () => tails.stop() }
}

/** A message with its decision; a system message has none. */
function decidedAs<Draft extends object>(draft: Draft, assessment: Assessment | null) {
  return {
    ...draft,
    tier: assessment?.tier ?? ('ok' as const),
    score: assessment?.score ?? 0,
    sentiment: assessment?.sentiment ?? 0,
    assessment,
  }
}

// Keyed, because short messages could be guessed from a plain digest.
const keyedDigest = ({ salt }: SchoolSecrets, text: string): string =>
  createHmac('sha256', salt).update(text, 'utf8').digest('hex')

/** The id for other words that came under an id already taken; the same words sent again get the same one. */
const reusedId = ({ client_message_id = '', content }: Arrival, secrets: SchoolSecrets): string =>
  `reused:${keyedDigest(secrets, `${client_message_id}\u0000${content}`)}`

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return String(code ?? cause?.code ?? nameOfError(error))
}
