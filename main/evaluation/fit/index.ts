/** Fitting the readers on training texts. */
import { createFeatureExtractor, intentClasses, type DetectionData } from '../../analysis/index.ts'
import type { FitText } from './calibrate.ts'
import type { TrainingText } from './texts.ts'
import { buckets } from './train.ts'

export { calibrate, classifyHeldOut, curvesOf } from './calibrate.ts'
export { modelFilesOf, neighborFilesOf, untrainedModelFiles } from './model-files.ts'
export { calibrateMargin, knownSentencesOf, marginsHeldOut } from './neighbors.ts'
export { fitMarkers, untrainedMarkerFiles } from './marker-fit.ts'
export { constructsOf, itemsOfConstructs, type Constructs } from './marker-texts.ts'
export { readTrainingTexts, writersOf, type TrainingFolders } from './texts.ts'
export { signalExamplesOf } from './signals.ts'
export { fit } from './train.ts'
export { fitWeights } from './weights.ts'

/** Texts as the features that the classifier would count in them. */
export function examplesOf(
  texts: readonly TrainingText[],
  data: Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers' | 'spanish'>,
): FitText[] {
  const featuresOf = createFeatureExtractor(data, buckets)
  return texts.map(({ source, kind, intent, weight, text }) => {
    return { source, kind, intent: intentClasses.indexOf(intent), weight, ...featuresOf(text) }
  })
}
