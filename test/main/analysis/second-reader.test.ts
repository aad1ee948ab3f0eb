import { describe, expect, it } from 'vitest'
import { createEngine, readDetection } from '../../../main/analysis/index.ts'
import { eachFeature, manners, soundsOf, type Manner, type MannerData } from '../../../main/analysis/manner.ts'
import { readDetectionFiles } from '../../../main/platform/detection-files.ts'
import { said } from '../../evaluation/engine.ts'

const detection = readDetection(readDetectionFiles())
const buckets = 1 << 14

/** A model that knows only the words given, each as a sure sign of one manner. */
function knowing(words: Record<string, Manner>): MannerData {
  const table = new Int8Array(buckets * manners.length)
  for (const [word, manner] of Object.entries(words)) {
    const sounds = soundsOf([{ forms: [word], start: 0, end: 1, sentence: 0, afterBreak: false, quoted: false }], buckets) // prettier-ignore
    const found: number[] = []
    eachFeature(sounds, 0, buckets, (_, bucket) => found.push(bucket))
    table[found[0]! * manners.length + manners.indexOf(manner)] = 127
  }
  return {
    ...detection.manner,
    buckets,
    bias: manners.map((name) => (name === 'plain' ? 4 : 0)),
    scale: 1,
    weights: Buffer.from(table.buffer).toString('base64'),
  }
}
const words = { zarp: 'danger', glorn: 'jest', mibble: 'denied', quorp: 'quoted', tranz: 'other', vorst: 'threat', snick: 'abuse', drell: 'concern' } as const // prettier-ignore
const engine = createEngine({ ...detection, manner: knowing(words) })
const assess = (text: string) => engine.assess(said(text))

describe('what no phrase names', () => {
  it('is a crisis where it is surely worded as danger, decided by the floor and told as the reader’s own', () => {
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

  it('is no alarm in a few words that name neither death nor a means', () => {
    expect(assess('we talked about zarp today').tier).toBe('caution')
    expect(assess('we saw zarp pills today').tier).toBe('crisis')
  })

  it('is a deadly jest only where a deadly word is in it', () => {
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

  it('is no crisis in doubt, where the rules have taken every grave word away', () => {
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

  it.each([
    ['when more is said in earnest', 'glorn i am going to kill myself i am not joking'],
    ['when nothing is denied in it', 'mibble so i am going to kill myself over there'],
    ['when students speak of themselves', 'tranz so i am going to kill myself over there'],
    ['when a person is blamed', 'glorn he makes me want to kill myself'],
    ['when their sentence says nothing else', 'quorp is on the page here. I want to die.'],
    ['when a word or two stands alone', 'glorn kill myself'],
    [
      'when the message is long',
      `glorn i am going to kill myself. ${'We had practice today and then lunch. '.repeat(12)}`,
    ],
  ])('stay a crisis %s', (_when, text) => {
    expect(assess(text).tier).toBe('crisis')
  })
})

describe('a model whose data do not fit together', () => {
  it('is refused', () => {
    const yaml = readDetectionFiles()['manner.yaml']!
    const read = (text: string) => () => readDetection({ ...readDetectionFiles(), 'manner.yaml': text })
    expect(read(yaml.replace(/buckets: \d+/, 'buckets: 64'))).toThrow(/manner\.yaml.*buckets × manners/)
    expect(read(yaml.replace(/buckets: \d+/, 'buckets: 63'))).toThrow(/power of two/)
    expect(read(yaml.replace(/weights: .*/, 'weights: "no base64!"'))).toThrow(/manner\.yaml.*buckets × manners/)
  })
})
