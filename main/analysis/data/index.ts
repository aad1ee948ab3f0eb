/** The detection data: their form, and reading them. */
export { clinicalAnswerSchema, type ClinicalAnswer } from './clinical-answer.ts'
export { calibrated, leastProbability, type Platt } from './common.ts'
export type { AnswerKind, ConversationData, QuestionTopic } from './conversation.ts'
export { DetectionFileError, quoteValue } from './errors.ts'
export { intentClasses, intentWeightsFile, type IntentClass, type IntentCalibration, type IntentManifest, type IntentModel, type IntentThresholds } from './intent-model.ts' // prettier-ignore
export {
  neighborBytesOf,
  neighborsFile,
  type KnownSentence,
  type NeighborManifest,
  type NeighborModel,
} from './neighbor-model.ts'
export { markerWeightsFile, type MarkerCalibration, type MarkerManifest, type MarkerModel } from './marker-model.ts'
export { detectionFileNames, readDetectionData, type DetectionData, type DetectionFiles } from './read.ts'
export type { ClinicalPrompt, CueName, OperatingPoint, PatternGroup } from './schema.ts'
