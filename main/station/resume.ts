import { seconds } from '../../shared/time.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import { claimUnfinished, releaseClaims, type StationStore } from '../store/station/index.ts'
import { claimLasts, nameOfError, type Pipeline } from './sessions/index.ts'

/** How often a station looks for what another one has left unfinished. */
const lookEvery = seconds(15)
const atOnce = 10

/**
 * Gives up what this station had in hand when it last ended: it is in nobody's. To be called before anything is taken
 * in hand anew, which it would give up, too.
 */
export async function giveUpClaims(options: { store: StationStore; stationId: string; logger: Logger }): Promise<void> {
  const { store, stationId, logger } = options
  try {
    await store.asStation((unit) => releaseClaims(unit, stationId))
  } catch (error) {
    // They run out by themselves.
    logger.error({ error: nameOfError(error) }, 'what was in hand before could not be given up')
  }
}

/**
 * Analyses messages that were accepted and never decided, now and whenever the claim of a station that died
 * runs out. The answer stops it, and ends when nothing is under way.
 */
export function startResuming(options: {
  store: StationStore
  stationId: string
  pipeline: Pick<Pipeline, 'resume'>
  clock: Clock
  logger: Logger
}): () => Promise<void> {
  const { store, stationId, pipeline, clock, logger } = options
  let stopped = false
  let cancel = (): void => undefined

  const claim = () =>
    store.asStation((unit) => {
      const now = clock.now()
      return claimUnfinished(unit, { now, limit: atOnce, by: stationId, until: now + claimLasts })
    })
  const resumeAll = async (): Promise<void> => {
    for (let claimed = await claim(); claimed.length > 0 && !stopped; claimed = await claim()) {
      logger.info({ messages: claimed.length }, 'unfinished analyses are taken up again')
      for (const message of claimed) {
        if (stopped) return
        await pipeline.resume(message).catch((error: unknown) => {
          // Its claim runs out, and then it is tried again.
          logger.error({ error: nameOfError(error) }, 'an unfinished analysis failed again')
        })
      }
    }
  }
  const look = async (): Promise<void> => {
    try {
      await resumeAll()
    } catch (error) {
      logger.error({ error: nameOfError(error) }, 'unfinished analyses could not be looked for')
    }
    if (!stopped) cancel = clock.after(lookEvery, () => void (underWay = look()))
  }

  let underWay = look()
  return () => {
    stopped = true
    cancel()
    return underWay
  }
}
