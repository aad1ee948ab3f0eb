import { createEngine, readDetection, type AssessmentInput, type Engine } from '../../main/analysis/index.ts'
import { readDetectionFiles } from '../../main/platform/detection-files.ts'

/** The engine on the committed detection data, as the program builds it. */
export const engine: Engine = createEngine(readDetection(readDetectionFiles()))

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
