import type { AlertAction } from '../../../../shared/actions.ts'
import type { Trigger } from '../../../../shared/alerts.ts'
import { createReduction, type Reduction } from '../../../../shared/reduction.ts'
import type { PatternCategory } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import type { OfSession, StoredAlerts } from './alert-rows.ts'
import { keyOf } from './projection.ts'

/** The reduction of one session, and what of it stands in the tables: null until that has been read. */
interface KeptReduction {
  reduction: Reduction
  stored: StoredAlerts | null
}

export interface KeptReductions {
  /** The reduction of a session, from memory or else from its triggers and actions. */
  of(of: OfSession): KeptReduction
  /** Whether a session's is in memory, and needs to be told what is added. */
  has(of: OfSession): boolean
  /** Forgets one session, whose triggers and actions were taken away. */
  drop(of: OfSession): void
  /** This transaction changes what is kept: if it is taken back, or has been, all is read anew. */
  changing(): void
  /** Makes room: those not asked for the longest go first. */
  tidy(): void
  clear(): void
}

/** Triggers and actions kept in memory at most, of all sessions together (some 20 MB), and sessions. */
const mostSteps = 20_000
const mostSessions = 100

/**
 * Reductions of the sessions in which something happens, so that the two-thousandth trigger costs no
 * more than the second. Memory knows nothing of transactions: so a mark is written into a table that
 * lives in memory too, and goes back with the transaction that wrote it.
 */
export function keepReductions(db: Database): KeptReductions {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS kept_reductions (mark INTEGER)')
  db.exec('INSERT INTO temp.kept_reductions SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM temp.kept_reductions)')
  const readMark = db.prepare('SELECT mark FROM temp.kept_reductions').pluck()
  const writeMark = db.prepare('UPDATE temp.kept_reductions SET mark = ?')
  const read = sessionReader(db)
  const kept = new Map<string, KeptReduction>()
  let expected = ''

  /** Our own writes by the mark, another connection's by the version that SQLite counts. */
  const state = (): string => `${readMark.get()} ${db.pragma('data_version', { simple: true })}`
  /** Forgets what is kept where it is no longer true. */
  const look = (): void => {
    const now = state()
    if (now === expected) return
    kept.clear()
    expected = now
  }
  return {
    of(of) {
      look()
      const key = nameOf(of)
      const found = kept.get(key) ?? { reduction: read(of), stored: null }
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    has: (of) => kept.has(nameOf(of)),
    drop: (of) => void kept.delete(nameOf(of)),
    changing() {
      look()
      writeMark.run(nextMark())
      expected = state()
    },
    tidy() {
      let steps = 0
      for (const [index, [key, { reduction }]] of [...kept].reverse().entries()) {
        steps += reduction.size()
        // The newest stays, however long it is: it is the one that goes on.
        if (index > 0 && (steps > mostSteps || index >= mostSessions)) kept.delete(key)
      }
    },
    clear: () => kept.clear(),
  }
}

const ofSession = 'WHERE school_id = @school_id AND session_id = @session_id'
const nameOf = ({ school_id, session_id }: OfSession): string => keyOf(school_id, session_id)

let marks = 0
/** Never the same twice, so that a mark that went back is told from one that was written anew. */
const nextMark = (): number => ++marks

/** Reduces a session from its stored triggers and actions. */
export function sessionReader(db: Database): (of: OfSession) => Reduction {
  const triggersOf = db.prepare(
    `SELECT id, idempotency_key, session_id, student_hash, school_id, at, received_at, tier, score, categories,
       about_other, message_id, occurred_at FROM triggers ${ofSession}`,
  )
  const actionsOf = db.prepare(`SELECT action FROM actions ${ofSession}`).pluck()
  return (of) => {
    const triggers = (triggersOf.all(of) as TriggerRow[]).map((row) => ({
      ...row,
      school_id: row.school_id || null,
      categories: JSON.parse(row.categories) as PatternCategory[],
      about_other: row.about_other === 1,
    }))
    const actions = (actionsOf.all(of) as string[]).map((text) => JSON.parse(text) as AlertAction)
    const reduction = createReduction()
    reduction.add(triggers, actions)
    return reduction
  }
}

type TriggerRow = Omit<Trigger, 'categories' | 'about_other' | 'school_id'> & {
  school_id: string
  categories: string
  about_other: number
}
