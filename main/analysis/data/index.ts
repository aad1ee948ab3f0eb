/** The detection data: their form, and reading them. */
export { clinicalAnswerSchema, type ClinicalAnswer } from './clinical-answer.ts'
export { DetectionFileError, quoteValue } from './errors.ts'
export { intentClasses, intentWeightsFile, type IntentClass, type IntentCalibration, type IntentManifest, type IntentModel, type IntentThresholds } from './intent-model.ts' // prettier-ignore
export { detectionFileNames, readDetectionData, type DetectionData, type DetectionFiles } from './read.ts'
export type { ClinicalPrompt, CueName, OperatingPoint, PatternGroup } from './schema.ts'
