/** The engine as this installation runs it. */
export { detectionDataOf, detectionFolder, readDetectionFiles, sha256 } from './files.ts'
export { loadEngine } from './load-engine.ts'
export { openAssessment, type RunningAssessment } from './open.ts'
