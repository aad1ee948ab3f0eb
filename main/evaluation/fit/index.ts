/** Fitting the intent classifier on training texts. */
import { createFeatureExtractor, intentClasses, type DetectionData } from '../../analysis/index.ts'
import type { FitText } from './calibrate.ts'
import type { TrainingText } from './texts.ts'
import { buckets } from './train.ts'

export { calibrate, classifyHeldOut, curvesOf } from './calibrate.ts'
export { modelFilesOf, untrainedModelFiles } from './model-files.ts'
export { readTrainingTexts, writersOf, type TrainingFolders } from './texts.ts'
export { fit } from './train.ts'

/** Texts as the features that the classifier would count in them. */
export function examplesOf(
  texts: readonly TrainingText[],
  data: Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers' | 'spanish'>,
): FitText[] {
  const featuresOf = createFeatureExtractor(data, buckets)
  return texts.map(({ source, kind, intent, weight, text }) => {
    const passages = featuresOf(text)
    return {
      source,
      kind,
      intent: intentClasses.indexOf(intent),
      weight,
      tokens: Math.max(0, ...passages.map(({ length }) => length)),
      passages: passages.map((passage) => passage.buckets),
    }
  })
}
