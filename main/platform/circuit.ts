/** Keeps a part that fails from slowing every message: after failures in a row it is left alone for a while. */
import { seconds } from '../../shared/time.ts'
import type { Clock } from './ports.ts'

/** Failures in a row after which the part rests, and for how long; then one call at a time tries it again. */
const failuresToRest = 3
const restFor = seconds(30)

export interface Circuit {
  /**
   * Calls the part, or rejects at once while it rests. A call that does not hear `signal` is given up all the same.
   * `onFailed` is told of each failure of the part itself, and how many there were in a row.
   */
  call<T>(signal: AbortSignal, work: () => Promise<T>, onFailed: (error: unknown, inARow: number) => void): Promise<T>
  resting(): boolean
}

export function createCircuit(clock: Clock): Circuit {
  let inARow = 0
  let restUntil = 0
  let trying = false
  const resting = (): boolean => inARow >= failuresToRest

  return {
    resting,
    async call(signal, work, onFailed) {
      const rests = resting()
      if (rests && (trying || clock.now() < restUntil)) throw new Error('it rests')
      if (rests) trying = true
      try {
        const result = await Promise.race([work(), untilAborted(signal)])
        inARow = 0
        return result
      } catch (error) {
        inARow += 1
        if (resting()) restUntil = clock.now() + restFor
        onFailed(error, inARow)
        throw error
      } finally {
        if (rests) trying = false
      }
    },
  }
}

/** A part that does not hear the deadline must not look like one that is still thinking. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = (): void => reject(new Error('late'))
    if (signal.aborted) late()
    else signal.addEventListener('abort', late, { once: true })
  })
}
