/** The windows of a message that the reader of markers looks at: its sentences, short runs of them, pieces of long ones. */
import type { Span, TokenizedMessage } from '../text/index.ts'

/** Tokens of a window at most. */
const mostTokens = 24
/** Tokens between the beginnings of the windows of a long sentence. */
const stride = 12

/** Windows in the order of their first token; every token is in one to three of them. */
export function windowsOf({ tokens, sentences }: TokenizedMessage): Span[] {
  if (tokens.length === 0) return []
  if (tokens.length <= mostTokens && sentences.length === 1) return [{ from: 0, to: tokens.length - 1 }]
  const windows: Span[] = []
  let previous: Span | null = null
  for (const { from, to } of sentences) {
    if (to < from) continue
    for (let start = from; start <= to; start += stride) {
      const end = Math.min(to, start + mostTokens - 1)
      windows.push({ from: start, to: end })
      if (end === to) break
    }
    // What one sentence says is often only understood with the one before it.
    if (previous && to - previous.from < mostTokens) windows.push({ from: previous.from, to })
    previous = { from, to }
  }
  return windows
}
