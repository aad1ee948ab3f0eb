import { describe, expect, it } from 'vitest'
import { protocolReplyIn } from '../../../main/analysis/index.ts'
import { tierRank } from '../../../shared/risk.ts'
import { assess, engine, said } from '../../evaluation/engine.ts'

describe('what the specification says of sentences', () => {
  it('“I want to end my life” is a crisis of at least 0.95, decided by the floor', () => {
    const assessment = assess('I want to end my life')
    expect(assessment).toMatchObject({ tier: 'crisis', level: 'CRISIS', decided_by: 'floor', degraded: [] })
    expect(assessment.score).toBeGreaterThanOrEqual(0.95)
  })
  it('“This homework is killing me” scores below 0.50', () => {
    expect(assess('This homework is killing me').score).toBeLessThan(0.5)
  })
  it('“I had a good day today” scores exactly 0', () => {
    expect(assess('I had a good day today')).toMatchObject({ score: 0, level: 'SAFE', tier: 'ok', matches: [] })
  })
  it('“I’m checking out early tonight” reaches 0.75 by regex or semantic', () => {
    const { signals, tier } = assess("I'm checking out early tonight")
    expect(Math.max(signals.regex!, signals.semantic!)).toBeGreaterThanOrEqual(0.75)
    expect(tier).toBe('caution')
  })
  it('a trivial cause leaves explicit words high, never lower', () => {
    const assessment = assess("I'm gonna kill myself if this class doesn't end")
    expect(assessment).toMatchObject({ tier: 'high', level: 'CAUTION' })
    expect(assessment.matches[0]!.meaning).toBe('trivial cause')
  })
  it('a friend’s danger is high and about another', () => {
    expect(assess('my friend wants to kill herself')).toMatchObject({
      tier: 'high',
      about_other: true,
      level: 'CAUTION',
    })
  })
  it.each([
    "I don't want to live",
    "I don't see the point of living",
    'why not just die',
    "I'm going to hurt myself tonight",
    'cant go on, i want 2 d1e',
    'no quiero vivir',
    'I am going to shoot up the school',
    'i took all my pills',
  ])('“%s” is a crisis', (text) => {
    expect(assess(text).tier).toBe('crisis')
  })
  it.each([
    ["I don't want to die", 'negated'],
    ['I used to want to die but I am better now', 'past'],
    ['the lyrics go i want to die', 'quoted'],
    ['they told me to kill myself', 'quoted'],
    ['I keep having to kill myself in minecraft', 'quoted'],
    ['kms lol', 'hyperbole'],
    ['she said "i want to kill myself"', 'quoted'],
    ['go kill yourself', 'quoted'],
    ['my brother wants to kms', 'about someone else'],
    ['my mom said goodbye forever', 'about someone else'],
  ])('“%s” is read as %s', (text, meaning) => {
    expect(assess(text).matches.map((match) => match.meaning)).toContain(meaning)
    expect(assess(text).tier).not.toBe('crisis')
  })
  it('a match of 0.80 or more is at least caution', () => {
    expect(assess('I am checking out early').level).toBe('CAUTION')
  })
  it('an unresolved attempt in the past is high, a resolved one caution', () => {
    expect(assess('I tried to kill myself once').tier).toBe('high')
    expect(assess('I tried to kill myself once but I am glad I survived').tier).toBe('caution')
    expect(assess('I tried to cut myself').tier).toBe('high')
  })
  it('dark lyrics in the news do not take away what a student says of themselves', () => {
    expect(assess('the song is sad but honestly i want to die').tier).toBe('crisis')
  })
  it.each([
    ['you want to die of shame, they want to die too', 'crisis', false],
    ['he makes me want to kill myself', 'crisis', true],
    ['no offense but this makes me wanna kill myself', 'crisis', false],
    ['my mom says that i should kill myself', 'crisis', false],
    ['mom told me to go and she is fine, yes they told me that i should kill myself', 'crisis', false],
    ['i hope my phone dies', 'caution', false],
    ['you are better off dead', 'crisis', false],
    ['stop!now i want to die', 'crisis', true],
  ] as const)('“%s”', (text, tier, expected) => {
    expect(tierRank(assess(text).tier) >= tierRank(tier)).toBe(expected)
  })
  it('knows a student by history that gets worse', () => {
    const { at } = said('')
    const mark = (ago: number, confidence: number) => ({
      marker_type: 'PHQ9_ITEM_9' as const,
      confidence,
      at: at - ago * 86_400_000,
    })
    const history = [mark(1, 1), mark(10, 1)]
    expect(assess('hello', { history }).reasons.find(({ signal }) => signal === 'history')!.text).toContain('stable')
  })
  it('a bare mention beside a first person is never ok', () => {
    expect(assess('there is a poster about suicide near the gym where i have lunch with people').tier).not.toBe('ok')
    expect(assess('suicide').tier).toBe('crisis')
  })
})

describe('a sincere statement is not taken less literally', () => {
  it.each([
    'he raped me and i want to die haha',
    'bruh my dad beat me again i literally want to die',
    'he told me he hates me so gonna kill myself',
    "my friend doesn't know but gonna kill myself he hurt me so bad",
    'the book we read in class made me realise i want to die',
    'my character in the play dies and honestly i want to die',
  ])('“%s”', (text) => {
    expect(assess(text).tier).toBe('crisis')
  })

  it('for any emoji between its words', () => {
    const statements = ['kill myself tonight', "i'm better off dead", "i don't want to live", 'i want to end my life', "i'm going to hang myself"]
    for (const statement of statements)
      for (const sign of ['🔪🔪', '🔫', '💊', '⚰️', '🪦', '🪢', '😭', '❤️']) {
        const words = statement.split(' ')
        for (let gap = 1; gap < words.length; gap += 1)
          expect(assess([...words.slice(0, gap), sign, ...words.slice(gap)].join(' ')).tier).toBe('crisis')
      }
  }) // prettier-ignore
})

it('explicit words with a trivial cause are high, never lower', () => {
  for (const text of ["i'm gonna kill myself over this", "i swear i'm gonna kill myself over this class"])
    expect(tierRank(assess(text).tier)).toBeGreaterThanOrEqual(tierRank('high'))
})

describe('beyond single words', () => {
  it('reads a wide sentence of neutral words as nothing', () => {
    expect(assess('word '.repeat(300)).tier).toBe('ok')
  })
  it('raises the same grave category, again below the floor, to high', () => {
    const previous = [{ tier: 'caution' as const, sentiment: 0, categories: ['coded_language' as const] }]
    expect(assess("I'm checking out early tonight", { previous }).tier).toBe('high')
    expect(assess("I'm checking out early tonight").tier).toBe('caution')
  })
  it('a rapid fall of sentiment is caution', () => {
    const previous = [0.5, 0, -0.4].map((sentiment) => ({ tier: 'ok' as const, sentiment, categories: [] }))
    const sad = 'sad sad awful terrible awful pain'
    expect(assess(sad, { previous }).tier).toBe('caution')
    expect(assess(sad).tier).toBe('ok')
  })
  it('history joins the consensus', () => {
    const { at } = said('')
    const history = [{ marker_type: 'PHQ9_ITEM_9' as const, confidence: 1, at: at - 1000 }]
    const assessment = assess('hello there', { history })
    expect(assessment.signals.history).toBeGreaterThan(0)
    expect(assessment.reasons.find(({ signal }) => signal === 'history')!.text).toContain('too few')
  })
  it('a language the patterns do not cover is at least caution, and says that detection is degraded', () => {
    for (const text of [
      'Je ne sais pas quoi dire, la vie est belle',
      'я очень устал сегодня',
      '今日はとても疲れました',
    ])
      expect(assess(text)).toMatchObject({ tier: 'caution', level: 'CAUTION', degraded: ['regex'] })
  })
  it('known words in a language that is not covered count all the same', () => {
    const assessment = assess('je veux mourir parce que je ne sais plus quoi faire')
    expect(assessment).toMatchObject({ tier: 'crisis', degraded: ['regex'] })
    expect(assessment.signals.regex).toBeGreaterThan(0)
    const { text } = assessment.reasons.find(({ signal }) => signal === 'regex')!
    expect(text).toMatch(/^Matched: .* The rest of the message is in a language that the patterns do not cover\.$/)
  })
  it('a long message is read sentence by sentence', () => {
    const filler = 'We had practice today and then we went to lunch together. '
    expect(assess(filler.repeat(200) + 'I want to die. ' + filler.repeat(200)).tier).toBe('crisis')
  })
  it('keeps the number of matches bounded', () => {
    expect(assess('i want to die. '.repeat(1000)).matches.length).toBeLessThanOrEqual(200)
  })
  it('no reason quotes the student', () => {
    const text = 'I want to kill myself because Zanzibar laughed'
    for (const reason of assess(text).reasons) expect(reason.text.toLowerCase()).not.toContain('zanzibar')
  })
  it('offsets point at the words', () => {
    const text = 'Well… 😀 I really want to k!ll mys3lf, ok'
    const { start, end } = assess(text).matches[0]!
    expect(text.slice(start, end)).toContain('k!ll mys3lf')
  })
  it('knows its versions, its fixed reply and its resources', () => {
    expect(engine.versions.map(({ file }) => file)).toContain('patterns.yaml')
    for (const word of ['988', '741741', '911']) expect(engine.protocolReply).toContain(word)
    for (const word of ['988', 'AYUDA', '741741', '911']) expect(engine.protocolReplyInSpanish).toContain(word)
  })
  it('has the fixed reply for every language it answers in', () => {
    const { protocolReply: english, protocolReplyInSpanish: spanish } = engine
    expect(protocolReplyIn(engine, 'english')).toBe(english)
    expect(protocolReplyIn(engine, 'spanish')).toBe(spanish)
    expect(protocolReplyIn(engine, 'both')).toBe(`${spanish}\n\n${english}`)
  })
})
