import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assess, engine } from '../../../evaluation/engine.ts'

const isCovered = (text: string): boolean => !assess(text).degraded.includes('regex')

describe('the language of a message', () => {
  it.each([
    ['no sé qué hacer con la tarea de mañana', 'spanish'],
    ['q ganas d dormir todo el dia', 'spanish'],
    ['i just want to go home', 'english'],
    ['we drove through El Paso and Los Angeles on the way', 'english'],
    ['my mama and my papa love tacos', 'english'],
    ['', 'english'],
    ['my abuela is in the hospital y estoy triste', 'both'],
    ['necesito a ride after practice because she is late', 'both'],
  ] as const)('%s: %s', (text, language) => {
    expect(engine.answerLanguage(text)).toBe(language)
  })

  it.each([
    'hoy fui al cine con mis primos y comimos palomitas',
    'honestly ya no entiendo esta clase, it is so boring',
    'i had a good day',
    'mi casa',
  ])('is covered: %s', (text) => {
    expect(isCovered(text)).toBe(true)
  })

  it.each([
    'je suis très fatiguée et je ne sais pas pourquoi',
    'eu não sei o que fazer com a minha vida',
    'ich bin heute sehr müde und will nicht mehr',
    'sono molto stanco e non so che fare',
    'mwen tris anpil jodi a',
    'мне очень плохо сегодня',
  ])('is not covered: %s', (text) => {
    expect(isCovered(text)).toBe(false)
  })
})

describe('Spanish', () => {
  it.each([
    ['no quiero morir, quiero que alguien me escuche', 'caution'],
    ['nunca he pensado en matarme', 'caution'],
    ['me muero de hambre', 'ok'],
    ['mi mamá me va a matar cuando vea la troca', 'ok'],
    ['me mato si mañana hay examen de química', 'high'],
    ['mi amiga se quiere matar', 'high'],
    ['no quiero vivir', 'crisis'],
    ['¿por qué no me mato y ya?', 'crisis'],
    ['no puedo dejar de pensar en matarme', 'crisis'],
    ['antes me quería morir y hoy otra vez quiero morirme', 'crisis'],
  ] as const)('%s: %s', (text, tier) => {
    expect(assess(text).tier).toBe(tier)
  })

  it('says whose danger it is', () => {
    expect(assess('mi hermano dice que ya no quiere vivir').about_other).toBe(true)
    expect(assess('mi mamá no sabe que me quiero morir').about_other).toBe(false)
  })

  it('finds items of the questionnaires, and the mood of ordinary talk', () => {
    const items = assess('no puedo dormir y no tengo hambre').markers.map(({ marker_type }) => marker_type)
    expect(items).toEqual(expect.arrayContaining(['PHQ9_ITEM_3', 'PHQ9_ITEM_5']))
    expect(assess('hoy estoy muy triste').sentiment).toBeLessThan(0)
    expect(assess('qué bonito día, estoy feliz').sentiment).toBeGreaterThan(0)
  })

  it('finds plain statements however they are spelled', () => {
    const statements = ['me quiero matar', 'me quiero morir', 'quiero suicidarme', 'ya no quiero vivir', 'voy a quitarme la vida']
    const tricks: readonly ((text: string) => string)[] = [
      (text) => text.toUpperCase(),
      (text) => text.replace('quie', 'kie'),
      (text) => text.replace('me ', 'm '),
      (text) => text.replace(/a/g, '4'),
      (text) => text.replace(/i/g, '1').replace(/o/g, '0'),
      (text) => text.replace(/i/g, 'í').replace(/a/g, 'á'),
      (text) => text.replace(/r(\w?)/, 'rrr$1'),
      (text) => text.replace(' ', ' neta '),
      (text) => `la verdad es q ${text} wey`,
      (text) => `Oye, ${text}.`,
    ]
    fc.assert(
      fc.property(fc.constantFrom(...statements), fc.constantFrom(...tricks), (statement, trick) => {
        expect(assess(trick(statement)).tier).toBe('crisis')
      }),
      { numRuns: 200, seed: 5 },
    )
  })
}) // prettier-ignore
