import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVocabulary } from '../../../../main/analysis/text/vocabulary.ts'

const critical = ['suicide', 'kill', 'myself', 'die', 'hurt']
const vocabulary = createVocabulary({
  words: ['want', 'to', 'die'],
  shortForms: { kms: 'kill myself' },
  critical,
  correctionExceptions: ['will', 'skill'],
})

/** Everything one slip makes of a word. */
function slipsOf(word: string): Set<string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const all = new Set([word])
  for (let i = 0; i <= word.length; i += 1) {
    const [before, after] = [word.slice(0, i), word.slice(i)]
    for (const letter of letters) {
      all.add(before + letter + after)
      if (i > 0 && after) all.add(before + letter + after.slice(1))
    }
    if (after) all.add(before + after.slice(1))
    if (after.length > 1) all.add(before + after[1]! + after[0]! + after.slice(2))
  }
  return all
}

describe('a misspelt word', () => {
  it('is corrected to the words one slip away, and towards no other', () => {
    const near = fc.constantFrom(...critical.flatMap((word) => [...slipsOf(word)]))
    const twice = near.chain((word) => fc.constantFrom(...slipsOf(word)))
    fc.assert(
      fc.property(fc.oneof(near, twice, fc.string({ unit: fc.constantFrom(...'kilsuhrt'), maxLength: 18 })), (word) => {
        const within = word.length >= 4 && word.length <= 16 && word !== 'will' && word !== 'skill'
        const expected = critical.filter((target) => within && target.length >= 4 && slipsOf(target).has(word))
        expect(vocabulary.correct(word).sort()).toEqual(expected.sort())
      }),
      { numRuns: 2000, seed: 3 },
    )
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
  it('is expanded where it is a short form', () => {
    expect(vocabulary.expand('kms')).toEqual(['kill', 'myself'])
    expect(vocabulary.isCritical('kms')).toBe(true)
    expect(vocabulary.isCritical('want')).toBe(false)
  })
})
