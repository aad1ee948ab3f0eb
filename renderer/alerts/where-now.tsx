/** Where the timetable says that a student is at this minute; it asks again when the minute comes that this changes. */
import { useEffect } from 'react'
import type { AlertDetail } from '../../shared/views.ts'
import { clockText, queryClient, useTicking } from '../controls/index.ts'
import { words } from '../words/index.ts'
import { detailKey } from './inbox-cache.ts'
import { whereText } from './where-text.ts'

/** “Now: Biology, room 208 (timetable, period 3, until 10:45)”; null where no timetable says anything, or what it said is over. */
export function useWhereNow({ where_now }: Pick<AlertDetail, 'where_now'>): string | null {
  const { changes_at } = where_now
  const over = useTicking(() => (Date.now() >= changes_at ? 'over' : '')) !== ''
  useEffect(() => {
    if (over) void queryClient.invalidateQueries({ queryKey: detailKey(null).slice(0, 1) })
  }, [over, changes_at])
  return over ? null : whereText(where_now, words.alerts.who.now, clockText)
}
