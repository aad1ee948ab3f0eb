/** The four signals of a message (regex, semantic, clinical, history), its markers and its sentiment. */
export { localClinicalSignal } from './clinical.ts'
export { matchCombinations } from './combinations.ts'
export { createEmbeddingSimilarity, type Embedder, type PhraseSimilarity } from './embedding-similarity.ts'
export { estimate, historySignal, type DatedMarker } from './estimates.ts'
export { matchOtherScripts } from './other-scripts.ts'
export { categoriesOf, idiomMask, longestMatches, matchRiskPhrases, scoreMatch, toPatternMatches, type ScoredMatch } from './pattern-matches.ts' // prettier-ignore
export { referencePhrases } from './reference-phrases.ts'
export {
  leastLikeness,
  likenessSignal,
  sentencesToCompare,
  type ReferencePhrase,
  type SemanticSignal,
} from './semantic-signal.ts'
export { createSentimentLexicon, mean, rapidDrift, trendNotes, type SentimentLexicon } from './sentiment.ts'
