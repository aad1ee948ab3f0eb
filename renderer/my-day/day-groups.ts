/** My day in its parts. Pure: instants are UTC milliseconds, `now` and the zone (an IANA name) are passed in. */
import { startOfDay } from '../../shared/zone.ts'

export interface DayGroups<Item> {
  overdue: Item[]
  today: Item[]
  /** By the day on which it is due, the next one first; `day`: its first instant. */
  later: { day: number; isTomorrow: boolean; items: Item[] }[]
}

/** What is due, by the days of a zone; within each what is due first comes first. */
export function byDay<Item extends { due_at: number }>(
  items: readonly Item[],
  now: number,
  zone: string,
): DayGroups<Item> {
  const sorted = items.toSorted((a, b) => a.due_at - b.due_at)
  const tomorrow = startOfDay(now, zone, 1)
  const later = Map.groupBy(
    sorted.filter(({ due_at }) => due_at >= tomorrow && due_at > now),
    ({ due_at }) => startOfDay(due_at, zone),
  )
  return {
    overdue: sorted.filter(({ due_at }) => due_at <= now),
    today: sorted.filter(({ due_at }) => due_at > now && due_at < tomorrow),
    later: [...later].map(([day, items]) => ({ day, isTomorrow: day === tomorrow, items })),
  }
}
