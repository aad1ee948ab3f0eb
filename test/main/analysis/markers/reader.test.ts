import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MarkerType } from '../../../../shared/estimates.ts'
import { markerTypes } from '../../../../shared/estimates.ts'
import { createEngine, createMarkerExtractor } from '../../../../main/analysis/index.ts'
import { detectionData, engine, said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const marked = (text: string) => engine.assess(said(text)).markers
const items = (text: string): MarkerType[] => marked(text).map(({ marker_type }) => marker_type)
const byPhrases = (text: string) => rulesOnly().assess(said(text)).markers

describe('the fitted reader of item markers', () => {
  it.each([
    ['i stare at the ceiling until four and the alarm goes off at six', 'PHQ9_ITEM_3'],
    ['my favorite show is on and there is no fun in it for me, it feels flat', 'PHQ9_ITEM_1'],
    ['my knees keep going under the desk and i cannot keep still in class', 'GAD7_ITEM_5'],
  ] as const)('marks “%s”', (text, item) => {
    expect(items(text)).toContain(item)
  })
  it('marks the words that speak of the item, in a message of several sentences', () => {
    const sentence = 'there is no joy in drawing for me now.'
    const text = `we had tacos at my cousin's place on sunday. ${sentence} the bus was late so i walked to the library with my little brother.`
    const marker = marked(text).find(({ marker_type }) => marker_type === 'PHQ9_ITEM_1')!
    expect(marker.start).toBeGreaterThan(30)
    expect(sentence).toContain(text.slice(marker.start, marker.end))
    expect(marker.confidence).toBeGreaterThan(0)
    expect(marker.confidence).toBeLessThan(1)
  })
  it('does not mark what somebody else is said to have, nor what a phrase denies', () => {
    for (const text of ['she hates her body and starves herself', "i'm not depressed", 'he is nervous'])
      expect(marked(text)).toEqual([])
  })
  it('does not believe a phrase where nothing around it speaks of the item, but for the whole of a message', () => {
    const text = 'sad that the bakery on the corner closed'
    expect(byPhrases(text)).not.toEqual([])
    expect(marked(text)).toEqual([])
    expect(items('tired')).toEqual(['PHQ9_ITEM_3'])
  })
  it('believes every published phrase in a plain sentence', () => {
    const published = [
      'no interest', 'lost interest', 'depressed', 'sad', 'hopeless', 'empty', "can't sleep", 'insomnia', 'tired',
      'no energy', 'exhausted', 'tired all the time', 'worthless', 'burden', "can't focus", "can't concentrate", 'want to die',
      'nervous', 'anxious', 'on edge', 'tense', "can't stop worrying", 'constant worry', "can't relax", 'irritable',
    ] // prettier-ignore
    for (const phrase of published)
      for (const around of [`i feel ${phrase} these days`, `honestly i am ${phrase}`, `i am so ${phrase} lately`]) {
        const [before, now] = [byPhrases(around), items(around)]
        for (const { marker_type } of before) expect([around, now]).toEqual([around, expect.arrayContaining([marker_type])])
      }
  }) // prettier-ignore
  it('reads a sentence without an end in pieces, and never throws', () => {
    const long = `${'and then we walked on and on '.repeat(20)} i cannot sleep at night anymore ${'and then we walked on '.repeat(20)}`
    const marker = marked(long).find(({ marker_type }) => marker_type === 'PHQ9_ITEM_3')
    expect(marker!.end - marker!.start).toBeLessThan(200)
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const found = marked(text)
        expect(new Set(found.map(({ marker_type }) => marker_type)).size).toBe(found.length)
        for (const { start, end, confidence } of found) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 60 },
    )
  })
  it('marks nothing where no item is ever sure enough', () => {
    const calibration = Object.fromEntries(markerTypes.map((item) => [item, { slope: 1, offset: 0, threshold: 1, doubt: 0 }])) as typeof detectionData.markerModel.calibration // prettier-ignore
    const never = createEngine({ ...detectionData, markerModel: { ...detectionData.markerModel, calibration } })
    expect(never.assess(said('dinner goes to the dog most nights now')).markers).toEqual([])
  })
})

it('counts features in the windows of a text', () => {
  const features = createMarkerExtractor(detectionData, 1 << 10)
  expect(features('').windows).toEqual([])
  expect(features('we walked home').windows).toHaveLength(1)
  expect(features('we walked home. then we ate.').windows).toHaveLength(3)
  expect(
    features('on and on '.repeat(20)).windows.every((buckets) => buckets.every((bucket) => bucket < 1 << 10)),
  ).toBe(true)
  expect([...features('i am not tired').phrases]).toContain('PHQ9_ITEM_3')
})
