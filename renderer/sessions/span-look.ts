/** How a flagged phrase looks: what counts is underlined in the message's tier, what was set aside is dotted. */
import type { FlaggedSpan } from '../../shared/events.ts'

/** Meanings under which the context rules set a phrase aside. */
const setAside: ReadonlySet<string> = new Set(['negated', 'past', 'hypothetical', 'quoted', 'hyperbole'])

/** Whether a phrase counts. A meaning this program does not know counts: nothing is hidden by a new word. */
export function spanCounts(span: FlaggedSpan): boolean {
  return span.meaning === undefined || !setAside.has(span.meaning)
}

/** Overlapping phrases of one category and meaning as one phrase, in order of their beginning. */
export function joinedSpans(spans: readonly FlaggedSpan[]): FlaggedSpan[] {
  const joined: FlaggedSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const near = joined.findLast(
      (other) => other.category === span.category && other.meaning === span.meaning && span.start <= other.end,
    )
    if (near) near.end = Math.max(near.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}
