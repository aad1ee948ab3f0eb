import type { ClinicalInUse } from '../../../shared/views.ts'
import type { ClinicalAnswer, ClinicalService } from '../../analysis/index.ts'
import { createCircuit } from '../circuit.ts'
import type { Clock, Logger } from '../ports.ts'
import { ServiceFailure } from '../service-failure.ts'

/** One question to a service. Rejects with ServiceFailure; `signal` is aborted at the deadline. */
export type Ask = (...question: Parameters<ClinicalService['ask']>) => Promise<ClinicalAnswer>

type Health = Pick<ClinicalInUse, 'failed' | 'answered_at' | 'resting'>

/** A service that is left alone while it fails, and what is known of how it fares. */
export function withHealth(ask: Ask, { clock, logger }: { clock: Clock; logger: Logger }) {
  const circuit = createCircuit(clock)
  let failed: ClinicalInUse['failed'] = null
  let answeredAt: number | null = null

  const service: ClinicalService = {
    async ask(message, recent, signal) {
      const rested = circuit.resting()
      const answer = await circuit.call(signal, () => ask(message, recent, signal), noteFailure(signal))
      if (rested) logger.warn({}, 'the clinical service answers again')
      answeredAt = clock.now()
      return answer
    },
  }
  const noteFailure = (signal: AbortSignal) => (error: unknown, inARow: number) => {
    const known = error instanceof ServiceFailure ? error : null
    failed = {
      at: clock.now(),
      why: signal.aborted ? 'late' : (known?.why ?? 'unreachable'),
      status: known?.status ?? null,
    }
    // From then on it is tried every half minute: no line for each of those.
    if (inARow <= 3)
      logger.warn({ why: failed.why, status: failed.status, failures: inARow }, 'the clinical service failed')
  }
  const health = (): Health => ({ failed, answered_at: answeredAt, resting: circuit.resting() })
  return { service, health }
}
