/** Cutting a message into the passages that the classifier reads: the whole of a short one, overlapping pieces of a long one. */
import type { Span, TokenizedMessage } from '../text/index.ts'

/** A passage of fewer tokens says little by itself. */
export const shortPassage = 7

/** A message of up to this many tokens is one passage. */
const shortMessage = 60
/** Tokens of a piece at least, where the message goes on. */
const leastTokens = 20
const mostTokens = 50
/** Tokens between the beginnings of the pieces of one sentence. */
const stride = 40

export function passagesOf({ tokens, sentences }: TokenizedMessage): Span[] {
  if (tokens.length === 0) return []
  if (tokens.length <= shortMessage) return [{ from: 0, to: tokens.length - 1 }]
  const passages: Span[] = []
  sentences.forEach(({ from, to }, sentence) => {
    if (to < from) return
    let end = to
    for (let next = sentence + 1; next < sentences.length && end - from + 1 < leastTokens; next += 1)
      end = Math.max(end, sentences[next]!.to)
    const last = passages.at(-1)
    // A piece inside the one before it adds nothing, and one that begins with it hardly more.
    if (last && (last.to >= end || from < last.from + leastTokens / 2)) return
    for (let start = from; start <= end; start += stride)
      passages.push({ from: start, to: Math.min(end, start + mostTokens - 1) })
  })
  return passages
}
