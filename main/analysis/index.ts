/** The risk engine: pure functions over a message and a student's history. No I/O, no clock of its own. */
export { recentMessages, rollingWindow, type AssessmentInput, type ConversationMessage } from './assessment-input.ts'
export {
  calibrated,
  clinicalAnswerSchema,
  detectionFileNames,
  DetectionFileError,
  intentClasses,
  intentWeightsFile,
  leastProbability,
  neighborBytesOf,
  neighborsFile,
  markerWeightsFile,
  readDetectionData,
  type ClinicalAnswer,
  type ClinicalPrompt,
  type DetectionData,
  type DetectionFiles,
  type IntentCalibration,
  type IntentClass,
  type IntentManifest,
  type IntentThresholds,
  type KnownSentence,
  type NeighborManifest,
  type Platt,
  type MarkerCalibration,
  type MarkerManifest,
} from './data/index.ts'
export { createEngine, protocolReplyIn, type Engine } from './engine.ts'
export {
  createFeatureExtractor,
  dangerToLife,
  leastTokens,
  lengthOf,
  logOdds,
  type MessageLength,
} from './intent/index.ts'
export { createNeighborIndex, createTextReader } from './neighbors/index.ts'
export { createMarkerExtractor } from './markers/index.ts'
export { readAnswer, type AssessmentPorts, type ClinicalService, type RiskAdapter } from './service-ports.ts'
export { createEmbeddingSimilarity, estimate, leastLikeness, type DatedMarker, type Embedder } from './signals/index.ts'
export type { SummaryInput } from './summary.ts'
export type { AnswerLanguage } from './text/index.ts'
export { createWhereaboutsFinder } from './whereabouts.ts'
