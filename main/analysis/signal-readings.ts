/** Reads every local signal of a message, before any decision. */
import type { Assessment, PatternMatch } from '../../shared/assessment.ts'
import { worseTier, type PatternCategory, type RiskTier, type SignalName } from '../../shared/risk.ts'
import type { AssessmentInput } from './assessment-input.ts'
import { collectCues, wordClassesOf, type MessageContext } from './context/index.ts'
import type { DetectionData, IntentCalibration } from './data/index.ts'
import { floorOf, signalReasons, withOperatingPoint, type FloorEvidence } from './decision/index.ts'
import {
  createIntentClassifier,
  createStemmer,
  detectIntents,
  readerProbability,
  reinterpret,
  type ClassifiedMessage,
  type IntentClassifier,
} from './intent/index.ts'
import { createNeighborIndex, type NeighborIndex } from './neighbors/index.ts'
import { createConversationReader, type ConversationReader } from './conversation/index.ts'
import { createMarkerReader, findMarkers, type MarkerReader } from './markers/index.ts'
import { createMatcher, type PhraseMatcher } from './phrases/index.ts'
import {
  categoriesOf,
  createSentimentLexicon,
  historySignal,
  idiomMask,
  localClinicalSignal,
  likenessSignal,
  longestMatches,
  matchCombinations,
  matchOtherScripts,
  matchRiskPhrases,
  scoreMatch,
  sentencesToCompare,
  toPatternMatches,
  type SentimentLexicon,
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
}

/** A message of megabytes may hold any number of matches; nobody reads more than these. */
const mostMatches = 200

interface Parts {
  data: DetectionData
  matcher: PhraseMatcher
  neighbors: NeighborIndex
  sentiment: SentimentLexicon
  classifier: IntentClassifier
  conversation: ConversationReader
  markerReader: MarkerReader
}

/** Builds what reads the signals. Throws DetectionFileError where a phrase of the data cannot be parsed. */
export function createSignalReader(data: DetectionData): {
  read: (input: AssessmentInput, calibration: IntentCalibration) => SignalReadings
  tokenize: PhraseMatcher['tokenize']
} {
  const parts: Parts = {
    data,
    matcher: createMatcher(data),
    neighbors: createNeighborIndex(data.neighbors, data),
    sentiment: createSentimentLexicon(data.sentiment),
    classifier: createIntentClassifier(data.intentModel, createStemmer(data.lexicon.stemming)),
    conversation: createConversationReader(data),
    markerReader: createMarkerReader(data.markerModel, createStemmer(data.lexicon.stemming)),
  }
  return { read: (input, calibration) => readSignals(parts, input, calibration), tokenize: parts.matcher.tokenize }
}

function readSignals(parts: Parts, input: AssessmentInput, calibration: IntentCalibration): SignalReadings {
  const { data, matcher, neighbors } = parts
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
    calibration,
    lethalTerms: data.lexicon.lethal_terms,
    severe: data.consensus.severe,
    idioms: hits.filter((hit) => matcher.roleOf(hit).kind === 'idiom'),
  }
  const interpreted = found.map((match) => reinterpret(match, classified))
  const phraseMatches = interpreted.map((match) => scoreMatch(data.consensus, match))
  const foundAlone = detectIntents(classified, interpreted).map((match) => scoreMatch(data.consensus, match))
  const conversation = parts.conversation.read(input, phraseMatches.length + foundAlone.length > 0, {
    tierOf: (text) => tierAlone(parts, text, calibration),
    surelyOf: (text) => tierAlone(parts, text, withOperatingPoint(calibration, data.consensus.operating_points.fewer_alarms.shift)),
  })
  const intentMatches = [...foundAlone, ...conversation.scored]

  // A sentence whose words mean nothing of the kind must not be compared with the phrases.
  const suppressed = new Set<number>()
  for (const match of interpreted) if (match.meaning !== 'affirmed') suppressed.add(message.tokens[match.from]!.sentence)
  for (const hit of hits) if (isMasked(hit)) suppressed.add(message.tokens[hit.from]!.sentence)

  const semantic = likenessSignal(neighbors.marginOf(message, suppressed), data.neighbors.calibration)
  const markers = findMarkers(parts, context, literalHits)
  const probability = Math.max(
    readerProbability(classified.passages, message.tokens.length, classified.calibration),
    // What was answered to a question is heard in the question's light, where the words alone say nothing.
    ...conversation.scored.map(({ confidence }) => confidence),
  )
  const clinical = localClinicalSignal({ probability, intentMatches, markers })
  const history = historySignal(input.history, input.at)
  const sentiment = parts.sentiment.scoreOf(message)
  const uncovered = isUncoveredLanguage(message, data.lexicon.languages, data.spanish.words)
  // The rules alone: what the classifier made of their matches is a signal of its own.
  const regex = found.reduce((highest, match) => Math.max(highest, scoreMatch(data.consensus, match).confidence), 0)
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
    floor: floorOf({ phraseMatches, intentMatches: foundAlone, answers: conversation.scored }, input, sentiment, data.consensus.severe),
    about_other: all.some(({ match }) => match.meaning === 'about someone else'),
    matches: [
      ...conversation.matches,
      ...toPatternMatches(foundAlone, context, 'clinical'),
      ...toPatternMatches(phraseMatches, context, 'regex'),
    ].slice(0, mostMatches),
    categories: categoriesOf(all),
    sentiment,
    markers,
    reasons: signalReasons({ phraseMatches, semantic, clinical: conversation.reason ? { ...clinical, reasoning: conversation.reason } : clinical, history, uncovered }),
    sentences: sentencesToCompare(input.text, message, suppressed),
  }
} // prettier-ignore

/** The tier that a text demands alone, outside any conversation. */
function tierAlone(parts: Parts, text: string, calibration: IntentCalibration): RiskTier {
  const { floor } = readSignals(parts, { text, at: 0, recent: [], history: [], previous: [] }, calibration)
  return worseTier(floor.floor, floor.concern)
}
