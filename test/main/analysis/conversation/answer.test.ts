import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../../../main/analysis/conversation/answer.ts'
import { conversationPhrases } from '../../../../main/analysis/conversation/phrases.ts'
import { detectionData } from '../../../evaluation/engine.ts'

const phrases = conversationPhrases(detectionData)
const answerOf = (text: string) => readAnswer(phrases, detectionData.conversation, text).answer

describe('an answer says', () => {
  it.each([
    'yeah', 'sometimes', 'kind of', 'i mean maybe', 'every night', 'a lot', 'not not', 'idk… yes', 'lol yeah', 'since my mom died', 'more than i used to',
    'yes but i wont do it', 'it crosses my mind', 'you could say that', 'sí', 'a veces', 'un poco', '👍', '😔',
    'yeah. it started when my sister moved out and then nobody in the house talked to anybody anymore',
    'yes, it started when my sister moved out and then nobody in the house talked to anybody anymore',
  ])('yes: %s', (text) => expect(answerOf(text)).toBe('yes')) // prettier-ignore

  it.each([
    'no', 'nah never', 'no lol', 'not like that', 'not anymore', 'just tired', 'im good', 'wtf no', 'no, because I have tonsillitis', 'para nada', 'nunca', '👎',
  ])('no: %s', (text) => expect(answerOf(text)).toBe('no')) // prettier-ignore

  it.each(['idk', 'i dont want to say', 'no comment', 'yeah but not really', 'no i mean yeah', 'who else', 'no sé', 'will you tell my mom'])(
    'neither: %s',
    (text) => expect(['unsure', 'yes']).toContain(answerOf(text)),
  ) // prettier-ignore

  it.each(['…', '...', '', '🌧', 'ok', 'lol'])('nothing: “%s”', (text) => expect(answerOf(text)).toBe('silence'))

  it.each([
    ['tonight', 'when'],
    ['under the bed', 'where'],
    ['pills', 'means'],
    ['like 30', 'number'],
    ['before 9', 'number'],
    ['12', 'number'],
    ['nobody', 'who'],
    ['nah like forever', 'forever'],
    ['yeah like forever', 'forever'],
    ['kind of a relief', 'yes'],
    ['better', 'relief'],
    ['the first one', 'first'],
    ['the second one', 'second'],
    ['both', 'both'],
  ])('of what was asked: %s is %s', (text, kind) => expect(answerOf(text)).toBe(kind))

  it.each(['i meant the game', 'its a drill', 'the bus lol', 'hot cheetos miss', 'trampoline park'])(
    'that something else was meant: %s',
    (text) => expect(['correction', 'matter']).toContain(answerOf(text)),
  )

  it('what no list foresees, told apart by who it speaks of', () => {
    expect(answerOf('i keep walking past that corner')).toBe('statement')
    expect(answerOf('the purple elephants came')).toBe('matter')
  })

  it('nothing by a “yeah” that only opens what is told', () => {
    expect(answerOf('yeah so anyway the teacher gave us a quiz on the french revolution and nobody had read it')).toBe('matter') // prettier-ignore
  })
})
