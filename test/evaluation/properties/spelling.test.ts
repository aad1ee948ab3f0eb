import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createVocabulary } from '../../../main/analysis/text/vocabulary.ts'

const critical = ['suicide', 'kill', 'myself', 'die', 'hurt']
const exceptions = ['will', 'skill']
const vocabulary = createVocabulary({ words: [], shortForms: {}, critical, correctionExceptions: exceptions })

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

it('a misspelt word is corrected to the words one slip away, and to no other', () => {
  const near = fc.constantFrom(...critical.flatMap((word) => [...slipsOf(word)]))
  const twice = near.chain((word) => fc.constantFrom(...slipsOf(word)))
  fc.assert(
    fc.property(fc.oneof(near, twice, fc.string({ unit: fc.constantFrom(...'kilsuhrt'), maxLength: 18 })), (word) => {
      const within = word.length >= 4 && word.length <= 16 && !exceptions.includes(word)
      const expected = critical.filter((target) => within && target.length >= 4 && slipsOf(target).has(word))
      expect(vocabulary.correct(word).sort()).toEqual(expected.sort())
    }),
    { numRuns: 2000, seed: 3 },
  )
})
