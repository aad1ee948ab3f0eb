import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createWhereaboutsFinder } from '../../../main/analysis/index.ts'

const file = join(import.meta.dirname, '../../../resources/whereabouts.yaml')
const find = createWhereaboutsFinder(parse(readFileSync(file, 'utf8')))
const said = (text: string) => find(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('a message says where its writer is', () => {
  it.each([
    ['i’m at home', 'i’m at home'],
    ["no. I'm in the bathroom at school!", "I'm in the bathroom at school"],
    ['im still sitting in my room and i cant sleep', 'im still sitting in my room'],
    ['i am not at home', 'i am not at home'],
    ['at home', 'at home'],
    ['home', 'home'],
    ['hiding in the girls bathroom rn', 'hiding in the girls bathroom'],
    ['I locked myself in the bathroom', 'I locked myself in the bathroom'],
    ["i'm at my friend's house", "i'm at my friend's house"],
    ["im at my dad's", "im at my dad's"],
    ['i cant do this anymore, im on the bridge', 'im on the bridge'],
    ['walking to the train tracks', 'walking to the train tracks'],
    ['idk but im outside', 'im outside'],
    ['yeah at home', 'at home'],
    ['we are on the roof of the house', 'we are on the roof'],
    ['on the roof because nobody looks here', 'on the roof'],
  ])('“%s”', (text, place) => {
    expect(said(text)).toEqual([['place', place]])
  })
})

describe('a message says who is with its writer', () => {
  it.each([
    ['my mum is out', 'my mum is out'],
    ["my mom's still at work", "my mom's still at work"],
    ['My parents aren’t home.', 'My parents aren’t home'],
    ['nobody is home', 'nobody is home'],
    ['no ones home', 'no ones home'],
    ['everyone is already asleep', 'everyone is already asleep'],
    ['my brother and my sister are downstairs', 'my brother and my sister are downstairs'],
    ['my friend is in the kitchen', 'my friend is in the kitchen'],
    ["i'm with my friend", "i'm with my friend"],
    ['with my best friend', 'with my best friend'],
    ['im all by myself', 'im all by myself'],
    ['i am alone', 'i am alone'],
  ])('“%s”', (text, company) => {
    expect(said(text)).toEqual([['company', company]])
  })

  it('and where both are', () => {
    expect(said('im home alone, my dad is away')).toEqual([
      ['place', 'im home'],
      ['company', 'im home alone'],
      ['company', 'my dad is away'],
    ])
    expect(said('i am in the park with my sister and my dog')).toEqual([
      ['place', 'i am in the park'],
      ['company', 'i am in the park with my sister and my dog'],
    ])
  })
})

describe('nothing is claimed of', () => {
  it.each([
    ['another time', 'i was at home all weekend'],
    ['a wish', 'i wish i am at home when it happens'],
    ['a condition', 'when im at school i hate it'],
    ['another person’s words', 'she said im in the bathroom'],
    ['somebody not named', 'she is at school'],
    ['a thought about a place', 'home is where it is worst'],
    ['a lesson told about', 'in class we talked about cells'],
    ['a feeling', 'i feel so alone'],
    ['a quarrel', 'i had a fight with my mom'],
    ['anger', 'im angry with my friend'],
    ['a person without their place', 'im at my friend'],
    ['a condition on others', 'if my mum is out i could'],
    ['what others are otherwise', 'my mum is mean'],
    ['what others do', 'my mum yelled at me in the car'],
    ['company without a name', 'im with him'],
    ['what belongs to somebody', 'im just with my dad’s keys'],
    ['a preposition alone', 'im in trouble'],
    ['an endless list', `my mum is ${'still '.repeat(20)}`],
    ['a list of fillers', `im ${'just '.repeat(20)}tired`],
    ['nothing', ''],
    ['signs', '... !!! 😭'],
    ['one who ends with and', 'my mum and'],
  ])('%s: “%s”', (_, text) => {
    expect(said(text)).toEqual([])
  })
})

it('what is found lies within the text, in order, whatever it is', () => {
  const words = fc.constantFrom('im', 'i', 'am', 'at', 'home', 'my', "mum's", 'out', 'with', 'and', 'alone', 'not', ',', 'the', 'bathroom', 'nobody', 'is') // prettier-ignore
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 14 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(text, (message) => {
      for (const { start, end } of find(message)) {
        expect(start).toBeLessThan(end)
        expect(message.slice(start, end).trim()).not.toBe('')
        expect(end).toBeLessThanOrEqual(message.length)
      }
    }),
  )
})

it('a file of phrases that is not one is refused', () => {
  expect(() => createWhereaboutsFinder({ version: '1.0.0' })).toThrow()
})
