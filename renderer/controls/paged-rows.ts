/**
 * A long list of which only the pages in sight are held. Rows are read by position; `refresh` says
 * that something changed: what is on screen stays there until its newer version has arrived.
 */
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { personalErrorOf } from './personal-error.ts'

export interface RowsPage<Row> {
  total: number
  rows: Row[]
}

interface HeldPage<Row> {
  rows: Row[]
  stale: boolean
}

const pageSize = 100
const heldPages = 20
/** Refreshes closer together than this become one (milliseconds). */
export const coalesce = 100

export class PagedRows<Row> {
  readonly #fetch: (offset: number, limit: number) => Promise<RowsPage<Row>>
  readonly #pages = new Map<number, HeldPage<Row>>()
  readonly #asking = new Set<number>()
  readonly #askAgain = new Set<number>()
  readonly #listeners = new Set<() => void>()
  #first = 0
  #last = 0
  #version = 0
  #refreshedAt = -Infinity
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Number of rows in all; null until the first page arrived. */
  total: number | null = null
  error: PersonalError | null = null

  constructor(fetch: (offset: number, limit: number) => Promise<RowsPage<Row>>) {
    this.#fetch = fetch
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly version = (): number => this.#version

  /** The row at a position, or undefined while its page is on the way. */
  rowAt(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.rows[index % pageSize]
  }

  /** Position of a held row, or −1. */
  findIndex(matches: (row: Row) => boolean): number {
    for (const [page, { rows }] of this.#pages) {
      const at = rows.findIndex(matches)
      if (at >= 0) return page * pageSize + at
    }
    return -1
  }

  /** Says which positions are in sight (inclusive); their pages are fetched. */
  show(first: number, last: number): void {
    this.#first = Math.floor(Math.max(0, first) / pageSize)
    this.#last = Math.floor(Math.max(0, last) / pageSize)
    this.#fill()
  }

  /** Something changed: fetches the pages in sight again, at most once per {@link coalesce}. */
  refresh(): void {
    if (this.#timer) return
    const wait = Math.max(0, this.#refreshedAt + coalesce - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#refreshedAt = performance.now()
      for (const page of this.#pages.values()) page.stale = true
      for (const page of this.#asking) this.#askAgain.add(page)
      this.#fill()
    }, wait)
  }

  #fill(): void {
    for (let page = this.#first; page <= this.#last; page++) {
      const held = this.#pages.get(page)
      if (!this.#asking.has(page) && (!held || held.stale)) void this.#ask(page)
    }
  }

  async #ask(page: number): Promise<void> {
    this.#asking.add(page)
    try {
      const answer = await this.#fetch(page * pageSize, pageSize)
      this.#pages.set(page, { rows: answer.rows, stale: false })
      this.total = answer.total
      this.error = null
    } catch (failure) {
      this.error = personalErrorOf(failure)
      // An empty list and a list that could not be read are told apart by `error`.
      this.total ??= 0
    } finally {
      this.#asking.delete(page)
    }
    this.#forgetFar()
    this.#version++
    this.#listeners.forEach((tell) => tell())
    if (this.#askAgain.delete(page) && page >= this.#first && page <= this.#last) void this.#ask(page)
  }

  #forgetFar(): void {
    if (this.#pages.size <= heldPages) return
    const middle = (this.#first + this.#last) / 2
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
    for (const page of far.slice(0, this.#pages.size - heldPages)) this.#pages.delete(page)
  }
}

/** Rows of one question; a new `key` starts anew. See {@link PagedRows}. */
export function usePagedRows<Row>(
  key: string,
  fetch: (offset: number, limit: number) => Promise<RowsPage<Row>>,
): { rows: PagedRows<Row>; total: number | null; error: PersonalError | null; refresh: () => void } {
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const rows = useMemo(() => new PagedRows(fetch), [key])
  useEffect(() => rows.show(0, 0), [rows])
  useSyncExternalStore(rows.listen, rows.version)
  return { rows, total: rows.total, error: rows.error, refresh: useCallback(() => rows.refresh(), [rows]) }
}
