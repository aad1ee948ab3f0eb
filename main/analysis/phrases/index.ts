/** The notation of phrases, and finding them in a message. */
export type { PhraseHit } from './automaton.ts'
export { createMatcher, type PhraseMatcher } from './matcher.ts'
export { parsePhrase, sampleWords } from './notation.ts'
