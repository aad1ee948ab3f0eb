/** What the engine may ask of the world while it decides, each with a deadline; a failure is a missing signal. */
import { z } from 'zod'
import type { Assessment } from '../../shared/assessment.ts'
import { riskTierSchema, type RiskTier, type SignalName } from '../../shared/risk.ts'
import type { ConversationMessage } from './assessment-input.ts'
import type { PhraseSimilarity } from './signals/index.ts'

/** A clinical service; it rejects where it has no answer. `signal` is aborted at the deadline. */
export interface ClinicalService {
  ask(message: string, recent: readonly ConversationMessage[], signal: AbortSignal): Promise<unknown>
}

/** Anyone's own detector. It may raise a tier, add flagged categories and notes; it can lower nothing. */
export interface RiskAdapter {
  name: string
  /** `recent`: what was said before the message, the oldest first. `signal` is aborted at the deadline. */
  assess(
    message: string,
    local: Assessment,
    signal: AbortSignal,
    recent: readonly ConversationMessage[],
  ): Promise<AdapterAnswer> | AdapterAnswer
}
export interface AdapterAnswer {
  tier: RiskTier
  notes?: string[]
  /** UTF-16 offsets into the message, end exclusive; cut to it, and shown to whoever reviews the session. */
  flagged?: { start: number; end: number }[]
}

/** The parts of an adapter's answer, read one by one: a broken note must not lose the tier beside it. */
export const adapterTierSchema = z.looseObject({ tier: riskTierSchema })
export const adapterNotesSchema = z.looseObject({ notes: z.array(z.string()).max(50).optional() })
export const adapterFlaggedSchema = z.looseObject({
  flagged: z
    .array(z.looseObject({ start: z.number(), end: z.number() }))
    .max(200)
    .optional(),
})

/** What a schema makes of a foreign answer; null when it cannot be parsed, even if looking at it throws. */
export function readAnswer<T>(schema: z.ZodType<T>, value: unknown): T | null {
  try {
    return schema.safeParse(value).data ?? null
  } catch {
    return null
  }
}

/** Calls `work` once after `delay` milliseconds; the answer cancels it. The clock of the platform fits. */
export interface Timer {
  after(delay: number, work: () => void): () => void
}

export interface AssessmentPorts {
  timer: Timer
  /** Stands for the local clinical signal where a school runs one; it can raise the level, and lower nothing. */
  clinical?: ClinicalService | undefined
  /** Stands for the built-in comparison with known phrases where an embedder is configured. */
  similarity?: PhraseSimilarity | undefined
  adapters?: readonly RiskAdapter[] | undefined
  /** Signals known to be missing, for tests and drills. */
  missing?: readonly SignalName[] | undefined
}

type Arrived<T> = { ok: true; value: T } | { ok: false; problem: 'late' | 'failed' }

/** Waits for `work`, at most `limit` milliseconds; never rejects. */
export function withDeadline<T>(
  timer: Timer,
  limit: number,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<Arrived<T>> {
  const abort = new AbortController()
  return new Promise((resolve) => {
    const failed = (): void => resolve({ ok: false, problem: 'failed' })
    let cancel: () => void
    try {
      cancel = timer.after(limit, () => {
        abort.abort()
        resolve({ ok: false, problem: 'late' })
      })
    } catch {
      // Without a deadline nothing may be waited for.
      failed()
      return
    }
    const settle = (arrived: Arrived<T>): void => {
      cancel()
      resolve(arrived)
    }
    Promise.resolve()
      .then(() => work(abort.signal))
      .then(
        (value) => settle({ ok: true, value }),
        () => {
          cancel()
          failed()
        },
      )
  })
}
