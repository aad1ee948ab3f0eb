/** A run of tokens, first and last index inclusive. */
export interface Span {
  from: number
  to: number
}

/** Index of the first span that begins at or after a token; the spans are in order of their first token. */
export function firstSpanFrom(spans: readonly Span[], token: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.from < token) low = middle + 1
    else high = middle
  }
  return low
}
