import type { AlertAction } from '../../../../shared/actions.ts'
import type { Trigger } from '../../../../shared/alerts.ts'
import { createReduction, type Reduction } from '../../../../shared/reduction.ts'
import type { PatternCategory } from '../../../../shared/risk.ts'
import type { Database } from '../../open.ts'
import type { StoredAlerts } from './alert-rows.ts'

/** The reduction of one session, and what of it stands in the tables: null until that has been read. */
export interface KeptReduction {
  reduction: Reduction
  stored: StoredAlerts | null
}

export interface KeptReductions {
  /** The reduction of a session, from memory or else from its triggers and actions. */
  of(sessionId: string): KeptReduction
  /** Whether a session's is in memory, and needs to be told what is added. */
  has(sessionId: string): boolean
  /** This transaction changes what is kept: if it is taken back, or has been, all is read anew. */
  changing(): void
  /** Whether what is kept, and what was noted beside it since `changing`, is still true. */
  stillTrue(): boolean
  /** Makes room: those not asked for the longest go first. */
  tidy(): void
  clear(): void
}

/** Triggers and actions kept in memory at most, of all sessions together (some 20 MB), and sessions. */
const mostSteps = 20_000
const mostSessions = 500

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
  const triggersOf = db.prepare(
    `SELECT id, idempotency_key, session_id, student_hash, school_id, at, received_at, tier, score, categories,
       about_other, message_id, occurred_at FROM triggers WHERE session_id = ?`,
  )
  const actionsOf = db.prepare('SELECT action FROM actions WHERE session_id = ?').pluck()
  const kept = new Map<string, KeptReduction>()
  let expected = ''

  /** Our own writes by the mark, another connection's by the version that SQLite counts. */
  const state = (): string => `${readMark.get()} ${db.pragma('data_version', { simple: true })}`
  const stillTrue = (): boolean => {
    const now = state()
    if (now === expected) return true
    kept.clear()
    expected = now
    return false
  }
  const read = (sessionId: string): KeptReduction => {
    const triggers = (triggersOf.all(sessionId) as TriggerRow[]).map((row) => ({
      ...row,
      school_id: row.school_id || null,
      categories: JSON.parse(row.categories) as PatternCategory[],
      about_other: row.about_other === 1,
    }))
    const actions = (actionsOf.all(sessionId) as string[]).map((text) => JSON.parse(text) as AlertAction)
    const reduction = createReduction()
    reduction.add(triggers, actions)
    return { reduction, stored: null }
  }

  return {
    of(sessionId) {
      stillTrue()
      const found = kept.get(sessionId) ?? read(sessionId)
      kept.delete(sessionId)
      kept.set(sessionId, found)
      return found
    },
    has: (sessionId) => kept.has(sessionId),
    changing() {
      writeMark.run(nextMark())
      expected = state()
    },
    stillTrue,
    tidy() {
      let steps = 0
      for (const [index, [sessionId, { reduction }]] of [...kept].reverse().entries()) {
        steps += reduction.size()
        // The newest stays, however long it is: it is the one that goes on.
        if (index > 0 && (steps > mostSteps || index >= mostSessions)) kept.delete(sessionId)
      }
    },
    clear: () => kept.clear(),
  }
}

let marks = 0
/** Never the same twice, so that a mark that went back is told from one that was written anew. */
const nextMark = (): number => ++marks

type TriggerRow = Omit<Trigger, 'categories' | 'about_other' | 'school_id'> & {
  school_id: string
  categories: string
  about_other: number
}
