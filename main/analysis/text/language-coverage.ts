/** Whether a message is in a language that the patterns do not cover. */
import type { TokenizedMessage } from './tokenize.ts'

/** Function words by which a language is recognized. */
export interface LanguageWords {
  english: ReadonlySet<string>
  /** Words of other languages; some of them are English words too. */
  other: ReadonlySet<string>
  /** Words that no English sentence holds: where no English word stands beside them, one is enough. */
  distinctive: ReadonlySet<string>
}

/** Share of letters of other scripts above which a message counts as not covered. */
const nonLatinShare = 0.3
const leastLetters = 2
const leastTokens = 3

export function isUncoveredLanguage(
  { tokens, letters, nonLatinLetters }: TokenizedMessage,
  { english, other, distinctive }: LanguageWords,
): boolean {
  if (letters >= leastLetters && nonLatinLetters / letters > nonLatinShare) return true
  if (tokens.length < 2) return false
  let englishCount = 0
  const otherWords = new Set<string>()
  let certain = false
  for (const { forms } of tokens) {
    const form = forms.at(-1)!
    if (english.has(form)) englishCount += 1
    else if (distinctive.has(form) || other.has(form)) otherWords.add(form)
    certain ||= distinctive.has(form)
  }
  if (certain && englishCount === 0) return true
  return tokens.length >= leastTokens && otherWords.size >= 2 && otherWords.size > englishCount * 1.5
}
