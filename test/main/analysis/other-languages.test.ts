import { describe, expect, it } from 'vitest'
import { matchScripts } from '../../../main/analysis/scripts.ts'
import { createEngine, DetectionFileError, readDetection } from '../../../main/analysis/index.ts'
import { readDetectionFiles } from '../../../main/platform/detection-files.ts'
import { assess, said } from '../../evaluation/engine.ts'

const files = readDetectionFiles()
const detection = readDetection(files)

describe('another script', () => {
  it('is marked where it stands', () => {
    const text = 'hey 我想死 ok'
    const [match] = assess(text).matches.filter(({ category }) => category === 'suicidal_ideation')
    expect(text.slice(match!.start, match!.end)).toBe('我想死')
  })
  it('is taken back by what stands right before it', () => {
    expect(assess('я не хочу умереть').tier).not.toBe('crisis')
    expect(assess('я хочу умереть').tier).toBe('crisis')
  })
  it('keeps its offsets beside a letter that grows in lower case', () => {
    const text = 'İ 我想死'
    const [match] = assess(text).matches
    expect(text.slice(match!.start, match!.end)).toBe('我想死')
  })
  it('is found nowhere when no phrases are given', () => {
    const bare = { ...detection, patterns: { ...detection.patterns, scripts: undefined } }
    expect(matchScripts(bare, '我想死', [])).toEqual([])
    expect(createEngine(bare).assess(said('我想死')).tier).toBe('caution')
  })
})

it('a combination of a part that does not exist is refused with its file', () => {
  const broken = files['patterns.yaml']!.replace('needs: [means, deed]', 'needs: [means, nowhere]')
  expect(() => readDetection({ ...files, 'patterns.yaml': broken })).toThrow(DetectionFileError)
})
