/** How much text is assessed at once, and how a longer one is cut. */

/** Characters (UTF-16) of one assessment, and so of the longest message that is accepted. */
export const longestMessage = 16_000
/** How far neighbouring windows overlap, so that no phrase is cut in two. */
export const windowOverlap = 500

/** Cuts text into overlapping windows of at most `longestMessage`; short text is its own only window. */
export function windowsOf(text: string): string[] {
  const windows: string[] = []
  const step = longestMessage - windowOverlap
  for (let start = 0; start === 0 || start + windowOverlap < text.length; start += step)
    windows.push(text.slice(start, start + longestMessage))
  return windows
}

/** A text, or of one that is longer than two windows its first and its last: what is bounded to assess. */
export function endsOf(text: string): string {
  if (text.length <= 2 * longestMessage) return text
  return `${text.slice(0, longestMessage)}\n${text.slice(-longestMessage)}`
}
