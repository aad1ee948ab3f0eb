import { describe, expect, it } from 'vitest'
import { createAutomaton, wordsOf, type PhraseAutomaton } from '../../../../main/analysis/phrases/automaton.ts'
import { parsePhrase } from '../../../../main/analysis/phrases/notation.ts'
import type { Token } from '../../../../main/analysis/text/index.ts'

const token = (form: string, sentence = 0): Token => ({
  forms: [form],
  start: 0,
  end: 1,
  sentence,
  afterBreak: false,
  quoted: false,
})
const tokens = (text: string): Token[] => text.split(' ').map((form) => token(form))
function automatonOf(phrases: readonly string[], fillers: readonly string[] = ['really']): PhraseAutomaton {
  const automaton = createAutomaton(new Set(fillers), (written) => [written])
  phrases.forEach((phrase, label) => automaton.add(parsePhrase(phrase, {}), label))
  return automaton
}

describe('a phrase is found', () => {
  it('where its words stand, with fillers between them, and not across a full stop', () => {
    const automaton = automatonOf(['want to die'])
    expect(automaton.find(tokens('i want really to really die'))).toEqual([{ label: 0, from: 1, to: 5 }])
    expect(automaton.find([token('want'), token('to'), token('die', 1)])).toEqual([])
  })
  it('with at most three words in its gap', () => {
    const automaton = automatonOf(['found * note'])
    expect(automaton.find(tokens('found a long sad note'))).toEqual([{ label: 0, from: 0, to: 4 }])
    expect(automaton.find(tokens('found a very long sad note'))).toEqual([])
  })
  it('in whichever form of a word is meant', () => {
    const either = { ...token('dye'), forms: ['dye', 'die'] }
    expect(automatonOf(['to die']).find([token('to'), either])).toEqual([{ label: 0, from: 0, to: 1 }])
  })
  it('also when it was added after others had been sought', () => {
    const automaton = automatonOf(['to die'])
    expect(automaton.find(tokens('to live'))).toEqual([])
    automaton.add(parsePhrase('to live', {}), 1)
    expect(automaton.find(tokens('to live'))).toEqual([{ label: 1, from: 0, to: 1 }])
  })
  it('the same however many others were met before it', () => {
    // More state sets than are kept: every phrase leads to two of its own.
    const many = Array.from({ length: 15_500 }, (_, index) => `w${index} end`)
    const automaton = automatonOf(many)
    const text = tokens(many.join(' '))
    const expected = many.map((_, label) => ({ label, from: 2 * label, to: 2 * label + 1 }))
    expect(automaton.find(text)).toEqual(expected)
    expect(automaton.find(text)).toEqual(expected)
    expect(automaton.find(tokens('w15499 really end'))).toEqual([{ label: 15_499, from: 0, to: 2 }])
  })
})

it('knows the words a phrase can contain', () => {
  expect(wordsOf(parsePhrase('want (to|the) * end', {}))).toEqual(['want', 'to', 'the', 'end'])
})
