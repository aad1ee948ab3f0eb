/** A school's operating point: how sure the reader of whole messages must be before it raises a tier. */
import type { IntentCalibration, IntentThresholds, OperatingPoint } from '../data/index.ts'

/** The least and the most a threshold may be, as the manifest of the classifier demands. */
const bounds = { sure: [0.5, 1], likely: [0.4, 1] } as const

/**
 * The calibration under an operating point: a threshold t becomes sigmoid(logit(t) + shift), the shift being that of the
 * tier it leads to, within the bounds of a calibration. The floor of the phrases has no threshold here, so nothing moves
 * it; nor does a point make the classifier any readier to take a phrase less literally.
 */
export function withOperatingPoint(
  calibration: IntentCalibration,
  { caution, high, crisis }: OperatingPoint,
): IntentCalibration {
  const moved = (thresholds: IntentThresholds): IntentThresholds => ({
    crisis: shifted(thresholds.crisis, crisis, bounds.sure),
    crisis_with_phrase: shifted(thresholds.crisis_with_phrase, crisis, bounds.sure),
    high: shifted(thresholds.high, high, bounds.sure),
    other: shifted(thresholds.other, high, bounds.likely),
    joking: shifted(thresholds.joking, high, bounds.likely),
    caution: shifted(thresholds.caution, caution, bounds.sure),
  })
  const { short, medium, long, discounted } = calibration
  return {
    ...calibration,
    short: moved(short),
    medium: moved(medium),
    long: moved(long),
    discounted: {
      crisis: shifted(discounted.crisis, crisis, bounds.sure),
      caution: shifted(discounted.caution, caution, bounds.sure),
    },
  }
}

/** A probability moved by `shift` in log-odds; one of 0 or 1 stays, as no evidence moves it. */
function shifted(threshold: number, shift: number, [least, most]: readonly [number, number]): number {
  if (shift === 0) return threshold
  const moved = 1 / (1 + ((1 - threshold) / threshold) * Math.exp(-shift))
  return Math.min(most, Math.max(least, moved))
}
