/** Reads every local signal of a message, before any decision. */
import type { Assessment, PatternMatch } from '../../shared/assessment.ts'
import type { PatternCategory, SignalName } from '../../shared/risk.ts'
import type { AssessmentInput } from './assessment-input.ts'
import { collectCues, wordClassesOf, type MessageContext } from './context/index.ts'
import type { DetectionData } from './data/index.ts'
import { floorOf, signalReasons, type FloorEvidence } from './decision/index.ts'
import {
  createIntentClassifier,
  createStemmer,
  detectIntents,
  reinterpret,
  type ClassifiedMessage,
  type IntentClassifier,
} from './intent/index.ts'
import { createMatcher, type PhraseMatcher } from './phrases/index.ts'
import {
  categoriesOf,
  createSentimentLexicon,
  createSimilarityIndex,
  findMarkers,
  historySignal,
  idiomMask,
  localClinicalSignal,
  longestMatches,
  matchCombinations,
  matchOtherScripts,
  matchRiskPhrases,
  orExactMatch,
  scoreMatch,
  sentencesToCompare,
  toPatternMatches,
  type SentimentLexicon,
  type SimilarityIndex,
} from './signals/index.ts'
import { isUncoveredLanguage } from './text/index.ts'

export interface SignalReadings {
  /** Probability per signal; null where it could not be read. */
  signals: Record<SignalName, number | null>
  /** The message is in a language that the patterns do not cover. */
  uncovered: boolean
  floor: FloorEvidence
  about_other: boolean
  matches: PatternMatch[]
  categories: PatternCategory[]
  sentiment: number
  markers: Assessment['markers']
  reasons: Assessment['reasons']
  /** Sentences that the context rules did not suppress, for an embedder. */
  sentences: string[]
  /** Affirmed phrases of the patterns, found word for word. */
  exact: { category: PatternCategory; confidence: number }[]
}

/** A message of megabytes may hold any number of matches; nobody reads more than these. */
const mostMatches = 200

interface Parts {
  data: DetectionData
  matcher: PhraseMatcher
  similarity: SimilarityIndex
  sentiment: SentimentLexicon
  classifier: IntentClassifier
}

/** Builds what reads the signals. Throws DetectionFileError where a phrase of the data cannot be parsed. */
export function createSignalReader(data: DetectionData): {
  read: (input: AssessmentInput) => SignalReadings
  tokenize: PhraseMatcher['tokenize']
} {
  const parts: Parts = {
    data,
    matcher: createMatcher(data),
    similarity: createSimilarityIndex(data),
    sentiment: createSentimentLexicon(data.sentiment),
    classifier: createIntentClassifier(data.intentModel, createStemmer(data.lexicon.stemming)),
  }
  return { read: (input) => readSignals(parts, input), tokenize: parts.matcher.tokenize }
}

function readSignals(parts: Parts, input: AssessmentInput): SignalReadings {
  const { data, matcher, similarity } = parts
  const message = matcher.tokenize(input.text)
  const hits = matcher.find(message)
  const isMasked = idiomMask(matcher, hits, message.tokens.length)
  const literalHits = hits.filter((hit) => !isMasked(hit))
  const context: MessageContext = {
    message,
    cues: collectCues(matcher, literalHits),
    humorEmoji: message.emoji.some((sign) => data.sentiment.humor_emoji.has(sign)),
    ...wordClassesOf(data, message),
  }
  const found = longestMatches([
    ...matchRiskPhrases(matcher, context, literalHits),
    ...matchCombinations(data.patterns.combinations, matcher, context, literalHits),
    ...(message.nonLatinLetters > 0 ? matchOtherScripts(data.patterns.other_scripts, input.text, message.tokens) : []),
  ])
  const classified: ClassifiedMessage = {
    context,
    passages: parts.classifier.classify(message),
    calibration: parts.classifier.calibration,
    lethalTerms: data.lexicon.lethal_terms,
    severe: data.consensus.severe,
    idioms: hits.filter((hit) => matcher.roleOf(hit).kind === 'idiom'),
  }
  const interpreted = found.map((match) => reinterpret(match, classified))
  const phraseMatches = interpreted.map((match) => scoreMatch(data.consensus, match))
  const intentMatches = detectIntents(classified, interpreted).map((match) => scoreMatch(data.consensus, match))

  // A sentence whose words mean nothing of the kind must not be compared with the phrases.
  const suppressed = new Set<number>()
  for (const match of interpreted) if (match.meaning !== 'affirmed') suppressed.add(message.tokens[match.from]!.sentence)
  for (const hit of hits) if (isMasked(hit)) suppressed.add(message.tokens[hit.from]!.sentence)

  const exact = phraseMatches
    .filter(({ match }) => match.meaning === 'affirmed')
    .map(({ match, confidence }) => ({ category: match.group.category, confidence }))
  const semantic = orExactMatch(similarity.compare(message, suppressed), exact)
  const markers = findMarkers(data.markers, matcher, context, literalHits)
  const clinical = localClinicalSignal({ phraseMatches, intentMatches, markers })
  const history = historySignal(input.history, input.at)
  const sentiment = parts.sentiment.scoreOf(message)
  const uncovered = isUncoveredLanguage(message, data.lexicon.languages, data.spanish.words)
  const regex = phraseMatches.reduce((highest, { confidence }) => Math.max(highest, confidence), 0)
  const all = [...phraseMatches, ...intentMatches]
  return {
    signals: {
      // What was found counts in any language; not to have found anything says nothing of an uncovered one.
      regex: uncovered && regex === 0 ? null : regex,
      semantic: semantic.value,
      clinical: clinical.score,
      history: history.value,
    },
    uncovered,
    floor: floorOf({ phraseMatches, intentMatches }, input, sentiment, data.consensus.severe),
    about_other: all.some(({ match }) => match.meaning === 'about someone else'),
    matches: [
      ...toPatternMatches(intentMatches, context, 'clinical'),
      ...toPatternMatches(phraseMatches, context, 'regex'),
    ].slice(0, mostMatches),
    categories: categoriesOf(all),
    sentiment,
    markers,
    reasons: signalReasons({ phraseMatches, semantic, clinical, history, uncovered }),
    sentences: sentencesToCompare(input.text, message, suppressed),
    exact,
  }
} // prettier-ignore
