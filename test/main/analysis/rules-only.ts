import { createEngine, intentClasses, type DetectionData } from '../../../main/analysis/index.ts'
import { markerTypes } from '../../../shared/estimates.ts'
import { detectionData } from '../../evaluation/engine.ts'

/** A classifier that takes everything for neutral talk, so that the rules alone decide. */
const neutral: DetectionData['intentModel'] = {
  ...detectionData.intentModel,
  buckets: 2,
  bias: intentClasses.map((name) => (name === 'neutral' ? 6 : 0)),
  weights: new Int8Array(2 * intentClasses.length),
}

/** A reader of markers that marks nothing and doubts no phrase. */
const unread: DetectionData['markerModel'] = {
  ...detectionData.markerModel,
  buckets: 2,
  bias: markerTypes.map(() => 0),
  weights: new Int8Array(2 * markerTypes.length),
  calibration: Object.fromEntries(
    markerTypes.map((item) => [item, { slope: 1, offset: 0, threshold: 1, doubt: 0 }]),
  ) as DetectionData['markerModel']['calibration'],
}

/** An engine of the committed patterns, decided by their rules alone. */
export const rulesOnly = (change: Partial<DetectionData> = {}) =>
  createEngine({ ...detectionData, intentModel: neutral, markerModel: unread, ...change })
