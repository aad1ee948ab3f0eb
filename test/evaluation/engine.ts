import { createEngine, type AssessmentInput, type Engine } from '../../main/analysis/index.ts'
import { detectionDataOf, readDetectionFiles } from '../../main/assessment/index.ts'

/** The committed detection data. */
export const detectionFiles = readDetectionFiles()
export const detectionData = detectionDataOf(detectionFiles)

/** The engine on the committed detection data, as the program builds it. */
export const engine: Engine = createEngine(detectionData)

/** An input that holds only a text, said at a fixed moment. */
export const said = (text: string, more: Partial<AssessmentInput> = {}): AssessmentInput => ({
  text,
  at: Date.UTC(2026, 0, 20, 12),
  recent: [],
  history: [],
  previous: [],
  ...more,
})

export const assess = (text: string, more: Partial<AssessmentInput> = {}): ReturnType<Engine['assess']> =>
  engine.assess(said(text, more))
