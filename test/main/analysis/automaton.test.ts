import { describe, expect, it } from 'vitest'
import { createAutomaton, wordsOf, type Automaton } from '../../../main/analysis/automaton.ts'
import { parsePhrase } from '../../../main/analysis/phrases.ts'
import type { Word } from '../../../main/analysis/words.ts'

const word = (form: string, sentence = 0): Word => ({
  forms: [form],
  start: 0,
  end: 1,
  sentence,
  afterBreak: false,
  quoted: false,
})
const words = (text: string): Word[] => text.split(' ').map((form) => word(form))
function knowing(phrases: readonly string[], fillers: readonly string[] = ['really']): Automaton {
  const automaton = createAutomaton(new Set(fillers), (written) => [written])
  phrases.forEach((phrase, group) => automaton.add(parsePhrase(phrase, {}), group))
  return automaton
}

describe('a phrase is found', () => {
  it('where its words stand, with fillers between them, and not across a full stop', () => {
    const automaton = knowing(['want to die'])
    expect(automaton.find(words('i want really to really die'))).toEqual([{ group: 0, from: 1, to: 5 }])
    expect(automaton.find([word('want'), word('to'), word('die', 1)])).toEqual([])
  })
  it('with at most three words in its gap', () => {
    const automaton = knowing(['found * note'])
    expect(automaton.find(words('found a long sad note'))).toEqual([{ group: 0, from: 0, to: 4 }])
    expect(automaton.find(words('found a very long sad note'))).toEqual([])
  })
  it('in whichever form of a word is meant', () => {
    const either = { ...word('dye'), forms: ['dye', 'die'] }
    expect(knowing(['to die']).find([word('to'), either])).toEqual([{ group: 0, from: 0, to: 1 }])
  })
  it('also when it was added after others had been sought', () => {
    const automaton = knowing(['to die'])
    expect(automaton.find(words('to live'))).toEqual([])
    automaton.add(parsePhrase('to live', {}), 1)
    expect(automaton.find(words('to live'))).toEqual([{ group: 1, from: 0, to: 1 }])
  })
  it('the same however many others were met before it', () => {
    // More turns than are remembered: every first word leads to a situation of its own.
    const many = Array.from({ length: 31_000 }, (_, index) => `w${index} end`)
    const automaton = knowing(many)
    const text = words(many.join(' '))
    const expected = many.map((_, group) => ({ group, from: 2 * group, to: 2 * group + 1 }))
    expect(automaton.find(text)).toEqual(expected)
    expect(automaton.find(text)).toEqual(expected)
    expect(automaton.find(words('w30999 really end'))).toEqual([{ group: 30_999, from: 0, to: 2 }])
  })
})

it('knows the words a phrase can contain', () => {
  expect(wordsOf(parsePhrase('want (to|the) * end', {}))).toEqual(['want', 'to', 'the', 'end'])
})
