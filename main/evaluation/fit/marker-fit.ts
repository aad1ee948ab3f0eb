/** Fitting the reader of item markers, and what it finds in texts that were left out. */
import { markerTypes, type MarkerType } from '../../../shared/estimates.ts'
import { createMarkerExtractor, markerWeightsFile, type DetectionData, type MarkerCalibration, type MarkerManifest } from '../../analysis/index.ts' // prettier-ignore
import { calibrateMarkers, ordinarySets, readHeldOutMarkers, type HeldOutMarkerText, type MarkerFitText } from './marker-calibrate.ts' // prettier-ignore
import { readMarkerTexts } from './marker-texts.ts'
import { fitMarkerWeights, markerBuckets, type MarkerWeights } from './marker-train.ts'
import { manifestBytes, quantized } from './model-files.ts'
import type { TrainingFolders, TrainingText } from './texts.ts'

interface MarkerModelFiles {
  'marker-model.yaml': Uint8Array
  'marker-model.bin': Uint8Array
}

interface MarkerFitOptions {
  version: string
  /** Digest in lower-case hex. */
  sha256(bytes: Uint8Array): string
}

type PhraseData = Pick<DetectionData, 'lexicon' | 'patterns' | 'context' | 'markers' | 'spanish'>

/** Fits on all texts and calibrates on those left out; `curves` says what is found in these, a line an item. */
export function fitMarkers(
  folders: TrainingFolders,
  written: readonly TrainingText[],
  data: PhraseData,
  options: MarkerFitOptions,
): { files: MarkerModelFiles; curves: string[]; texts: number } {
  const featuresOf = createMarkerExtractor(data, markerBuckets)
  const texts = readMarkerTexts(folders, written, data.markers).map((text): MarkerFitText => {
    const { windows, phrases } = featuresOf(text.text)
    // Where the text speaks of one item and a phrase of another stands in it, it may well speak of both.
    const isUnknown = (item: MarkerType): boolean =>
      text.unknown.includes(item) || (text.items.length > 0 && phrases.has(item))
    const target = (item: MarkerType): number => (text.items.includes(item) ? 1 : isUnknown(item) ? -1 : 0)
    return { ...text, targets: markerTypes.map(target), windows }
  })
  const heldOut = readHeldOutMarkers(texts)
  const calibration = calibrateMarkers(heldOut)
  const files = markerModelFilesOf(fitMarkerWeights(texts), calibration, options)
  return { files, curves: markerCurvesOf(heldOut, calibration), texts: texts.length }
}

const comment = '# The fitted reader of item markers: manifest of marker-model.bin. Both are written by `npm run fit`; see CONTRIBUTING.md. Do not edit by hand.\n' // prettier-ignore

function markerModelFilesOf(
  { table, bias }: MarkerWeights,
  calibration: Record<MarkerType, MarkerCalibration>,
  { version, sha256 }: MarkerFitOptions,
): MarkerModelFiles {
  const { bytes, scale } = quantized(table)
  const manifest: MarkerManifest = {
    version,
    format: 'hashed-logistic-1',
    items: [...markerTypes],
    weights: {
      file: markerWeightsFile,
      dtype: 'int8',
      shape: [bytes.length / markerTypes.length, markerTypes.length],
      bytes: bytes.length,
      sha256: sha256(bytes),
      scale,
    },
    bias: Array.from(bias, (value) => Number(value.toPrecision(8))),
    calibration,
  }
  return { 'marker-model.yaml': manifestBytes(comment, manifest), 'marker-model.bin': bytes }
}

/** A reader that marks nothing and doubts nothing. */
export function untrainedMarkerFiles(sha256: MarkerFitOptions['sha256']): MarkerModelFiles {
  const nothing: MarkerCalibration = { slope: 1, offset: 0, threshold: 1, doubt: 0 }
  const calibration = Object.fromEntries(markerTypes.map((item) => [item, nothing])) as Record<MarkerType, MarkerCalibration>
  const weights = { table: new Float32Array(markerTypes.length), bias: new Float64Array(markerTypes.length) }
  return markerModelFilesOf(weights, calibration, { version: '0.0.0', sha256 })
} // prettier-ignore

/** What the reader alone finds in texts that were left out: recall by item and source, and false alarms. */
function markerCurvesOf(heldOut: readonly HeldOutMarkerText[], calibration: Record<MarkerType, MarkerCalibration>): string[] {
  const marked = ({ logits }: HeldOutMarkerText, each: number): boolean => {
    const { slope, offset, threshold } = calibration[markerTypes[each]!]
    return 1 / (1 + Math.exp(-(slope * logits[each]! + offset))) >= threshold
  }
  const share = (those: readonly HeldOutMarkerText[], hit: (text: HeldOutMarkerText) => boolean): string =>
    `${those.filter(hit).length}/${those.length}`
  const any = (text: HeldOutMarkerText): boolean => markerTypes.some((_, each) => marked(text, each))
  const of = (item: MarkerType, isFrom: (text: MarkerFitText) => boolean): HeldOutMarkerText[] =>
    heldOut.filter(({ text }) => isFrom(text) && text.items.includes(item))
  return [
    ...markerTypes.map((item, each) => {
      const written = share(of(item, ({ kind }) => kind === item), (text) => marked(text, each))
      const lexicon = share(of(item, ({ kind, text }) => kind === 'lexicon' && text.split(' ').length >= 3), (text) => marked(text, each))
      return `${item}: sentences of writers left out ${written}, clinicians' phrases of three words and more left out ${lexicon}`
    }),
    `any item in ordinary talk left out: ${share(heldOut.filter(({ text }) => ordinarySets.has(text.source)), any)}`,
    `any item in look-alikes left out: ${share(heldOut.filter(({ text }) => text.kind === 'NONE'), any)}`,
  ]
} // prettier-ignore
