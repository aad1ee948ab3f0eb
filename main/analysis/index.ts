/** The risk engine: pure functions over a message and a student's history. No I/O, no clock of its own. */
export { createEngine, type AssessmentInput, type Engine } from './engine.ts'
export { detectionFiles, DetectionFileError, readDetection, type ClinicalPrompt, type Detection } from './detection.ts'
export { createNearness, type Nearness, type Phrase } from './nearness.ts'
export type { DatedMarker, Trend } from './estimates.ts'
export type { SummaryInput } from './summary.ts'
export { clinicalAnswerSchema, readAnswer } from './ports.ts'
export type {
  AdapterAnswer, AssessmentPorts, ClinicalAnswer, ClinicalService, Embedder, HeardMessage, RiskAdapter, Timer,
} from './ports.ts' // prettier-ignore
