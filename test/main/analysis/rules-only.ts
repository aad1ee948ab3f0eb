import { createEngine, intentClasses, type DetectionData } from '../../../main/analysis/index.ts'
import { detectionData } from '../../evaluation/engine.ts'

/** A classifier that takes everything for neutral talk, so that the rules alone decide. */
const neutral: DetectionData['intentModel'] = {
  ...detectionData.intentModel,
  buckets: 2,
  bias: intentClasses.map((name) => (name === 'neutral' ? 6 : 0)),
  weights: new Int8Array(2 * intentClasses.length),
}

/** An engine of the committed patterns, decided by their rules alone. */
export const rulesOnly = (change: Partial<DetectionData> = {}) =>
  createEngine({ ...detectionData, intentModel: neutral, ...change })
