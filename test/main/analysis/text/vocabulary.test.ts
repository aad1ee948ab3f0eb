import { describe, expect, it } from 'vitest'
import { createVocabulary } from '../../../../main/analysis/text/vocabulary.ts'

const critical = ['suicide', 'kill', 'myself', 'die', 'hurt']
const vocabulary = createVocabulary({
  words: ['want', 'to', 'die'],
  shortForms: { kms: 'kill myself' },
  critical,
  correctionExceptions: ['will', 'skill'],
})

describe('a misspelt word', () => {
  it.each([
    ['sucide', ['suicide']],
    ['suuicide', ['suicide']],
    ['suicyde', ['suicide']],
    ['usicide', ['suicide']],
    ['xuicide', []],
    ['suic', []],
  ])('is corrected to the words one slip away: “%s”', (word, corrected) => {
    expect(vocabulary.correct(word)).toEqual(corrected)
  })
  it('is left alone when it is a word of its own, or too short to tell', () => {
    expect(vocabulary.correct('will')).toEqual([])
    expect(vocabulary.correct('dei')).toEqual([])
  })
})

describe('a disguised word', () => {
  it('is read through its mask', () => {
    expect(vocabulary.unmask('k*ll')).toEqual(['kill'])
    expect(vocabulary.unmask('*ill')).toEqual([])
    expect(vocabulary.unmask('k***')).toEqual([])
  })
  it('is segmented where several run together, one of them grave', () => {
    expect(vocabulary.segmentCompound('killmyself')).toEqual(['kill', 'myself'])
    expect(vocabulary.segmentCompound('wanttowant')).toBeNull()
    expect(vocabulary.segment('wanttodie')).toEqual(['want', 'to', 'die'])
    expect(vocabulary.segment('xyz')).toBeNull()
  })
  it('is cut into as few words as may be', () => {
    const ambiguous = createVocabulary({ words: ['i', 'am', 'iam', 'to', 'day', 'today'], shortForms: {}, critical: [], correctionExceptions: [] }) // prettier-ignore
    expect(ambiguous.segment('iamtoday')).toEqual(['iam', 'today'])
  })
  it('is expanded where it is a short form', () => {
    expect(vocabulary.expand('kms')).toEqual(['kill', 'myself'])
    expect(vocabulary.isCritical('kms')).toBe(true)
    expect(vocabulary.isCritical('want')).toBe(false)
  })
})
