import { createEngine, readDetection, type Detection } from '../../../main/analysis/index.ts'
import { manners, type MannerData } from '../../../main/analysis/manner.ts'
import { readDetectionFiles } from '../../../main/platform/detection-files.ts'

export const detection = readDetection(readDetectionFiles())

/** A second reader that takes everything for plain talk, so that the rules alone are heard. */
const unmoved: MannerData = {
  ...detection.manner,
  buckets: 2,
  bias: manners.map((manner) => (manner === 'plain' ? 6 : 0)),
  weights: Buffer.alloc(2 * manners.length).toString('base64'),
}

/** An engine of the committed patterns, decided by their rules alone. */
export const byRules = (change: Partial<Detection> = {}) => createEngine({ ...detection, manner: unmoved, ...change })
