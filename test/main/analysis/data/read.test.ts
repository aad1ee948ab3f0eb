import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import {
  DetectionFileError,
  detectionFileNames,
  neighborBytesOf,
  readDetectionData,
} from '../../../../main/analysis/data/index.ts'
import { createMatcher } from '../../../../main/analysis/phrases/index.ts'
import { detectionDataOf, sha256 } from '../../../../main/assessment/index.ts'
import { detectionData, detectionFiles as files } from '../../../evaluation/engine.ts'

const wholeTextOf = (file: string): string => Buffer.from(files[file]!).toString()
/** A file with no more than two entries in any list: what is refused is refused without the thousands of others. */
const shortened = (file: string): Uint8Array =>
  Buffer.from(stringify(parse(wholeTextOf(file), (_, value: unknown) => (Array.isArray(value) ? value.slice(0, 2) : value)))) // prettier-ignore
const long = ['lexicon.yaml', 'patterns.yaml', 'context.yaml', 'markers.yaml']
const small = { ...files, ...Object.fromEntries(long.map((file) => [file, shortened(file)])) }

const textOf = (file: string): string => Buffer.from(small[file]!).toString()
const withText = (change: Record<string, string>) => ({
  ...small,
  ...Object.fromEntries(Object.entries(change).map(([file, text]) => [file, Buffer.from(text)])),
})
const refusal = (change: Record<string, string>): DetectionFileError => {
  try {
    createMatcher(detectionDataOf(withText(change)))
  } catch (error) {
    if (error instanceof DetectionFileError) return error
    throw error
  }
  throw new Error('was accepted')
}
const changed = (file: string, from: string, to: string): Record<string, string> => {
  const text = textOf(file)
  expect(text).toContain(from)
  return { [file]: text.replace(from, to) }
}

describe('a broken detection file is refused', () => {
  it('when it is missing', () => {
    const { 'patterns.yaml': _, ...rest } = small
    expect(() => detectionDataOf(rest)).toThrow(/patterns\.yaml.*is missing/)
  })
  it('when it is not YAML', () => {
    expect(refusal({ 'sentiment.yaml': 'a: [' })).toMatchObject({ file: 'sentiment.yaml', value: 'unreadable' })
  })
  it('when it is empty or holds something else than it should', () => {
    expect(refusal({ 'sentiment.yaml': '' })).toMatchObject({ file: 'sentiment.yaml', path: '', value: 'null' })
    expect(refusal({ 'sentiment.yaml': 'hello' })).toMatchObject({ path: '', value: '"hello"' })
    expect(refusal({ 'consensus.yaml': 'version: 1.0.0\nweights: 7' })).toMatchObject({ path: 'weights', value: '7' })
  })
  it('with “nothing” as the value, when it leaves something out', () => {
    expect(refusal(changed('consensus.yaml', 'regex: 0.40', 'rgex: 0.40'))).toMatchObject({
      path: 'weight_sets.published.weights.regex',
      value: 'nothing',
    })
  })
  it('with file, path and value, when a value is of the wrong kind', () => {
    expect(refusal(changed('consensus.yaml', 'negated: 0.2', 'negated: 9'))).toMatchObject({
      file: 'consensus.yaml',
      path: 'context_factors.negated',
      value: '9',
    })
  })
  it('when the balanced operating point moves anything, or one is missing', () => {
    const moved = changed('consensus.yaml', 'shift: { caution: 0, high: 0, crisis: 0 }', 'shift: { caution: 0, high: 0, crisis: 1 }') // prettier-ignore
    expect(refusal(moved).path).toBe('operating_points.balanced.shift')
    expect(refusal(changed('consensus.yaml', 'more_caution:', 'most_caution:'))).toMatchObject({
      path: 'operating_points.more_caution',
    })
  })
  it('when the weights do not sum to 1', () => {
    expect(refusal(changed('consensus.yaml', 'regex: 0.40', 'regex: 0.50')).message).toContain('sum to 1')
  })
  it('when a key is unknown or one is missing', () => {
    expect(refusal(changed('consensus.yaml', 'severe: 0.94', 'svere: 0.94')).file).toBe('consensus.yaml')
  })
  it('when a resource is named that does not exist', () => {
    expect(refusal(changed('resources.yaml', 'running_away: [runaway', 'running_away: [runawy'))).toMatchObject({
      path: 'by_category.running_away',
      value: '"runawy"',
    })
  })
  it('when a combination names a part that does not exist', () => {
    expect(
      refusal({ 'patterns.yaml': textOf('patterns.yaml').replace(/(needs:\s+- means\s+- )\w+/, '$1nowhere') }),
    ).toMatchObject({
      file: 'patterns.yaml',
      path: 'combinations',
    })
  })
  it('when a word class is empty', () => {
    expect(refusal(changed('grammar.yaml', 'articles: [a, an, the]', 'articles: []'))).toMatchObject({
      file: 'grammar.yaml',
      path: 'articles',
      value: '[]',
    })
  })
  it('when the protocol reply leaves out a number to call', () => {
    expect(refusal(changed('resources.yaml', 'call 911', 'call somebody')).message).toContain('911')
  })
  it('when the prompt of the clinical service leaves out a part of the answer, or who may give instructions', () => {
    const prompt = textOf('clinical.yaml')
    expect(refusal({ 'clinical.yaml': prompt.replaceAll('reasoning', 'why') }).message).toMatch(/system.*“reasoning”/)
    expect(refusal(changed('clinical.yaml', 'never an instruction', 'no instruction')).path).toBe('system')
    expect(refusal(changed('clinical.yaml', 'max_tokens: 150', 'max_tokens: 15'))).toMatchObject({ path: 'max_tokens' })
  })
  it.each([
    ['(a|b', 'does not close'],
    ['a)', 'too many'],
    ['{nowhere} a', 'unknown list'],
    ['[a]', 'says nothing'],
    ['*', 'says nothing'],
    [' ', 'says nothing'],
  ])('when the phrase “%s” cannot be read', (phrase, problem) => {
    const text = `version: 1.0.0\ngroups:\n  - { name: x, category: self_harm, experiencer: self, explicit: false, phrases: ["${phrase}"] }\n`
    const error = refusal({ 'patterns.yaml': text })
    expect(error).toMatchObject({ file: 'patterns.yaml', path: 'groups.0.phrases.0' })
    expect(error.message).toContain(problem)
  })
  it('when lists name each other without end', () => {
    const lists = changed('lexicon.yaml', 'lists:\n', 'lists:\n  round: "{round} a"\n')
    const patterns = `version: 1.0.0\ngroups:\n  - { name: x, category: self_harm, experiencer: self, explicit: false, phrases: ["{round}"] }\n`
    expect(refusal({ ...lists, 'patterns.yaml': patterns }).message).toContain('too deep')
  })
})

it('names every file with its version', () => {
  const described = detectionFileNames.filter((name) => name.endsWith('.yaml'))
  expect(detectionData.versions.map(({ file }) => file).sort()).toEqual(described.toSorted())
})

describe('weights that are not those of their manifest are refused', () => {
  const refused = (bytes: Uint8Array | undefined) => () => {
    const { 'intent-model.bin': _, ...rest } = small
    return readDetectionData(bytes ? { ...rest, 'intent-model.bin': bytes } : rest, sha256)
  }
  it('when they are missing', () => {
    expect(refused(undefined)).toThrow(/intent-model\.bin: the file is missing/)
  })
  it('when they are cut short', () => {
    expect(refused(files['intent-model.bin']!.subarray(1))).toThrow(
      /intent-model\.bin.*2359296 bytes.*\(value: 2359295/,
    )
  })
  it('when a byte is another', () => {
    const bytes = Uint8Array.from(files['intent-model.bin']!)
    bytes[1000]! ^= 1
    expect(refused(bytes)).toThrow(/intent-model\.bin.*SHA-256/)
  })
  it.each([
    ['bytes: 2359296', 'bytes: 2359295', 'weights.bytes', /shape/],
    ['shape: [ 262144, 9 ]', 'shape: [ 262143, 9 ]', 'weights.shape.0', /power of two/],
    ['dtype: int8', 'dtype: int16', 'weights.dtype', /int8/],
    ['classes: [ neutral, danger', 'classes: [ danger, neutral', 'classes', /in its order/],
    ['sha256: ', 'sha256: x', 'weights.sha256', /SHA-256/],
  ])('when the manifest says “%s” otherwise', (from, to, path, problem) => {
    const error = refusal(changed('intent-model.yaml', from, to))
    expect(error).toMatchObject({ file: 'intent-model.yaml', path })
    expect(error.message).toMatch(problem)
  })
})

describe('the model of the marker reader is refused', () => {
  it('when its bytes are missing or others', () => {
    const { 'marker-model.bin': bytes, ...rest } = small
    expect(() => readDetectionData(rest, sha256)).toThrow(/marker-model\.bin: the file is missing/)
    const changed = Uint8Array.from(bytes!)
    changed[1000]! ^= 1
    expect(() => readDetectionData({ ...rest, 'marker-model.bin': changed }, sha256)).toThrow(/SHA-256/)
  })
  it.each([
    ['items: [ PHQ9_ITEM_1, PHQ9_ITEM_2', 'items: [ PHQ9_ITEM_2, PHQ9_ITEM_1', 'items', /in its order/],
    ['shape: [ 65536, 16 ]', 'shape: [ 65536, 15 ]', 'weights.shape.1', /16/],
  ])('when the manifest says “%s” otherwise', (from, to, path, problem) => {
    const error = refusal(changed('marker-model.yaml', from, to))
    expect(error).toMatchObject({ file: 'marker-model.yaml', path })
    expect(error.message).toMatch(problem)
  })
})

describe('known sentences', () => {
  const sentences = [
    { category: 'suicidal_ideation' as const, features: [0, 255, 65_536, 2 ** 24 - 1] },
    { category: null, features: [] },
    { category: 'hopelessness' as const, features: Array.from({ length: 300 }, (_, i) => i) },
  ]
  const read = (bytes: Uint8Array, count: number) => {
    const manifest = `version: 1.0.0\nformat: hashed-sentences-1\nsentences: { file: neighbors.bin, count: ${count}, bytes: ${bytes.length}, sha256: ${sha256(bytes)} }\ncalibration: { slope: 1, intercept: 0 }\n`
    return readDetectionData({ ...small, 'neighbors.yaml': new TextEncoder().encode(manifest), 'neighbors.bin': bytes }, sha256).neighbors // prettier-ignore
  }
  const bytes = neighborBytesOf(sentences)

  it('are read as they were written, at most 255 features of each', () => {
    const [first, second, third] = read(bytes, 3).sentences
    expect([first, second]).toEqual(sentences.slice(0, 2))
    expect(third!.features).toEqual(sentences[2]!.features.slice(0, 255))
  })

  it('are refused where the bytes hold others, or more, or fewer', () => {
    expect(() => read(bytes, 2)).toThrow(/neighbors\.bin.*sentences of its manifest/)
    expect(() => read(bytes.subarray(0, bytes.length - 1), 3)).toThrow(/neighbors\.bin/)
    expect(() => read(bytes.subarray(0, 1), 1)).toThrow(/neighbors\.bin/)
    expect(() => read(Uint8Array.of(9, 0), 1)).toThrow(/neighbors\.bin/)
  })
})
