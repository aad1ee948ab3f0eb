/** Detectors of a school's own, each a JavaScript module in a thread of its own, behind the engine's port. */
import { basename, extname } from 'node:path'
import { z } from 'zod'
import { levelThresholds, patternCategorySchema, type RiskTier } from '../../../shared/risk.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { AdapterInUse } from '../../../shared/views.ts'
import type { RiskAdapter } from '../../analysis/index.ts'
import { createCircuit } from '../circuit.ts'
import type { Cancel, Clock, Logger } from '../ports.ts'
import { startThread, type Thread } from './thread.ts'

/** How long an adapter may take over a message, and over its start (milliseconds). */
const deadline = 500
const longestStart = seconds(5)
/** Waits before an adapter that ended is started again: the first, doubled each time, up to the longest. */
const firstWait = seconds(1)
const longestWait = minutes(1)

/** What `assess({text, recent})` of a module answers: nothing more, nothing else. */
const answerSchema = z.strictObject({
  score: z.number().min(0).max(1),
  categories: z.array(patternCategorySchema).max(20),
  reason: z.string().max(2000).optional(),
})

export interface AdapterSource {
  adapter: RiskAdapter
  state(): AdapterInUse
  /** Resolves once it could be loaded for the first time, or could not; after five seconds in any case. */
  settled: Promise<void>
  stop(): void
}

class UnreadableAnswer extends Error {}

/** Starts the module in its thread. What ends is started again; an adapter that fails is a missing opinion, never an error. */
export function openAdapter(file: string, { clock, logger }: { clock: Clock; logger: Logger }): AdapterSource {
  const name = basename(file, extname(file)).slice(0, 60)
  const circuit = createCircuit(clock)
  let problem: AdapterInUse['problem'] = 'starting'
  let thread: Thread | null = null
  let starts = 0
  let cancelRestart: Cancel = () => undefined
  let settle: () => void = () => undefined
  const settled = new Promise<void>((resolve) => (settle = resolve))
  const cancelSettle = clock.after(longestStart, settle)
  let stopped = false

  const start = (): void => {
    starts += 1
    const started = startThread(file)
    thread = started
    started.loaded.then(
      () => {
        problem = null
        settle()
      },
      () => {
        problem = 'not loaded'
        settle()
        started.stop()
      },
    )
    void started.ended.then(() => {
      if (stopped || thread !== started) return
      thread = null
      if (problem !== 'not loaded') problem = 'ended'
      const wait = Math.min(longestWait, firstWait * 2 ** Math.min(starts - 1, 10))
      logger.warn({ adapter: name, problem, starts, again_in_ms: wait }, 'a risk adapter ended')
      cancelRestart = clock.after(wait, start)
    })
  }

  const noteFailure = (signal: AbortSignal) => (error: unknown, inARow: number) => {
    if (thread !== null && problem !== 'not loaded')
      problem = signal.aborted ? 'late' : error instanceof UnreadableAnswer ? 'unreadable answer' : 'failed'
    if (inARow <= 3) logger.warn({ adapter: name, problem, failures: inARow }, 'a risk adapter failed')
    // A thread that hangs answers nothing any more; while the adapter rests, nobody misses it.
    if (inARow === 3 && signal.aborted) thread?.stop()
  }
  const ask = async (...question: Parameters<Thread['ask']>) => {
    if (thread === null) throw new Error('it does not run')
    const answer = answerSchema.safeParse(await thread.ask(...question))
    if (!answer.success) throw new UnreadableAnswer()
    return answer.data
  }

  const adapter: RiskAdapter = {
    name,
    async assess(text, _local, whole, recent) {
      const late = new AbortController()
      const cancel = clock.after(deadline, () => late.abort())
      const signal = AbortSignal.any([whole, late.signal])
      try {
        const { score, categories, reason } = await circuit.call(
          signal,
          () => ask({ text, recent }, signal),
          noteFailure(signal),
        )
        problem = null
        starts = 1
        const notes = [...(categories.length > 0 ? [`sees ${categories.join(', ')}`] : []), ...(reason ? [reason] : [])]
        return { tier: tierOf(score), notes }
      } finally {
        cancel()
      }
    },
  }

  start()
  return {
    adapter,
    settled,
    state: () => ({ name, problem, resting: circuit.resting() }),
    stop() {
      stopped = true
      cancelRestart()
      cancelSettle()
      settle()
      thread?.stop()
    },
  }
}

/** The tier that a score asks for, by the thresholds of the consensus. */
function tierOf(score: number): RiskTier {
  return score >= levelThresholds.CRISIS ? 'crisis' : score >= levelThresholds.CAUTION ? 'caution' : 'ok'
}
