import { describe, expect, it } from 'vitest'
import { createMatcher } from '../../../../main/analysis/phrases/index.ts'
import { detectionData, said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const { tokenize } = createMatcher(detectionData)
const engine = rulesOnly()

describe('signs in a message', () => {
  it('are kept up to a number, and words behind them count all the same', () => {
    const text = `${'😭'.repeat(300)} i want to die`
    expect(tokenize(text).emoji).toHaveLength(200)
    const { tier, matches } = engine.assess(said(text))
    expect(tier).toBe('crisis')
    expect(text.slice(matches[0]!.start, matches[0]!.end)).toBe('want to die')
  })
  it.each(['stop!now i want to die', 'stop!!now i want to die'])(
    'that stand in for a space part words: “%s”',
    (text) => {
      const forms = tokenize(text).tokens.map(({ forms: [form] }) => form)
      expect(forms).toEqual(['stop', 'now', 'i', 'want', 'to', 'die'])
      expect(engine.assess(said(text)).tier).toBe('crisis')
    },
  )
  it('that stand in for letters do not part them', () => {
    expect(tokenize('k!ll').tokens.map(({ forms: [form] }) => form)).toEqual(['kill'])
  })
})

const formsOf = (text: string) => tokenize(text).tokens.map(({ forms: [form] }) => form)

describe('letters', () => {
  it.each([
    ['k i l l', ['kill']],
    ['k 1 l l m y s e l f', ['kill', 'myself']],
    ['k m s', ['kill', 'myself']],
    ['x y z', ['x', 'y', 'z']],
    ['1 2 3 4', ['1', 'to', '3', 'for']],
    ['q w x z v', ['qwxzv']],
  ])('written one by one are read together where they make a word: “%s”', (text, forms) => {
    expect(formsOf(text)).toEqual(forms)
  })
  it.each([
    ['\u200bk\u200bill', 'kill'],
    ['killmyself', 'kill'],
    ['ＫＩＬＬ', 'kill'],
    ['k*ll', 'kill'],
    ['$uicide', 'suicide'],
    ['su1cide', 'suicide'],
    ["su1c'ide", 'suicide'],
    ['k!!l', 'kill'],
    ['suicied', 'suicide'],
    ['kiiiilll', 'kill'],
    ['wr|st', 'wrist'],
    ['a$$', 'ass'],
    ['suicid*', 'suicide'],
    ['s$*icide', 's$*icide'],
  ])('in disguise have their plain form first: “%s”', (text, form) => {
    expect(formsOf(text)[0]).toBe(form)
  })
  it('are read beyond those that are kept in mind', () => {
    const many = Array.from({ length: 5000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ')
    expect(formsOf(`${many} ｋｉｌｌ`).at(-1)).toBe('kill')
  })
  it('of a short form after a comma are a break but once', () => {
    expect(tokenize('ok, kms').tokens.map(({ afterBreak }) => afterBreak)).toEqual([false, true, false])
  })
  it('without end become several tokens', () => {
    expect(formsOf('ab'.repeat(60)).map((form) => form!.length)).toEqual([48, 48, 24])
  })
  it('after @ are a name, and no word', () => {
    expect(formsOf('@killer hello @ home')).toEqual(['@', 'hello', 'home'])
  })
  it('that no alphabet knows, and signs, part words', () => {
    expect(formsOf('a§b dogs’ c*, |d # e 5+5 #f')).toEqual(['a', 'be', 'dogs', 'c*', '|d', 'e', '5+5', 'f'])
  })
})

describe('a sentence', () => {
  const sentencesOf = (text: string) => tokenize(text).sentences.filter(({ from, to }) => to >= from).length
  it.each([
    ['I am here. You are there', 2],
    ['kill.myself', 1],
    ['i want... to go', 1],
    ['k. l. m. now', 1],
    ['so\nmany\nlines', 3],
    ['why？because', 1],
    ['really?! yes', 2],
    ['', 0],
  ])('ends where it is over: “%s”', (text, count) => {
    expect(sentencesOf(text)).toBe(count)
  })
  it('may be a question, and hold words in quotation marks', () => {
    const { questions, tokens } = tokenize('are you “not okay”? yes')
    expect([...questions]).toEqual([0])
    expect(tokens.filter(({ quoted }) => quoted).map(({ forms: [form] }) => form)).toEqual(['not', 'okay'])
  })
})
