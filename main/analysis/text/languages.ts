/** The languages of a message: whether it holds Spanish, which it is answered in, and whether the patterns cover it. */
import { leetForms, type TokenizedMessage } from './tokenize.ts'

/** Words by which Spanish is recognized. */
export interface SpanishWords {
  /** Words of no other language met here: one is enough. */
  certain: ReadonlySet<string>
  /** Words met elsewhere, too: three different ones are enough. */
  common: ReadonlySet<string>
  /** Words of both languages, which speak for neither. */
  shared: ReadonlySet<string>
}

/** Function words by which other languages are recognized. */
export interface LanguageWords {
  english: ReadonlySet<string>
  /** Words of languages that are not covered; some of them are words of covered ones, too. */
  other: ReadonlySet<string>
  /** Words that no covered language has: where no word of one stands beside them, one is enough. */
  distinctive: ReadonlySet<string>
}

const leastCommon = 3

/** Whether a message holds Spanish, alone or beside English. */
export function holdsSpanish(
  { tokens }: TokenizedMessage,
  { certain, common }: Pick<SpanishWords, 'certain' | 'common'>,
): boolean {
  const found = new Set<string>()
  for (const { forms } of tokens) {
    for (const form of leetForms(forms.at(-1)!)) {
      if (certain.has(form)) return true
      if (common.has(form)) found.add(form)
    }
  }
  return found.size >= leastCommon
}

/** English words beside Spanish from which a message is one of both languages. */
const leastEnglish = 2

/** What a message is answered in; `both` for one of English and Spanish. Any other language is answered in English. */
export type AnswerLanguage = 'english' | 'spanish' | 'both'

export function answerLanguage(
  { tokens, bilingual }: TokenizedMessage,
  { english }: LanguageWords,
  { certain, common, shared }: SpanishWords,
): AnswerLanguage {
  if (!bilingual) return 'english'
  const found = new Set<string>()
  for (const { forms: [form] } of tokens)
    if (english.has(form!) && ![certain, common, shared].some((words) => words.has(form!))) found.add(form!)
  return found.size >= leastEnglish ? 'both' : 'spanish'
} // prettier-ignore

/** Share of letters of other scripts above which a message counts as not covered. */
const nonLatinShare = 0.3
const leastLetters = 2
const leastTokens = 3

/** Whether a message, or most of it, is in a language that the patterns do not cover. */
export function isUncoveredLanguage(
  { tokens, letters, nonLatinLetters }: TokenizedMessage,
  { english, other, distinctive }: LanguageWords,
  { certain, common }: SpanishWords,
): boolean {
  if (letters >= leastLetters && nonLatinLetters / letters > nonLatinShare) return true
  if (tokens.length < 2) return false
  let covered = 0
  let shared = 0
  const otherWords = new Set<string>()
  let isCertain = false
  for (const { forms } of tokens) {
    const form = forms.at(-1)!
    const isOther = distinctive.has(form) || other.has(form)
    if (isOther) otherWords.add(form)
    else if (english.has(form) || certain.has(form)) covered += 1
    else if (common.has(form)) shared += 1
    isCertain ||= distinctive.has(form)
  }
  if (isCertain && covered + shared === 0) return true
  // Words that Spanish shares with its neighbors speak for it only a little.
  return tokens.length >= leastTokens && otherWords.size >= 2 && otherWords.size > (covered + shared / 4) * 1.5
}
