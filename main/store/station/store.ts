/** What a station's store is, whatever database it stands on. */
import { PostgresAdapter } from 'kysely'
import type { WrappedSecrets } from './schools.ts'
import type { Unit } from './tables.ts'

export interface UnitOptions {
  /**
   * A power cut may take it back although it was told as done, and no more than it: for what is then only done
   * once more. The end of the process takes nothing back. It saves waiting for the disk.
   */
  mayBeDoneAgain?: boolean
}

export interface StationStore {
  /** Whether other stations may work on the same data: what is in hand is then claimed. */
  readonly shared: boolean
  /**
   * Runs one unit of work with the rights of a school: on PostgreSQL its transaction sees no other school's
   * rows. Resolves when everything is durable; throws what `work` throws, and then nothing of it is kept, or
   * DatabaseGone.
   */
  asSchool<T>(schoolId: string, work: (unit: Unit) => Promise<T>): Promise<T>
  /** The same for the station's own work, which concerns every school: outbox, relay, heartbeat, start. */
  asStation<T>(work: (unit: Unit) => Promise<T>, options?: UnitOptions): Promise<T>
  /**
   * What the clock of the database shows (UTC milliseconds): stations that share it go by it. Null where it has none of
   * its own. Rejects where it does not answer.
   */
  now(): Promise<number | null>
  /** Whether the database answers and, where its disk was full, has room again. */
  isAnswering(): Promise<boolean>
  /** Whether a commit waits until the disk has it; only data that can be made anew may do without. File only. */
  waitForDisk(wait: boolean): void
  /** Ends when the units under way have. */
  close(): Promise<void>
}

/** The database does not answer now, or its disk is full. What was not committed is not kept; later it may be. */
export class DatabaseGone extends Error {
  constructor(cause: unknown) {
    super('The database does not answer, or has no room.', { cause })
    this.name = 'DatabaseGone'
  }
}

/** How far ahead a claim can reach (milliseconds): what reaches further was made by a clock that was wrong. */
export const furthestClaim = 120_000

/** Whether rows can be locked, which a file that one process writes has no need of. */
export function locksRows(unit: Unit): boolean {
  return unit.getExecutor().adapter instanceof PostgresAdapter
}

/** What a look at a store has found; null where there is nothing yet. */
export interface ExaminedStore {
  /** Of the school that was asked for. */
  secrets: WrappedSecrets | null
  /** The text of the key store, where it is kept in the database. */
  keystore: string | null
}
