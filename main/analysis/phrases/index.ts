/** The notation of phrases, and finding them in a message. */
export type { PhraseHit } from './automaton.ts'
export { createMatcher, createPhraseFinder, type PhraseFinder, type PhraseMatcher } from './matcher.ts'
export { parsePhrase, sampleWords } from './notation.ts'
