import type { RevealedEvidence, SaidAround, SaidMessage, Whereabouts } from '../../shared/views.ts'

/** A line of what was said around an alert. */
export type SaidLine = { when: 'before' | 'raised' | 'since'; at: number } & (
  { piece: RevealedEvidence } | { message: SaidMessage }
)

/**
 * What was said, in order: the message before, what raised the alert, and what came since. A message that a revealed
 * piece of evidence shows already stands once; one without words is counted elsewhere.
 */
export function saidLines(pieces: readonly RevealedEvidence[], around: SaidAround | null): SaidLine[] {
  const shown = new Set(pieces.map(({ message_id }) => message_id))
  const lines: SaidLine[] = pieces.map((piece) => ({ when: 'raised', at: piece.at, piece }))
  const { before = null, since = [] } = around ?? {}
  if (before && isReadable(before)) lines.push({ when: 'before', at: before.at, message: before })
  for (const message of since)
    if (!shown.has(message.message_id) && isReadable(message))
      lines.push({ when: message.raised ? 'raised' : 'since', at: message.at, message })
  const rank = { before: 0, raised: 1, since: 1 }
  return lines.sort((a, b) => rank[a.when] - rank[b.when] || a.at - b.at)
}

/** Times of messages since the alert whose words are not here: the school does not let transcripts travel. */
export function wordless({ since }: SaidAround): number[] {
  return since.filter((message) => !message.raised && !isReadable(message)).map(({ at }) => at)
}

/** What was said of place or company, as it was said, the newest first. */
export function saidOf(lines: readonly SaidLine[], kind: Whereabouts['kind']): { at: number; quote: string }[] {
  return lines
    .flatMap((line) => {
      const { text, whereabouts } = 'piece' in line ? line.piece : line.message
      if (text === null) return []
      return whereabouts
        .filter((found) => found.kind === kind)
        .map(({ start, end }) => ({ at: line.at, quote: text.slice(start, end) }))
    })
    .sort((a, b) => b.at - a.at)
}

/** Sealed words that do not open are a line of their own: why they do not is said there. */
function isReadable({ text, unopened }: SaidMessage): boolean {
  return text !== null || unopened !== null
}
