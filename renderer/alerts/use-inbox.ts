/** The inbox’s rows, counts and what is chosen; live. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AlertCounts, AlertFilter, InboxItem } from '../../shared/views.ts'
import { show, trpc, useMe, usePlace } from '../app/index.ts'
import { usePages, useQuery } from '../controls/index.ts'
import { countsKey, listKey } from './inbox-cache.ts'
import { isMoreUrgent } from './urgency.ts'

/** A search is asked this long after the last letter (milliseconds). */
const pause = 150

/** Under what an item of the inbox is chosen. */
export const itemId = (item: InboxItem): string => (item.kind === 'alert' ? item.key : item.session_id)

export function useInbox() {
  const { subject, asked: askedFor = false } = usePlace()
  const me = useMe().person.id
  const [filter, setFilterAlone] = useState<AlertFilter>('open')
  const [search, setSearch] = useState('')
  const asked = useSettled(search.trim(), pause)
  const rows = usePages<InboxItem>(listKey(filter, asked), (offset, limit, signal) =>
    trpc.alerts.page.query({ filter, offset, limit, ...(asked === '' ? {} : { search: asked }) }, { signal }),
  )
  const { total } = rows
  const counts = useQuery<AlertCounts>(countsKey, () => trpc.alerts.counts.query())

  // The most urgent alert is on screen without a key pressed; that alone does not count as seen.
  const [chosen, setDeliberate] = useState(subject !== null)
  // Somebody came for it from elsewhere, by its address or a search: it stays, whatever the list shows.
  const deliberate = chosen || askedFor
  const top = rows.rowAt(0)
  const first = top && itemId(top)
  const found = subject === null ? -1 : rows.findIndex((item) => itemId(item) === subject)
  useEffect(() => {
    if (total === null || (subject !== null && (deliberate || found >= 0))) return
    if (first !== undefined || total === 0) show(first ?? null)
  }, [subject, first, total, deliberate, found])
  const shown = found < 0 ? undefined : rows.rowAt(found)
  const overtaken = !deliberate && top?.kind === 'alert' && shown?.kind === 'alert' && isMoreUrgent(top, shown, me)
  useEffect(() => {
    if (overtaken && first !== undefined) show(first)
  }, [overtaken, first])

  const lastIndex = useRef(0)
  useEffect(() => {
    if (found >= 0) lastIndex.current = found
  }, [found])

  const setFilter = useCallback(
    (next: AlertFilter) => {
      setFilterAlone(next)
      // What is on the watch list is no alert: nothing chosen in one has a place in the other.
      if ((next === 'watch') === (filter === 'watch')) return
      setDeliberate(false)
      show(null)
    },
    [filter],
  )

  const choose = useCallback((item: InboxItem) => {
    setDeliberate(true)
    show(itemId(item))
  }, [])

  /** Position of the row `by` steps from the chosen one, which becomes chosen; −1 when it is not held yet. */
  const move = useCallback(
    (by: 1 | -1): number => {
      if (total === null || total === 0) return -1
      const at = subject === null ? -1 : rows.findIndex((item) => itemId(item) === subject)
      // A chosen alert that left this list: its place is taken by the next one.
      const wanted = at >= 0 ? at + by : by === 1 ? lastIndex.current : lastIndex.current - 1
      const index = Math.min(total - 1, Math.max(0, wanted))
      const row = rows.rowAt(index)
      if (!row) {
        rows.show(index, index)
        return -1
      }
      choose(row)
      return index
    },
    [rows, total, subject, choose],
  )

  return {
    filter, setFilter, search, setSearch, rows, counts: counts.data, selected: subject,
    watched: shown?.kind === 'watched' ? shown : null, deliberate, choose, move,
  } // prettier-ignore
}

/** A value once it has stayed the same for a while. */
function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
