/** From a message to normalized tokens. */
export { answerLanguage, holdsSpanish, isUncoveredLanguage, type AnswerLanguage } from './languages.ts'
export { firstSpanFrom, type Span } from './spans.ts'
export { tokenize, type Token, type TokenizedMessage } from './tokenize.ts'
export { createVocabulary, type Vocabulary } from './vocabulary.ts'
