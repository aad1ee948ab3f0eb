import { riskTiers, type RiskTier } from '../../../../shared/risk.ts'
import type { StudentLabel } from '../../../../shared/views.ts'

/**
 * The condition by which a table's rows are this reader's: those of the school, and those whose school nobody
 * knows. A console that serves no school yet ('') reads every school's; the roster tells it no name.
 */
export const ofSchool = (table: string, school: string) =>
  school === '' ? 'TRUE' : `${table}.school_id IN (@school, '')`

/** Columns of a LEFT JOIN with the roster, for `labelOf`. */
export const labelColumns = `roster.name AS name, roster.grade AS grade, roster.class AS class, @school = '' AS of_any_school`
export const joinRoster = (table: string) =>
  `LEFT JOIN roster ON roster.student_hash = ${table}.student_hash AND roster.school_id = nullif(@school, '')`

export interface LabelRow {
  school_id: string
  student_hash: string
  name: string | null
  grade: string | null
  class: string | null
  /** 1 where the reader's console serves no school yet. */
  of_any_school: number
}

/** How a student is named: the roster's name where it is known, and always the pseudonym. */
export function labelOf(row: LabelRow): StudentLabel {
  return {
    school_id: row.school_id,
    student_hash: row.student_hash,
    pseudonym: row.student_hash.slice(0, 4).toUpperCase(),
    name: row.name,
    grade: row.grade || null,
    class: row.class || null,
    ...(row.of_any_school === 1 && { school: row.school_id }),
  }
}

export function tierAt(rank: number): RiskTier {
  return riskTiers[rank] ?? 'ok'
}

/** Text for LIKE, with its wildcards taken literally. */
export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
