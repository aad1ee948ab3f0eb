import type { LoggedEvent } from '../../../../shared/events.ts'

/** One event as it stands in the log. */
export interface Logged {
  seq: number
  identity: string
  origin: 'queue' | 'console'
  received_at: number
  /** Settled at commit; '' = unknown. */
  school_id: string
  event: LoggedEvent
  /** It was applied before, and is now because its school became known. */
  again?: true
}

/** What a commit changed, for those who watch. */
export interface Touched {
  /**
   * `opened`: also where something said now joins an alert of a told past alone, which nobody was told of.
   * `worse`: still open, and now of a higher tier than it was. Each of the three is news.
   */
  /** `told`: id of the person it was handed to, or who gave it and has it back; null = nobody. */
  alerts: { key: string; opened: boolean; reopened: boolean; worse: boolean; told: string | null }[]
  /**
   * Alerts that are no longer where they stood: merged into an earlier one, or of another school by now.
   * `school_id`: the school they were of, '' = unknown.
   */
  gone: { key: string; school_id: string }[]
  /** Keys of alerts of which somebody was told, or was tried to be, or of whose ladder more is known. */
  notified: string[]
  /** Ids of people whom the ladder calls at the consoles where they sit. */
  called: string[]
  /** By `keyOf(school, session)`. */
  sessions: string[]
  /** By `keyOf(school, student hash)`. */
  students: string[]
}

/** What a session or a student is known by: the same id in two schools is two of them. */
export function keyOf(schoolId: string, id: string): string {
  return JSON.stringify([schoolId, id])
}

/** What `keyOf` put together. A school's id holds no line break. */
export function partsOfKey(key: string): { school_id: string; id: string } {
  const [school_id, id] = JSON.parse(key) as [string, string]
  return { school_id, id }
}

/** A projection reads events one at a time and keeps its tables in step. */
export interface Projection {
  tables: readonly string[]
  apply(logged: Logged): void
  /** Forgets its rows of the unknown school ('') for these sessions and students. */
  forget(of: { sessions: readonly string[]; students: readonly string[] }): void
}
