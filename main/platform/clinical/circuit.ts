/** Keeps a service that fails from slowing every message: after failures in a row it is left alone for a while. */
import { seconds } from '../../../shared/time.ts'
import type { ClinicalInUse } from '../../../shared/views.ts'
import type { ClinicalAnswer, ClinicalService } from '../../analysis/index.ts'
import type { Clock, Log } from '../ports.ts'
import { ClinicalFailure } from './failure.ts'

/** Failures in a row after which the service rests, and for how long; then one message at a time tries it again. */
const failuresToRest = 3
const restFor = seconds(30)

/** One question to a service. Rejects with ClinicalFailure; `signal` is aborted at the deadline. */
export type Ask = (...question: Parameters<ClinicalService['ask']>) => Promise<ClinicalAnswer>

export function withCircuit(
  ask: Ask,
  { clock, log }: { clock: Clock; log: Log },
): { service: ClinicalService; health(): Pick<ClinicalInUse, 'failed' | 'answered_at' | 'resting'> } {
  let inARow = 0
  let restUntil = 0
  let trying = false
  let failed: ClinicalInUse['failed'] = null
  let answeredAt: number | null = null

  const succeeded = (): void => {
    if (inARow >= failuresToRest) log.warn({ failures: inARow }, 'the clinical service answers again')
    inARow = 0
    answeredAt = clock.now()
  }
  const noteFailure = (error: unknown, late: boolean): void => {
    const known = error instanceof ClinicalFailure ? error : null
    failed = { at: clock.now(), why: late ? 'late' : (known?.why ?? 'unreachable'), status: known?.status ?? null }
    inARow += 1
    if (inARow <= failuresToRest)
      log.warn({ why: failed.why, status: failed.status, failures: inARow }, 'the clinical service failed')
    if (inARow >= failuresToRest) restUntil = clock.now() + restFor
  }

  return {
    service: {
      async ask(message, recent, signal) {
        const resting = inARow >= failuresToRest
        if (resting && (trying || clock.now() < restUntil)) throw new Error('the clinical service rests')
        if (resting) trying = true
        try {
          const answer = await Promise.race([ask(message, recent, signal), untilAborted(signal)])
          succeeded()
          return answer
        } catch (error) {
          noteFailure(error, signal.aborted)
          throw error
        } finally {
          if (resting) trying = false
        }
      },
    },
    health: () => ({ failed, answered_at: answeredAt, resting: inARow >= failuresToRest }),
  }
}

/** A client that does not hear the deadline must not look like one that is still thinking. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = (): void => reject(new ClinicalFailure('late'))
    if (signal.aborted) late()
    else signal.addEventListener('abort', late, { once: true })
  })
}
