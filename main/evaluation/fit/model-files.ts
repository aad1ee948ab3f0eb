/** The files of the fitted models: a manifest and bytes for each. */
import { Document, isCollection, isPair, visit } from 'yaml'
import { intentClasses, intentWeightsFile, neighborBytesOf, neighborsFile, type IntentCalibration, type IntentManifest, type KnownSentence, type NeighborManifest, type Platt } from '../../analysis/index.ts' // prettier-ignore
import type { Weights } from './train.ts'

/** Files by name. */
export type ModelFiles = Record<string, Uint8Array>

/** Answers in lower-case hex. */
type Sha256 = (bytes: Uint8Array) => string

const commentOn = (what: string, file: string): string =>
  `# ${what}: manifest of ${file}. Both are written by \`npm run fit\`; see CONTRIBUTING.md. Do not edit by hand.\n`

/** Files of the intent classifier. Weights become signed bytes of one scale. */
export function modelFilesOf(
  { table, bias }: Weights,
  { calibration, version, sha256 }: { calibration: IntentCalibration; version: string; sha256: Sha256 },
): ModelFiles {
  const { bytes, scale } = quantized(table)
  const manifest: IntentManifest = {
    version,
    format: 'hashed-linear-1',
    classes: [...intentClasses],
    weights: {
      file: intentWeightsFile,
      dtype: 'int8',
      shape: [bytes.length / intentClasses.length, intentClasses.length],
      bytes: bytes.length,
      sha256: sha256(bytes),
      scale,
    },
    bias: Array.from(bias, eightDigits),
    calibration,
  }
  return {
    'intent-model.yaml': manifestBytes(commentOn('The intent classifier', intentWeightsFile), manifest),
    [intentWeightsFile]: bytes,
  }
} // prettier-ignore

/** Files of the known sentences that messages are compared with. */
export function neighborFilesOf(
  sentences: readonly KnownSentence[],
  { calibration, version, sha256 }: { calibration: Platt; version: string; sha256: Sha256 },
): ModelFiles {
  const bytes = neighborBytesOf(sentences)
  const manifest: NeighborManifest = {
    version,
    format: 'hashed-sentences-1',
    sentences: { file: neighborsFile, count: sentences.length, bytes: bytes.length, sha256: sha256(bytes) },
    calibration,
  }
  return {
    'neighbors.yaml': manifestBytes(commentOn('Known sentences', neighborsFile), manifest),
    [neighborsFile]: bytes,
  }
}

/** Weights as signed bytes of one scale: weight = byte × scale. */
export function quantized(table: Float32Array): { bytes: Uint8Array; scale: number } {
  const largest = table.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  // An untrained model is all zeros, on any scale.
  const scale = largest === 0 ? 1 : largest / 127
  return { bytes: Uint8Array.from(table, (value) => Math.round(value / scale) & 0xff), scale: eightDigits(scale) }
}

/** YAML with every list of values, and every map of values but the outermost, on one line. */
export function manifestBytes(heading: string, manifest: object): Uint8Array {
  const document = new Document(manifest, { aliasDuplicateObjects: false })
  visit(document, {
    Collection(_, node) {
      const values = node.items.map((item) => (isPair(item) ? item.value : item))
      if (node !== document.contents && !values.some(isCollection)) node.flow = true
    },
  })
  return new TextEncoder().encode(heading + document.toString({ lineWidth: 0 }))
}

/** Models that know nothing, so that texts can be tokenized before there is one. */
export function untrainedModelFiles(sha256: Sha256): ModelFiles {
  const platt: Platt = { slope: 0, intercept: -10 }
  const thresholds = { crisis: 1, crisis_with_phrase: 1, high: 1, other: 1, joking: 1, caution: 1 }
  const calibration: IntentCalibration = {
    short: thresholds,
    medium: thresholds,
    long: thresholds,
    probability: { short: platt, medium: platt, long: platt },
    discounted: { crisis: 1, caution: 1 },
    reinterpretation: { joking: 1, denial: 1, quotation: 1, third_party: 1 },
  }
  const weights = { table: new Float32Array(intentClasses.length), bias: new Float64Array(intentClasses.length) }
  return {
    ...modelFilesOf(weights, { calibration, version: '0.0.0', sha256 }),
    ...neighborFilesOf([], { calibration: platt, version: '0.0.0', sha256 }),
  }
}

const eightDigits = (value: number): number => Number(value.toPrecision(8))
