/** Cuts a message where flagged phrases and markers begin and end, so that overlapping ones all show. */

/** A stretch of a message, UTF-16 offsets, end exclusive. */
export interface Span {
  start: number
  end: number
}

export interface Segment<S extends Span> {
  start: number
  end: number
  text: string
  /** Every span that covers the whole of this piece, in the order given. */
  spans: S[]
}

/**
 * Pieces of `text` in order; joined they are the text again, and within one piece the covering spans
 * never change. Spans outside the text are cut to it; empty and reversed ones are left out. A boundary
 * inside a surrogate pair moves out, so that no half character is ever drawn.
 */
export function segments<S extends Span>(text: string, spans: readonly S[]): Segment<S>[] {
  const clean = spans
    .map((span) => ({
      span,
      start: whole(text, clamp(span.start, text), 'down'),
      end: whole(text, clamp(span.end, text), 'up'),
    }))
    .filter(({ span, start, end }) => span.start < span.end && start < end)
  const cuts = [...new Set([0, text.length, ...clean.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b)
  const pieces: Segment<S>[] = []
  for (const [index, start] of cuts.entries()) {
    const end = cuts[index + 1]
    if (end === undefined) break
    const covering = clean.filter((other) => other.start <= start && other.end >= end).map(({ span }) => span)
    pieces.push({ start, end, text: text.slice(start, end), spans: covering })
  }
  return pieces
}

/** The words of a span, or null when it lies outside the text. */
export function spanText(text: string, span: Span): string | null {
  const start = whole(text, clamp(span.start, text), 'down')
  const end = whole(text, clamp(span.end, text), 'up')
  return start < end ? text.slice(start, end) : null
}

function clamp(offset: number, text: string): number {
  return Math.min(Math.max(Math.trunc(offset) || 0, 0), text.length)
}

function whole(text: string, offset: number, direction: 'down' | 'up'): number {
  const low = text.charCodeAt(offset)
  const high = text.charCodeAt(offset - 1)
  const splits = low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff
  return splits ? offset + (direction === 'up' ? 1 : -1) : offset
}
