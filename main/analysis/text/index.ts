/** From a message to normalized tokens. */
export { isUncoveredLanguage } from './language-coverage.ts'
export { firstSpanFrom, type Span } from './spans.ts'
export { tokenize, type Token, type TokenizedMessage } from './tokenize.ts'
export { createVocabulary, type Vocabulary } from './vocabulary.ts'
