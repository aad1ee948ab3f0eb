/** Group commit on the file: what comes together shares one transaction and one flush to the disk. */
import type { Database } from '../open.ts'
import { prepared } from '../prepared.ts'
import { DatabaseGone, type UnitOptions } from './store.ts'

/** Most units one transaction takes, so that the process never stops answering for long. */
const mostPerBatch = 16

interface Waiting {
  work: () => Promise<unknown>
  mayBeDoneAgain: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface Batches {
  /**
   * Runs a unit of work, in a savepoint of its own: its failure takes back nothing of the others. Resolves
   * when it is on the disk; where it may be done again, once everybody who reads this database sees it.
   */
  run<T>(work: () => Promise<T>, options?: UnitOptions): Promise<T>
  /** Calls `change` between two transactions. */
  between(change: () => void): void
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
}

/** The units of work of one database, one after the other, in the order in which they came. */
export function createBatches(db: Database): Batches {
  const waiting: Waiting[] = []
  const changes: (() => void)[] = []
  const owed: Owed = { goBack: null }
  let running: Promise<void> | null = null

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Requests of one turn of the event loop are all in line before the first is begun.
      await new Promise<void>((resolve) => setImmediate(resolve))
      attempt(() => tidy(db, owed))
      if (!db.open || !db.inTransaction) changes.splice(0).forEach(attempt)
      await runBatch(db, waiting, owed)
    }
    // In the same step as the last look: what comes a moment later begins a new round.
    running = null
  }

  return {
    run: (unit, { mayBeDoneAgain = false } = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ work: unit, mayBeDoneAgain, resolve: resolve as Waiting['resolve'], reject })
        running ??= work()
      }),
    between(change) {
      if (running || (db.open && db.inTransaction)) changes.push(change)
      else change()
    },
    async idle() {
      while (running) await running
    },
  }
}

/** What could not be set back, as a transaction stood open that the disk would not let end. */
interface Owed {
  goBack: (() => void) | null
}

async function runBatch(db: Database, waiting: Waiting[], owed: Owed): Promise<void> {
  const settle: (() => void)[] = []
  const taken: Waiting[] = []
  // One that must be on the disk makes all of its batch wait; with none, nobody waits.
  const waits = waiting.slice(0, mostPerBatch).some(({ mayBeDoneAgain }) => !mayBeDoneAgain)
  try {
    orGone(() => {
      tidy(db, owed)
      if (!waits) owed.goBack = withoutFlush(db)
      prepared(db, 'BEGIN IMMEDIATE').run()
    })
    for (let unit = waiting[0]; unit && taken.length < mostPerBatch; unit = waiting[0]) {
      // It came while the batch was under way.
      if (!waits && !unit.mayBeDoneAgain) break
      taken.push(unit)
      waiting.shift()
      settle.push(await inSavepoint(db, unit))
    }
    orGone(() => prepared(db, 'COMMIT').run())
  } catch (error) {
    // A disk that takes no commit may take no rollback either: then the next batch rolls back before it begins.
    attempt(() => tidy(db, owed))
    // What cannot even begin fails for all who wait: they would else wait for ever.
    for (const { reject } of [...taken, ...(taken.length === 0 ? waiting.splice(0) : [])]) reject(error)
    return
  }
  attempt(() => tidy(db, owed))
  settle.forEach((tell) => tell())
}

/** Ends what a batch has left open and sets back what it has set. Throws where the database cannot. */
function tidy(db: Database, owed: Owed): void {
  if (!db.open) return
  if (db.inTransaction) prepared(db, 'ROLLBACK').run()
  // Inside a transaction it could not be set.
  owed.goBack?.()
  owed.goBack = null
}

/** Whoever waits is told how their own unit ended, whatever else fails: it is tried again before the next begins. */
function attempt(cleaning: () => void): void {
  try {
    cleaning()
  } catch {
    return
  }
}

/** Throws DatabaseGone where a transaction can neither begin nor end. */
function orGone(step: () => unknown): void {
  try {
    step()
  } catch (error) {
    throw new DatabaseGone(error)
  }
}

/**
 * Commits go to the write-ahead log and are flushed with the next that waits. Returns what restores the setting; null
 * where there is nothing to restore.
 */
function withoutFlush(db: Database): (() => void) | null {
  // Data that can be made anew do not wait anyhow.
  if (db.pragma('synchronous', { simple: true }) !== full) return null
  db.pragma('synchronous = NORMAL')
  return () => void db.pragma('synchronous = FULL')
}
/** What PRAGMA synchronous answers. */
const full = 2

/** How the outcome is to be told once everything is committed. Throws where the whole transaction is lost. */
async function inSavepoint(db: Database, { work, resolve, reject }: Waiting): Promise<() => void> {
  prepared(db, 'SAVEPOINT unit').run()
  try {
    const value = await work()
    prepared(db, 'RELEASE unit').run()
    return () => resolve(value)
  } catch (error) {
    // A full disk may have taken back everything by itself.
    if (!db.open || !db.inTransaction) throw error
    prepared(db, 'ROLLBACK TO unit').run()
    prepared(db, 'RELEASE unit').run()
    return () => reject(error)
  }
}
