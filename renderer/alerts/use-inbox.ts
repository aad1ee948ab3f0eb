/** The inbox’s rows, counts and what is chosen; live. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AlertCounts, AlertFilter, InboxItem } from '../../shared/views.ts'
import { show, trpc, useMe, usePlace } from '../app/index.ts'
import { handsRestAfter } from '../../shared/thresholds.ts'
import { isDialogOpen, useHandsAtRest, usePages, useQuery } from '../controls/index.ts'
import { countsKey, listKey } from './inbox-cache.ts'
import { isMoreUrgent } from './urgency.ts'

/** A search is asked this long after the last letter (milliseconds). */
const pause = 150

/** Under what an item of the inbox is chosen. */
export const itemId = (item: InboxItem): string => (item.kind === 'alert' ? item.key : item.session_id)

export function useInbox() {
  const { subject } = usePlace()
  const me = useMe().person.id
  const [filter, setFilterAlone] = useState<AlertFilter>('open')
  const [search, setSearch] = useState('')
  const asked = useSettled(search.trim(), pause)
  const rows = usePages<InboxItem>(listKey(filter, asked), (offset, limit, signal) =>
    trpc.alerts.page.query({ filter, offset, limit, ...(asked === '' ? {} : { search: asked }) }, { signal }),
  )
  const { total } = rows
  const counts = useQuery<AlertCounts>(countsKey, () => trpc.alerts.counts.query())

  // The most urgent alert is on screen without a key pressed; that alone does not choose it.
  const [offered, setOffered] = useState<string | null>(null)
  const selected = subject ?? offered
  const chosen = subject !== null
  const top = rows.rowAt(0)
  const first = (top && itemId(top)) ?? null
  const found = selected === null ? -1 : rows.findIndex((item) => itemId(item) === selected)
  const shown = found < 0 ? undefined : rows.rowAt(found)
  const isOvertaken = top?.kind === 'alert' && shown?.kind === 'alert' && isMoreUrgent(top, shown, me)
  const atRest = useHandsAtRest(handsRestAfter)
  useEffect(() => {
    if (chosen || total === null || (first === null && total > 0)) return
    if (offered === null) setOffered(first)
    else if ((found < 0 || isOvertaken) && atRest && !isAtWork()) setOffered(first)
  }, [chosen, total, first, offered, found, isOvertaken, atRest])

  const lastIndex = useRef(0)
  useEffect(() => {
    if (found >= 0) lastIndex.current = found
  }, [found])

  const setFilter = useCallback(
    (next: AlertFilter) => {
      setFilterAlone(next)
      // What is on the watch list is no alert: nothing chosen in one has a place in the other.
      if ((next === 'watch') === (filter === 'watch')) return
      setOffered(null)
      show(null)
    },
    [filter],
  )

  /** What was chosen in this list; anything else was opened from elsewhere. */
  const chosenHere = useRef<string | null>(null)
  const chooseId = useCallback((id: string) => {
    chosenHere.current = id
    show(id)
  }, [])
  const choose = useCallback((item: InboxItem) => chooseId(itemId(item)), [chooseId])
  /** What the program shows by itself is what the person wants. */
  const chooseShown = useCallback(() => {
    if (offered !== null && !chosen) chooseId(offered)
  }, [offered, chosen, chooseId])

  /** Position of the row `by` steps from the chosen one, which becomes chosen; −1 when it is not held yet. */
  const move = useCallback(
    (by: 1 | -1): number => {
      if (total === null || total === 0) return -1
      const at = selected === null ? -1 : rows.findIndex((item) => itemId(item) === selected)
      // The first step chooses what is on screen already.
      const step = chosen ? by : 0
      // A chosen alert that left this list: its place is taken by the next one.
      const wanted = at >= 0 ? at + step : by === 1 ? lastIndex.current : lastIndex.current - 1
      const index = Math.min(total - 1, Math.max(0, wanted))
      const row = rows.rowAt(index)
      if (!row) {
        rows.show(index, index)
        return -1
      }
      choose(row)
      return index
    },
    [rows, total, selected, chosen, choose],
  )

  return {
    filter, setFilter, search, setSearch, rows, counts: counts.data, selected, chosen,
    watched: shown?.kind === 'watched' ? shown : null, choose, chooseShown, chosenHere, move,
  } // prettier-ignore
}

/** A dialog is open, or somebody stands in a field. */
function isAtWork(): boolean {
  return isDialogOpen() || document.activeElement?.matches('input, textarea, select, [contenteditable]') === true
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
