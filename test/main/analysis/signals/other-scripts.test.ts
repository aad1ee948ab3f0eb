import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../main/analysis/index.ts'
import { matchOtherScripts } from '../../../../main/analysis/signals/index.ts'
import { assess, detectionData, said } from '../../../evaluation/engine.ts'

describe('another script', () => {
  it('is marked where it stands', () => {
    const text = 'hey 我想死 ok'
    const [match] = assess(text).matches.filter(({ category }) => category === 'suicidal_ideation')
    expect(text.slice(match!.start, match!.end)).toBe('我想死')
  })
  it('is negated by what stands right before it', () => {
    expect(assess('я не хочу умереть').tier).not.toBe('crisis')
    expect(assess('я хочу умереть').tier).toBe('crisis')
  })
  it('keeps its offsets beside a letter that grows in lower case', () => {
    const text = 'İ 我想死'
    const [match] = assess(text).matches
    expect(text.slice(match!.start, match!.end)).toBe('我想死')
  })
  it('is found nowhere when no phrases are given', () => {
    const bare = { ...detectionData, patterns: { ...detectionData.patterns, other_scripts: undefined } }
    expect(matchOtherScripts(undefined, '我想死', [])).toEqual([])
    expect(createEngine(bare).assess(said('我想死')).tier).toBe('caution')
  })
})
