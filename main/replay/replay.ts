/** Replaying transcripts through a running intake, over REST like any chat. */
import { quantile } from '../../shared/quantile.ts'
import type { RiskTier } from '../../shared/risk.ts'
import { CallFailed, intakeClient, type IntakeClient, type Target } from '../chat/index.ts'
import { pause } from '../platform/pause.ts'
import type { Clock } from '../platform/ports.ts'
import type { BadLine, Transcript, Turn } from './transcripts.ts'

export interface ReplayOptions {
  /** Asked before each call. */
  target: () => Target
  /** Pauses between the turns of a session are divided by this; 0 = no pauses. */
  speed: number
  /** Sessions at the same time. */
  parallel: number
  clock: Clock
  /** Stops sending; sessions already begun are ended. */
  signal: AbortSignal
  onProgress?: (figures: ReplayFigures) => void
}

export interface ReplayFigures {
  sessions: number
  messages: number
  tiers: Record<RiskTier, number>
  /** Messages that the intake refused, by status. */
  refused: Record<string, number>
  bad_lines: BadLine[]
  /** Time of one message's answer, milliseconds. */
  latency_ms: { p50: number; p95: number } | null
  seconds: number
  cancelled: boolean
}

/** Times a call is tried while nobody answers. */
const tries = 3

/**
 * Sends every transcript; bad lines are counted and skipped, refused messages counted.
 * Rejects with CallFailed when the intake does not answer, opens no session, or does not know the key.
 */
export async function replay(
  transcripts: AsyncIterator<{ transcript: Transcript } | { bad: BadLine }>,
  options: ReplayOptions,
): Promise<ReplayFigures> {
  const { clock, onProgress } = options
  const startedAt = clock.now()
  const latencies: number[] = []
  const figures: ReplayFigures = {
    sessions: 0,
    messages: 0,
    tiers: { ok: 0, caution: 0, high: 0, crisis: 0 },
    refused: {},
    bad_lines: [],
    latency_ms: null,
    seconds: 0,
    cancelled: false,
  }
  // One failure that concerns every session stops them all.
  const stopped = new AbortController()
  const signal = AbortSignal.any([options.signal, stopped.signal])
  const client = intakeClient({ target: options.target, clock, signal, tries })

  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const { value, done } = await transcripts.next()
      if (done) return
      if ('bad' in value) figures.bad_lines.push(value.bad)
      else await replaySession(client, value.transcript, { ...options, signal }, figures, latencies)
      onProgress?.(figures)
    }
  }
  const stopAll = (error: unknown): never => {
    stopped.abort()
    throw error
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: Math.max(1, options.parallel) }, () => worker().catch(stopAll)),
  )
  const failure = outcomes.find((outcome) => outcome.status === 'rejected' && outcome.reason instanceof CallFailed)
  if (failure?.status === 'rejected') throw failure.reason
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !options.signal.aborted) throw outcome.reason as Error
  const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)]
  return {
    ...figures,
    latency_ms: p50 === null || p95 === null ? null : { p50, p95 },
    seconds: (clock.now() - startedAt) / 1000,
    cancelled: options.signal.aborted,
  }
}

async function replaySession(
  client: IntakeClient,
  { student, turns }: Transcript,
  { clock, speed, signal, onProgress }: ReplayOptions,
  figures: ReplayFigures,
  latencies: number[],
): Promise<void> {
  const { session_id } = await client.startSession({ user_id: student })
  try {
    let previous: Turn | undefined
    for (const [index, turn] of turns.entries()) {
      if (speed > 0 && previous) await pause(clock, (turn.at - previous.at) / speed, signal)
      if (signal.aborted) return
      previous = turn
      const sentAt = clock.now()
      const message = { sender: turn.sender, content: turn.text, client_message_id: `replay-${index}` }
      const answer = await orRefused(client.send(session_id, message))
      if (typeof answer === 'number') figures.refused[answer] = (figures.refused[answer] ?? 0) + 1
      else {
        latencies.push(clock.now() - sentAt)
        figures.messages++
        if (turn.sender === 'user') figures.tiers[answer.tier]++
      }
      onProgress?.(figures)
    }
    figures.sessions++
  } finally {
    // Also after a cancel: no session is left looking as if a student were still there.
    await orRefused(client.endSession(session_id))
  }
}

/** What the call brings; or the status with which this one alone was refused. What concerns every call rejects. */
async function orRefused<Answer>(call: Promise<Answer>): Promise<Answer | number> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof CallFailed) || typeof error.failure !== 'number') throw error
    if (error.failure === 401 || error.failure === 403) throw error
    return error.failure
  }
}
