import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tierRank, type RiskTier } from '../../shared/risk.ts'
import { inputOf, readRows } from '../../main/evaluation/index.ts'
import { assess, engine } from './engine.ts'
import { besides, byItem, noItem } from './golden/markers.ts'

interface Row {
  id: string
  slice: string
  tier: RiskTier
  text: string
}
const read = (file: string): Row[] =>
  readFileSync(join(import.meta.dirname, 'golden', `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

const strangers = (slice: string): Row[] =>
  [...read('stranger-first'), ...read('stranger-second')].filter((row) => row.slice === slice)

/** Ids of the rows that fail; a failing gate names them and quotes nothing. */
const failing = (rows: readonly Row[], fails: (row: Row) => boolean): string[] => rows.filter(fails).map(({ id }) => id)
const notCrisis = ({ text }: Row): boolean => assess(text).tier !== 'crisis'
const isCrisis = ({ text }: Row): boolean => assess(text).tier === 'crisis'
const atLeast = (tier: RiskTier, text: string): boolean => tierRank(assess(text).tier) >= tierRank(tier)

describe('the golden set', () => {
  it('finds every explicit statement, plain and disguised', () => {
    const rows = read('explicit')
    expect(rows.length).toBeGreaterThan(200)
    expect(failing(rows, notCrisis)).toEqual([])
  })

  it('finds at least 99.5 % of the hard crises', () => {
    const rows = read('hard-crisis')
    expect(rows.length).toBeGreaterThanOrEqual(800)
    expect(failing(rows, notCrisis).length).toBeLessThanOrEqual(Math.floor(rows.length * 0.005))
  })

  it('is not misled by a negation that denies nothing', () => {
    expect(failing(read('misleading-negation'), notCrisis)).toEqual([])
  })

  it('calls no idiom a crisis, none above caution, and at most 2 % caution', () => {
    const rows = read('benign-idiom')
    expect(failing(rows, isCrisis)).toEqual([])
    expect(failing(rows, ({ text }) => atLeast('high', text))).toEqual([])
    expect(failing(rows, ({ text }) => atLeast('caution', text)).length).toBeLessThanOrEqual(rows.length * 0.02)
  })

  it('keeps jests with explicit words at high', () => {
    const rows = read('jest')
    expect(failing(rows, isCrisis).length).toBeLessThanOrEqual(rows.length * 0.3)
    expect(failing(rows, ({ text }) => !atLeast('high', text))).toEqual([])
  })

  it('calls quoted words a crisis in at most 30 %', () => {
    const rows = read('quoted')
    expect(failing(rows, isCrisis).length).toBeLessThanOrEqual(rows.length * 0.3)
  })

  it.each(['ordinary', 'stress'])('leaves %s talk alone', (slice) => {
    const rows = read(slice)
    expect(failing(rows, ({ text }) => atLeast('caution', text)).length).toBeLessThanOrEqual(rows.length * 0.02)
    expect(failing(rows, isCrisis)).toEqual([])
  })

  it('calls what is denied, or past and over, a crisis in at most 5 %', () => {
    const rows = read('negated')
    expect(failing(rows, isCrisis).length).toBeLessThanOrEqual(rows.length * 0.05)
  })

  it('sees danger to somebody else as high and about another', () => {
    const rows = read('other')
    const seen = rows.filter(({ text }) => {
      const { tier, about_other } = assess(text)
      return about_other && tier === 'high'
    })
    expect(seen.length).toBeGreaterThanOrEqual(rows.length * 0.95)
    expect(failing(rows, isCrisis).length).toBeLessThanOrEqual(rows.length * 0.05)
  })

  it('hears indirect ideation as caution or more in at least 80 %', () => {
    const rows = read('indirect')
    expect(rows.filter(({ text }) => atLeast('caution', text)).length).toBeGreaterThanOrEqual(rows.length * 0.8)
  })

  it('finds the items of both questionnaires with recall and precision of at least 0.85', () => {
    let [found, missed, wrong] = [0, 0, 0]
    for (const [item, sentences] of Object.entries(byItem)) {
      for (const sentence of sentences) {
        const { markers, categories } = assess(sentence)
        const items = new Set<string>(markers.map(({ marker_type }) => marker_type))
        if (items.delete(item)) found += 1
        else missed += 1
        for (const fair of besides[item as keyof typeof byItem] ?? []) items.delete(fair)
        // What is taken for hopelessness carries item 2 beside its own.
        if (categories.includes('hopelessness')) items.delete('PHQ9_ITEM_2')
        wrong += items.size
      }
    }
    for (const sentence of noItem) wrong += assess(sentence).markers.length
    expect(found / (found + missed)).toBeGreaterThanOrEqual(0.85)
    expect(found / (found + wrong)).toBeGreaterThanOrEqual(0.85)
  })

  it.each(['later-second', 'later-third'])('holds what was learned from %s', (file) => {
    const rows = read(file)
    const crises = rows.filter(({ tier }) => tier === 'crisis')
    expect(crises.filter(isCrisis).length).toBeGreaterThanOrEqual(crises.length * 0.93)
    const ok = rows.filter(({ tier }) => tier === 'ok')
    expect(failing(ok, ({ text }) => atLeast('caution', text)).length).toBeLessThanOrEqual(ok.length * 0.03)
  })

  // Two writers who saw neither the rules nor the sentences the intent classifier was fitted on. Held at what is reached;
  // `npm run evaluate -- --suite` shows the same slices beside the targets.
  it.each([
    ['explicit', 'crisis', 0.92],
    ['explicit', 'high', 0.98],
    ['disguised', 'crisis', 0.9],
    ['negation', 'crisis', 0.84],
    ['indirect', 'caution', 0.82],
    ['long', 'caution', 0.7],
    ['concern', 'caution', 0.7],
    ['self-harm', 'caution', 0.8],
    ['threat', 'high', 0.8],
    ['abuse', 'high', 0.85],
    ['other', 'high', 0.9],
    ['jest', 'high', 0.7],
  ] as const)('strangers, %s: at least %s in a share of %d', (slice, tier, share) => {
    const rows = strangers(slice)
    expect(rows.filter(({ text }) => atLeast(tier, text)).length).toBeGreaterThanOrEqual(rows.length * share)
  })

  it.each([
    ['jest', 'crisis', 0.12],
    ['quoted', 'crisis', 0.04],
    ['denied', 'crisis', 0.11],
    ['other', 'crisis', 0.08],
    ['idiom', 'caution', 0.03],
    ['ordinary', 'caution', 0.03],
    ['stress', 'caution', 0.03],
    ['ordinary', 'crisis', 0],
    ['stress', 'crisis', 0],
    ['idiom', 'crisis', 0],
  ] as const)('strangers, %s: %s in a share of at most %d', (slice, tier, share) => {
    const rows = strangers(slice)
    expect(failing(rows, ({ text }) => atLeast(tier, text)).length).toBeLessThanOrEqual(rows.length * share)
  })

  // Written later and hard on purpose: held at what is reached, so that nothing learned is lost again.
  it.each([
    ['later-fourth', 0.9],
    ['later-fifth', 0.84],
  ] as const)('holds what was learned from %s', (file, share) => {
    const rows = read(file)
    const crises = rows.filter(({ tier }) => tier === 'crisis')
    expect(crises.filter(isCrisis).length).toBeGreaterThanOrEqual(crises.length * share)
    const rest = rows.filter(({ tier }) => tier !== 'crisis')
    expect(failing(rest, isCrisis).length).toBeLessThanOrEqual(3)
    expect(failing(rest, ({ tier, text }) => tier === 'ok' && atLeast('caution', text))).toEqual([])
  })

  it('hears the kinds of danger that were read as too little', () => {
    const rows = read('classes')
    expect(failing(rows, ({ tier, text }) => !atLeast(tier, text)).length).toBeLessThanOrEqual(3)
  })

  it('hears ideation in other languages, and says when it cannot read one', () => {
    const rows = read('languages')
    expect(failing(rows, ({ tier, text }) => !atLeast(tier, text))).toEqual([])
    const unread = rows.filter(({ slice }) => slice === 'language-uncovered')
    expect(failing(unread, ({ text }) => !assess(text).degraded.includes('regex'))).toEqual([])
    const english = rows.filter(({ tier }) => tier === 'ok')
    expect(failing(english, ({ text }) => atLeast('caution', text))).toEqual([])
  })

  // Most of their last lines mean nothing alone: what the conversation adds is what is held here.
  describe('of dialogues', () => {
    const dialogues = readRows(readFileSync(join(import.meta.dirname, 'golden', 'dialogues.jsonl'), 'utf8'))
    const judged = dialogues.map((row) => {
      const input = inputOf(engine, row)
      const danger = row.truth !== null && 'label' in row.truth && row.truth.label === 1
      return { ...row, danger, tier: engine.assess(input).tier, alone: engine.assess({ ...input, recent: [] }).tier }
    })
    const dangers = judged.filter(({ danger }) => danger)
    const harmless = judged.filter(({ danger }) => !danger)

    it('hears at least 90 % of the dangers', () => {
      expect(harmless.length).toBe(dangers.length)
      expect(dangers.filter(({ tier }) => tier !== 'ok').length).toBeGreaterThanOrEqual(dangers.length * 0.9)
    })

    it('calls it a crisis in at least 90 % where the student says yes, asked about suicide', () => {
      const asked = dangers.filter(({ slice }) => slice === 'asked-yes')
      expect(asked.filter(({ tier }) => tier === 'crisis').length).toBeGreaterThanOrEqual(asked.length * 0.9)
    })

    it('raises at most 2 % of the harmless ones above what they are alone', () => {
      const raised = harmless.filter(({ tier, alone }) => tier !== alone).map(({ id }) => id)
      expect(raised.length).toBeLessThanOrEqual(harmless.length * 0.02)
      expect(harmless.filter(({ tier }) => tier !== 'ok').length).toBeLessThanOrEqual(harmless.length * 0.1)
    })

    it('hears a no, and a misreading set right, in at least 95 %', () => {
      const set = harmless.filter(({ slice }) => slice === 'asked-no' || slice === 'misunderstood')
      expect(set.filter(({ tier }) => tier !== 'ok').length).toBeLessThanOrEqual(set.length * 0.05)
    })
  })

  // Spanish, and Spanish mixed with English. The rules were written with these sentences in sight: held at what is reached.
  it('finds every explicit statement in Spanish, plain, disguised and mixed with English', () => {
    const slices = ['spanish-explicit', 'spanish-disguised', 'spanish-mixed-crisis']
    const rows = read('spanish').filter(({ slice }) => slices.includes(slice))
    expect(rows).toHaveLength(95)
    expect(failing(rows, notCrisis)).toEqual([])
  })

  it.each([
    ['spanish-not-here', 'crisis', 0.95],
    ['spanish-indirect', 'high', 0.9],
    ['spanish-self-harm', 'caution', 0.95],
    ['spanish-threat', 'high', 0.95],
    ['spanish-abuse', 'high', 0.95],
    ['spanish-other', 'high', 0.9],
    ['spanish-mixed-other', 'high', 0.95],
    ['spanish-concern', 'caution', 0.9],
  ] as const)('%s: at least %s in a share of %d', (slice, tier, share) => {
    const rows = read('spanish').filter((row) => row.slice === slice)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ text }) => atLeast(tier, text)).length).toBeGreaterThanOrEqual(rows.length * share)
  })

  it.each([
    ['spanish-ordinary', 'caution', 0.03],
    ['spanish-stress', 'caution', 0.07],
    ['spanish-idiom', 'caution', 0.05],
    ['spanish-ordinary', 'crisis', 0],
    ['spanish-stress', 'crisis', 0],
    ['spanish-idiom', 'crisis', 0],
    ['spanish-denied', 'crisis', 0],
    ['spanish-jest', 'crisis', 0.1],
    ['spanish-mixed-ok', 'crisis', 0],
  ] as const)('%s: %s in a share of at most %d', (slice, tier, share) => {
    const rows = read('spanish').filter((row) => row.slice === slice)
    expect(rows.length).toBeGreaterThan(0)
    expect(failing(rows, ({ text }) => atLeast(tier, text)).length).toBeLessThanOrEqual(rows.length * share)
  })

  it.each(['I want to end my life', 'kill myself', 'i feel like there is no reason to live', 'im going to kill myself tonight'])(
    'is near in meaning to a phrase of its own set: %s',
    (text) => expect(assess(text).signals.semantic).toBeGreaterThanOrEqual(0.7),
  ) // prettier-ignore

  it.each(['this homework is killing me', 'I had a good day today', 'i took my dog to the park'])(
    'is near in meaning to none: %s',
    (text) => expect(assess(text).signals.semantic).toBe(0),
  )
})
