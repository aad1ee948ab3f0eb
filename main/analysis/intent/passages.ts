/**
 * Cutting a message into the passages that the readers judge: the whole of a short one, overlapping windows of a long
 * one. Windows count words and not sentences: what is typed without punctuation would dilute the one line that matters.
 */
import type { Span, TokenizedMessage } from '../text/index.ts'

/** A passage of fewer tokens says little by itself. */
export const shortPassage = 7

/** How much a reader has to go by: thresholds and probabilities are calibrated for each by itself. */
export type MessageLength = 'short' | 'medium' | 'long'

/** The length of a message of so many tokens. */
export function lengthOf(tokens: number): MessageLength {
  return tokens < shortPassage ? 'short' : tokens <= unwindowed ? 'medium' : 'long'
}

/** A message of up to this many tokens is read as a whole. */
const wholeMessage = 60
/** A message of more tokens than this is read in windows, too. */
const unwindowed = 40
/** Tokens of a window, and between the beginnings of two. */
const windowTokens = 30
const step = 15

export function passagesOf({ tokens: { length } }: Pick<TokenizedMessage, 'tokens'>): Span[] {
  if (length === 0) return []
  const passages: Span[] = length <= wholeMessage ? [{ from: 0, to: length - 1 }] : []
  if (length <= unwindowed) return passages
  for (let from = 0; from < length - step; from += step)
    // The last window ends with the message, and is as long as the others.
    passages.push({ from: Math.min(from, length - windowTokens), to: Math.min(from + windowTokens, length) - 1 })
  return passages
}
