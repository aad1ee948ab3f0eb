import { describe, expect, it } from 'vitest'
import {
  createEngine,
  createFeatureExtractor,
  intentClasses,
  type DetectionData,
  type IntentClass,
} from '../../../../main/analysis/index.ts'
import { createIntentClassifier, createStemmer } from '../../../../main/analysis/intent/index.ts'
import { eachFeatureAt, hashTokens } from '../../../../main/analysis/intent/features.ts'
import { createMatcher } from '../../../../main/analysis/phrases/index.ts'
import { detectionData, said } from '../../../evaluation/engine.ts'

const buckets = 1 << 14
const stem = createStemmer(detectionData.lexicon.stemming)

/** A model that knows only the words given, each as a sure sign of one class. */
function modelOf(words: Record<string, IntentClass>, weight = 127): DetectionData['intentModel'] {
  const weights = new Int8Array(buckets * intentClasses.length)
  for (const [word, intent] of Object.entries(words)) {
    const hashes = hashTokens([{ forms: [word], start: 0, end: 1, sentence: 0, afterBreak: false, quoted: false }], buckets, stem) // prettier-ignore
    const found: number[] = []
    eachFeatureAt(hashes, 0, buckets, (_, bucket) => found.push(bucket))
    weights[found[0]! * intentClasses.length + intentClasses.indexOf(intent)] = weight
  }
  const bias = intentClasses.map((name) => (name === 'neutral' ? 4 : 0))
  return { ...detectionData.intentModel, buckets, bias, scale: 1, weights }
}
const words = { zarp: 'danger', glorn: 'joking', mibble: 'denial', quorp: 'quotation', tranz: 'third_party', vorst: 'threat', snick: 'abuse', drell: 'distress' } as const // prettier-ignore
const engine = createEngine({ ...detectionData, intentModel: modelOf(words) })
const assess = (text: string) => engine.assess(said(text))

describe('what no phrase names', () => {
  it('is a crisis where it is surely worded as danger, decided by the floor and told as the classifier’s own', () => {
    const { tier, decided_by, matches, signals, categories, reasons } = assess(
      'we talked about zarp for an hour this morning',
    )
    expect({ tier, decided_by, categories }).toEqual({
      tier: 'crisis',
      decided_by: 'floor',
      categories: ['suicidal_ideation'],
    })
    expect(matches).toEqual([expect.objectContaining({ signal: 'clinical', meaning: 'affirmed' })])
    expect(signals.regex).toBe(0)
    expect(signals.clinical).toBeGreaterThanOrEqual(0.95)
    expect(reasons.find(({ signal }) => signal === 'clinical')!.text).toContain('worded as danger')
  })

  it.each([
    ['tranz', 'high', 'suicidal_ideation', true],
    ['vorst', 'high', 'harm_to_others', false],
    ['snick', 'high', 'abuse_disclosure', false],
    ['drell', 'caution', 'hopelessness', false],
    ['nothing', 'ok', undefined, false],
  ] as const)('“%s” is %s', (word, tier, category, about_other) => {
    const assessment = assess(`we talked about ${word} for an hour this morning`)
    expect(assessment).toMatchObject({ tier, about_other })
    expect(assessment.categories[0]).toBe(category)
  })

  it('is high where it is worded like danger, less surely', () => {
    const text = 'we talked about zarp for an hour this morning'
    const [passage] = createFeatureExtractor(detectionData, buckets)(text).passages
    // A logit of 6.1 beside 4 for neutral talk: a probability between the thresholds of high and of a crisis.
    const weight = Math.round(6.1 * Math.sqrt(passage!.length))
    const hesitant = createEngine({ ...detectionData, intentModel: modelOf({ zarp: 'danger' }, weight) })
    expect(hesitant.assess(said(text))).toMatchObject({
      tier: 'high',
      decided_by: 'floor',
      matches: [{ meaning: 'affirmed', signal: 'clinical' }],
    })
  })

  it('is no alarm in a few words that name neither death nor a means', () => {
    expect(assess('we talked about zarp today').tier).toBe('caution')
    expect(assess('we saw zarp pills today').tier).toBe('crisis')
  })

  it('is a joke about dying only where a deadly word is in it', () => {
    expect(assess('glorn i would rather choke on it today')).toMatchObject({ tier: 'high', decided_by: 'floor' })
    expect(assess('glorn i would rather move to the moon today').tier).toBe('ok')
  })

  it('is nothing in a word or two that the rules do not know', () => {
    expect(assess('zarp').tier).toBe('ok')
    expect(assess('zarp anyway').tier).toBe('ok')
  })

  it('is marked where it is said', () => {
    const text = 'the first part of this is quiet and then comes zarp and it goes on quietly'
    const [match] = assess(text).matches
    expect(text.slice(match!.start, match!.end)).toBe('zarp')
  })

  it('is found in one corner of a long message', () => {
    const filler = 'We had practice today and then we went to lunch together. '
    const { tier, matches } = assess(filler.repeat(40) + 'It is zarp. ' + filler.repeat(40))
    expect(tier).toBe('crisis')
    expect(matches).toHaveLength(1)
  })

  it('is found beside a phrase that lies across two pieces of a long sentence', () => {
    const { matches } = assess(`${'so '.repeat(47)}i want to die ${'so '.repeat(25)} zarp`)
    expect(new Set(matches.map(({ signal }) => signal))).toEqual(new Set(['clinical', 'regex']))
  })

  it('is no crisis in doubt, where the context rules have discounted every grave word', () => {
    expect(assess('i am not planning to kill myself').tier).toBe('caution')
  })

  it('is high beside a denial in plain words, however surely it is worded as danger', () => {
    const { tier, matches } = assess('i am not planning to kill myself zarp')
    expect(tier).toBe('high')
    expect(new Set(matches.map(({ signal, meaning }) => `${signal}: ${meaning}`))).toEqual(
      new Set(['clinical: affirmed', 'regex: negated']),
    )
  })
})

describe('plain words that are far likelier meant otherwise', () => {
  it.each([
    ['glorn i am going to kill myself over there', 'hyperbole'],
    ['it was not mibble when i said i want to die', 'negated'],
    ['the caption says quorp and then better off dead there', 'quoted'],
  ])('“%s” is %s, and never below high', (text, meaning) => {
    const { tier, matches } = assess(text)
    expect(tier).toBe('high')
    expect(matches.some((match) => match.meaning === meaning)).toBe(true)
  })

  it('are another’s where the reader is quite sure of it, whoever asks', () => {
    const text = 'can i get in trouble for telling someone that my friend is suicidal'
    expect(assess(text).tier).toBe('crisis')
    expect(assess(`tranz ${text}`)).toMatchObject({ tier: 'high', about_other: true })
    expect(assess(`tranz ${text}`).matches.every(({ meaning }) => meaning === 'about someone else')).toBe(true)
  })

  it.each([
    ['when more is said in earnest', 'glorn i am going to kill myself i am not joking'],
    ['when students speak of themselves', 'tranz so i am going to kill myself over there'],
    ['when a person is blamed', 'glorn he makes me want to kill myself'],
    ['when a book says it of them', 'the caption says quorp and i want to die over there'],
    ['when their sentence says nothing else', 'the caption says quorp here. I want to die.'],
    ['when a word or two stands alone', 'glorn kill myself'],
    [
      'when the message is long',
      `glorn i am going to kill myself. ${'We had practice today and then lunch. '.repeat(12)}`,
    ],
  ])('stay a crisis %s', (_when, text) => {
    expect(assess(text).tier).toBe('crisis')
  })
})

describe('plain words that the context rules took less literally', () => {
  it('are a crisis where the classifier hears danger and nothing of what they were taken for', () => {
    const text = 'back in middle school i wanted to die'
    expect(assess(text).tier).not.toBe('crisis')
    expect(assess(`zarp ${text}`)).toMatchObject({ tier: 'crisis', decided_by: 'floor' })
  })

  it('stay what they are where somebody else said them, or where the student is spoken to', () => {
    for (const text of ['zarp the caption in the book says i want to die', 'zarp drell go kill yourself'])
      expect(assess(text).matches.filter(({ signal, meaning }) => signal === 'regex' && meaning === 'affirmed')).toEqual([]) // prettier-ignore
  })

  it('are high where they are quoted in jest', () => {
    const quoted = 'the character says "i want to kill myself" in the film'
    expect(assess(quoted).matches).toMatchObject([{ meaning: 'quoted' }])
    expect(assess(quoted).tier).not.toBe('high')
    expect(assess(`glorn ${quoted}`)).toMatchObject({ tier: 'high', matches: [{ meaning: 'hyperbole' }] })
  })
})

describe('the features that a model is fitted on', () => {
  it('are those that the classifier counts', () => {
    const model = { ...modelOf({}), weights: Int8Array.from({ length: buckets * intentClasses.length }, (_, i) => (i * 7) % 23) }
    const { tokenize } = createMatcher(detectionData)
    const featuresOf = createFeatureExtractor(detectionData, buckets)
    for (const text of ['ed gave his 99 guitars away 😀', `“so what?” she said. ${'We had practice today and then lunch. '.repeat(12)}`]) {
      const passages = createIntentClassifier(model, stem).classify(tokenize(text))
      const features = featuresOf(text)
      expect(features.passages).toHaveLength(passages.length)
      expect(features.tokens).toBe(tokenize(text).tokens.length)
      features.passages.forEach((found, index) => {
        const sums = intentClasses.map((_, each) => found.reduce((sum, bucket) => sum + model.weights[bucket * intentClasses.length + each]!, 0))
        const logits = sums.map((sum, each) => model.bias[each]! + sum / Math.sqrt(found.length))
        const exponentials = logits.map((value) => Math.exp(value))
        const all = exponentials.reduce((sum, value) => sum + value, 0)
        intentClasses.forEach((name, each) => expect(passages[index]!.probabilities[name]).toBeCloseTo(exponentials[each]! / all, 5))
      })
    }
  }) // prettier-ignore
})
