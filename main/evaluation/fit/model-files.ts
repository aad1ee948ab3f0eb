/** The two files of a fitted model: manifest and weights. */
import { Document, isCollection, isPair, visit } from 'yaml'
import { intentClasses, intentWeightsFile, type IntentCalibration, type IntentManifest } from '../../analysis/index.ts'
import type { Weights } from './train.ts'

interface ModelFiles {
  'intent-model.yaml': Uint8Array
  'intent-model.bin': Uint8Array
}

const comment = '# The intent classifier: manifest of intent-model.bin. Both are written by `npm run fit`; see CONTRIBUTING.md. Do not edit by hand.\n' // prettier-ignore

/** Weights become signed bytes of one scale; `sha256` answers in lower-case hex. */
export function modelFilesOf(
  { table, bias }: Weights,
  { calibration, version, sha256 }: { calibration: IntentCalibration; version: string; sha256(bytes: Uint8Array): string },
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
    'intent-model.yaml': manifestBytes(comment, manifest),
    'intent-model.bin': bytes,
  }
} // prettier-ignore

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

/** A model that knows nothing, so that texts can be tokenized before there is one. */
export function untrainedModelFiles(sha256: (bytes: Uint8Array) => string): ModelFiles {
  const thresholds = { crisis: 1, crisis_with_phrase: 1, high: 1, other: 1, joking: 1, caution: 1 }
  const calibration: IntentCalibration = {
    short: thresholds,
    long: thresholds,
    discounted: { crisis: 1, caution: 1 },
    reinterpretation: { joking: 1, denial: 1, quotation: 1, third_party: 1 },
  }
  const weights = { table: new Float32Array(intentClasses.length), bias: new Float64Array(intentClasses.length) }
  return modelFilesOf(weights, { calibration, version: '0.0.0', sha256 })
}

const eightDigits = (value: number): number => Number(value.toPrecision(8))
