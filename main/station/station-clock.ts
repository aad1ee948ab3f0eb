/** The time by which a station works: stations that share a database have one, whatever the clocks of their machines say. */
import { seconds } from '../../shared/time.ts'
import type { Clock, Logger } from '../platform/ports.ts'
import type { StationStore } from '../store/station/index.ts'

/** A clock that is no further off than this is left as it is: it never goes back by being compared. */
const leeway = 500
/** Where nobody else asks for it. */
const compareEvery = seconds(10)
/** What was compared so short a time ago need not be again. */
const holdsFor = seconds(1)

export interface StationClock extends Clock {
  /**
   * Compares the machine’s clock with the database’s, unless that was done a moment ago and nobody has set it since.
   * Where the database does not answer what was found last holds. Never rejects.
   */
  compare(): Promise<void>
  /** Does so again and again; the answer ends it. */
  keepComparing(): () => void
}

/** The machine’s clock until it is compared for the first time, and for good where no other station can have another. */
export function createStationClock(options: {
  store: Pick<StationStore, 'now'>
  clock: Clock
  logger: Logger
}): StationClock {
  const { store, clock, logger } = options
  /** How far the database’s clock is ahead of the machine’s, milliseconds. */
  let offset = 0
  let comparedAt: number | null = null
  let underWay: Promise<void> | null = null

  const look = async (): Promise<void> => {
    const asked = clock.now()
    const there = await store.now()
    const answered = clock.now()
    comparedAt = answered
    // One that was set in between has nothing to be compared with.
    if (there === null || answered < asked) return
    const unknown = (answered - asked) / 2
    const found = Math.round(there - asked - unknown)
    if (Math.abs(found - offset) <= leeway + unknown) return
    offset = found
    logger.warn(
      { seconds: Math.round(offset / 1000) },
      'the clock of this machine is not the database’s; the ladder follows that',
    )
  }
  const compare = async (): Promise<void> => {
    const since = comparedAt === null ? -1 : clock.now() - comparedAt
    if (since >= 0 && since < holdsFor) return
    underWay ??= look()
      .catch((error: unknown) => {
        const name = error instanceof Error ? error.name : 'unknown'
        logger.warn({ error: name }, 'the clock of the database could not be read')
      })
      .finally(() => (underWay = null))
    await underWay
  }
  return {
    now: () => clock.now() + offset,
    after: (delay, work) => clock.after(delay, work),
    compare,
    keepComparing() {
      let cancel = (): void => undefined
      const again = (): void => {
        cancel = clock.after(compareEvery, again)
        void compare()
      }
      again()
      return () => cancel()
    },
  }
}
