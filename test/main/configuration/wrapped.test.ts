import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { help, stationHelp } from '../../../main/configuration/index.ts'
import { wrapped } from '../../../main/configuration/wrapped.ts'

describe('text in a terminal', () => {
  it('goes on below what is said of a flag', () => {
    const said = 'an address of this machine or of another one, with everything that has to be said of it'
    expect(wrapped(`  --host ADDRESS   ${said}`)).toBe(
      [
        '  --host ADDRESS   an address of this machine or of another one, with everything',
        '                   that has to be said of it',
      ].join('\n'),
    )
  })

  it('goes on below the beginning of a line that names none', () => {
    const [first = '', second = ''] = wrapped(`      ${'word '.repeat(20).trim()}`).split('\n')
    expect(first.length).toBeLessThanOrEqual(80)
    expect(second).toMatch(/^ {6}word/)
  })

  it('loses no word and makes no line too long that has more than one', () => {
    const word = fc.stringMatching(/^[a-z.,:]{1,20}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.integer({ min: 0, max: 10 }), (words, indent) => {
        const made = wrapped(' '.repeat(indent) + words.join(' '))
        expect(made.split(/\s+/).filter((each) => each !== '')).toEqual(words)
        for (const line of made.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
      }),
    )
  })

  it.each([
    ['a console', help],
    ['a station', stationHelp],
  ])('so does the help of %s', (_, text) => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
