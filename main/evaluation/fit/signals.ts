/** The signals of every writer's sentence, none of them read by a model that knew the writer. */
import { calibrated, createEngine, leastLikeness, type DetectionData, type IntentCalibration, type Platt } from '../../analysis/index.ts' // prettier-ignore
import { heldOutProbability, type HeldOutText } from './calibrate.ts'
import type { HeldOutMargin } from './neighbors.ts'
import type { SignalExample } from './weights.ts'

/** Classes of intent in which somebody should look. */
const grave: ReadonlySet<string> = new Set(['danger', 'distress', 'third_party', 'threat', 'abuse'])

/** `data` hold untrained models, so that the rules read alone; both lists are of the same texts, in the same order. */
export function signalExamplesOf(
  data: DetectionData,
  writers: readonly string[],
  { heldOut, margins }: { heldOut: readonly HeldOutText[]; margins: readonly HeldOutMargin[] },
  { calibration, margin: ofMargin }: { calibration: IntentCalibration; margin: Platt },
): SignalExample[] {
  const engine = createEngine(data)
  return margins.flatMap(({ text, margin }, index): SignalExample[] => {
    if (!writers.includes(text.source)) return []
    const { signals } = engine.assess({ text: text.text, at: 0, recent: [], history: [], previous: [] })
    const likeness = calibrated(ofMargin, margin)
    return [
      {
        writer: text.source,
        regex: signals.regex ?? 0,
        semantic: likeness < leastLikeness ? 0 : likeness,
        clinical: heldOutProbability(heldOut[index]!, calibration),
        positive: grave.has(text.intent),
      },
    ]
  })
}
