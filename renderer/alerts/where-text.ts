import type { WhereNow } from '../../shared/timetable.ts'
import type { words } from '../words/index.ts'

/** What is said of where a student is; null where nothing is known of this minute. */
export function whereText(
  where: WhereNow,
  text: typeof words.alerts.who.now,
  clock: (at: number) => string,
): string | null {
  switch (where.kind) {
    case 'lesson':
      return text.lesson(
        [where.subject, where.room].filter((part) => part !== ''),
        where.period,
        clock(where.until),
      )
    case 'closed':
      return text.closed(where.name)
    case 'no lesson':
      return text['no lesson']
    case 'unknown':
      return null
  }
}
