import { describe, expect, it } from 'vitest'
import { createNeighborIndex, createTextReader } from '../../../../main/analysis/neighbors/index.ts'
import { detectionData } from '../../../evaluation/engine.ts'

const reader = createTextReader(detectionData)
const known = (category: 'suicidal_ideation' | 'hopelessness' | null, ...texts: string[]) =>
  texts.map((text) => ({ category, features: reader.features(reader.words(text)) }))
const sentences = [
  ...known('suicidal_ideation', 'the river is where i want to end', 'i wrote letters for when i am gone'),
  ...known('hopelessness', 'every morning feels heavier than the one before'),
  ...known(
    null,
    'the river trip is where we had lunch',
    'i wrote a letter for my spanish class',
    'every morning we have practice',
  ),
]
const index = createNeighborIndex({ sentences }, detectionData)
const marginOf = (text: string, suppressed: number[] = []) => index.marginOf(reader.tokenize(text), new Set(suppressed))

describe('the margin between sentences of danger and plain ones', () => {
  it('is above 0 near a sentence of danger, and names what that speaks of', () => {
    expect(marginOf('i wrote the letters for when i am gone')).toMatchObject({ category: 'suicidal_ideation' })
    expect(marginOf('i wrote the letters for when i am gone').margin).toBeGreaterThan(0.05)
    expect(marginOf('this morning feels heavier than the one before').category).toBe('hopelessness')
  })

  it('is below 0 near a plain one', () => {
    expect(marginOf('the river trip is where we had our lunch').margin).toBeLessThan(0)
  })

  it('is 0 for a single word, for nothing, and for words that no sentence has', () => {
    for (const text of ['gone', '', 'xylophones bartered quietly'])
      expect(marginOf(text)).toEqual({ margin: 0, category: null })
  })

  it('is found in one corner of a long message', () => {
    const filler = 'We had pasta and then the bus was late again so nobody minded. '
    const alone = marginOf('i wrote letters for when i am gone').margin
    const inside = marginOf(filler.repeat(20) + 'i wrote letters for when i am gone. ' + filler.repeat(20)).margin
    expect(inside).toBeGreaterThan(alone / 2)
  })

  it('leaves out the sentences that mean nothing of the kind', () => {
    const text = 'We had lunch outside. I wrote letters for when i am gone.'
    expect(marginOf(text).margin).toBeGreaterThan(0)
    expect(marginOf(text, [1]).margin).toBeLessThanOrEqual(0)
  })

  it('is the same however often it is asked', () => {
    const first = marginOf('i wrote letters for when i am gone')
    marginOf('the river is where i want to end')
    expect(marginOf('i wrote letters for when i am gone')).toEqual(first)
  })

  it('compares a message of any length in bounded time', () => {
    const words = Array.from({ length: 60_000 }, (_, i) => `word${i % 977}`)
    expect(marginOf(words.join(' '))).toEqual({ margin: 0, category: null })
    // More made-up words than are kept.
    for (let message = 0; message < 4; message += 1) {
      const made = Array.from({ length: 4800 }, (_, i) => `made${message}${i}up`)
      expect(marginOf(made.join(' '))).toEqual({ margin: 0, category: null })
    }
  })
})
