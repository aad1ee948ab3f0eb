import { describe, expect, it } from 'vitest'
import { createEngine, detectionFiles, DetectionFileError, readDetection } from '../../../main/analysis/index.ts'
import { readDetectionFiles } from '../../../main/platform/detection-files.ts'

const files = readDetectionFiles()
const refusal = (change: Record<string, string>): DetectionFileError => {
  try {
    createEngine(readDetection({ ...files, ...change }))
  } catch (error) {
    if (error instanceof DetectionFileError) return error
    throw error
  }
  throw new Error('was accepted')
}
const changed = (file: string, from: string, to: string): Record<string, string> => {
  const text = files[file]!
  expect(text).toContain(from)
  return { [file]: text.replace(from, to) }
}

describe('a broken detection file is refused', () => {
  it('when it is missing', () => {
    const { 'patterns.yaml': _, ...rest } = files
    expect(() => readDetection(rest)).toThrow(/patterns\.yaml.*is missing/)
  })
  it('when it is not YAML', () => {
    expect(refusal({ 'affect.yaml': 'a: [' })).toMatchObject({ file: 'affect.yaml', value: 'unreadable' })
  })
  it('when it is empty or holds something else than it should', () => {
    expect(refusal({ 'affect.yaml': '' })).toMatchObject({ file: 'affect.yaml', path: '', value: 'null' })
    expect(refusal({ 'affect.yaml': 'hello' })).toMatchObject({ path: '', value: '"hello"' })
    expect(refusal({ 'consensus.yaml': 'version: 1.0.0\nweights: 7' })).toMatchObject({ path: 'weights', value: '7' })
  })
  it('with “nothing” as the value, when it leaves something out', () => {
    expect(refusal(changed('consensus.yaml', 'regex: 0.40', 'rgex: 0.40'))).toMatchObject({
      path: 'weights.regex',
      value: 'nothing',
    })
  })
  it('with file, path and value, when a value is of the wrong kind', () => {
    expect(refusal(changed('consensus.yaml', 'crisis: 0.90', 'crisis: 9'))).toMatchObject({
      file: 'consensus.yaml',
      path: 'thresholds.crisis',
      value: '9',
    })
  })
  it('when the weights do not sum to 1', () => {
    expect(refusal(changed('consensus.yaml', 'regex: 0.40', 'regex: 0.50')).message).toContain('sum to 1')
  })
  it('when a key is unknown or one is missing', () => {
    expect(refusal(changed('consensus.yaml', 'window: 10', 'wndow: 10')).file).toBe('consensus.yaml')
  })
  it('when a resource is named that does not exist', () => {
    expect(refusal(changed('resources.yaml', 'running_away: [runaway', 'running_away: [runawy'))).toMatchObject({
      path: 'by_category.running_away',
      value: '"runawy"',
    })
  })
  it('when the protocol reply leaves out a number to call', () => {
    expect(refusal(changed('resources.yaml', 'call 911', 'call somebody')).message).toContain('911')
  })
  it('when the prompt of the clinical service leaves out a part of the answer, or who may give instructions', () => {
    const prompt = files['clinical.yaml']!
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
    const text = `version: 1.0.0\ngroups:\n  - { name: x, category: self_harm, speaker: self, explicit: false, phrases: ["${phrase}"] }\n`
    const error = refusal({ 'patterns.yaml': text })
    expect(error).toMatchObject({ file: 'patterns.yaml', path: 'groups.0.phrases.0' })
    expect(error.message).toContain(problem)
  })
  it('when lists name each other without end', () => {
    const lists = changed('words.yaml', 'lists:\n', 'lists:\n  round: "{round} a"\n')
    const patterns = `version: 1.0.0\ngroups:\n  - { name: x, category: self_harm, speaker: self, explicit: false, phrases: ["{round}"] }\n`
    expect(refusal({ ...lists, 'patterns.yaml': patterns }).message).toContain('too deep')
  })
})

it('names every file with its version', () => {
  expect(readDetection(files).versions.map(({ file }) => file)).toEqual(detectionFiles)
})
