import { describe, expect, it } from 'vitest'
import { conversationPhrases } from '../../../../main/analysis/conversation/phrases.ts'
import { readTurn } from '../../../../main/analysis/conversation/question.ts'
import { detectionData } from '../../../evaluation/engine.ts'

const phrases = conversationPhrases(detectionData)
const read = (text: string) => readTurn(phrases, text)
const dangersOf = (text: string) => read(text).question?.dangers

describe('a turn of the assistant', () => {
  it.each([
    'Are you thinking about ending your life?',
    'Are you having thoughts of suicide?',
    'Some people in that place wish they were dead. Has that been true for you?',
    'Have you been feeling that you’d rather not be alive?',
    'Do you want to live?',
    '¿Estás pensando en suicidarte?',
    '¿Has pensado en quitarte la vida?',
  ])('asks about suicide: %s', (text) => expect(dangersOf(text)?.[0]).toBe('suicide'))

  it.each([
    ['Have you been hurting yourself?', 'self_harm'],
    ['Are you thinking of hurting someone?', 'harm_to_others'],
    ['Does anyone at home hit you?', 'abuse'],
  ])('asks about another danger: %s', (text, danger) => expect(dangersOf(text)).toEqual([danger]))

  it.each(['How was the test?', 'Are you dying to see the movie?', 'Are you dead tired?', 'Did you jump in the pool?', 'Is your brother alive?'])(
    'asks about none: %s',
    (text) => expect(dangersOf(text)).toEqual([]),
  ) // prettier-ignore

  it('asks nothing where it has no question', () => {
    expect(read('Thank you for telling me about suicide.').question).toBeNull()
    expect(read('').question).toBeNull()
    expect(read('?!').question).toBeNull()
  })

  it.each([
    ['Are you going to throw yourself off the silo?', 'i am going to throw myself off the silo'],
    ['Did you take your pills?', 'i take my pills'],
    ['What then, and how could?', ''],
  ])('says what agreeing to it would say: %s', (text, affirmed) => expect(read(text).question?.affirmed).toBe(affirmed))

  it('offers alternatives, of which some name a danger', () => {
    expect(read('Do you mean this school, or do you mean being alive?').question?.alternatives).toEqual([false, true])
    expect(read('Are you thinking of suicide or not?').question?.alternatives).toEqual([true])
    expect(read('Does it tell you to hurt yourself, or to end your life?').question?.alternatives).toEqual([true, true])
  })

  it('asks when and how', () => {
    expect(read('You want to die. Have you thought about when?').question).toMatchObject({ dangers: ['suicide'], asksPlan: true }) // prettier-ignore
  })

  it('asks whether the student is safe, so that “no” worries', () => {
    expect(read('Are you safe tonight?').question).toMatchObject({ asksSafety: true, reversed: true, dangers: [] })
    expect(read('Are the suicidal thoughts gone?').question).toMatchObject({ reversed: true, dangers: ['suicide'] })
  })

  it('asks about no safety where it asks about anything else', () => {
    expect(read('Is this about a real person?').question).toMatchObject({ asksSafety: false, reversed: false })
  })

  it('offers help rather than asking about a danger', () => {
    expect(read('You told me about suicide. Do you want me to call somebody?').question).toMatchObject({ offers: true })
  })

  it('hints by words that say little alone', () => {
    expect(read('i used to be scared of the tracks').hinted).toBe(true)
    expect(read('i used to be scared of the dark').hinted).toBe(false)
  })

  it('is read from its end, however long it is', () => {
    expect(dangersOf(`${'We can talk about anything. '.repeat(20_000)}Are you thinking of suicide?`)).toEqual([
      'suicide',
    ])
  })
})

describe('a phrase of questions that cannot be parsed', () => {
  it('is refused with file, path and value', () => {
    const conversation = { ...detectionData.conversation, reversed: ['(anyone who'] }
    expect(() => conversationPhrases({ lexicon: detectionData.lexicon, conversation })).toThrow(
      /conversation\.yaml.*reversed\.0/,
    )
  })
})
