import { expect, it } from 'vitest'
import { said } from '../../../evaluation/engine.ts'
import { rulesOnly } from '../rules-only.ts'

const engine = rulesOnly()
const means = 'i have all my moms pills'
const combined = (text: string) =>
  engine
    .assess(said(text))
    .reasons.find(({ signal }) => signal === 'regex')!
    .text.includes('means and ')

it('a means and a farewell together are a crisis, in either order', () => {
  for (const text of [`${means}. goodbye everyone`, `goodbye everyone. ${means}`]) {
    expect(combined(text)).toBe(true)
    expect(engine.assess(said(text)).tier).toBe('crisis')
  }
})

it('a part alone is not, nor one twice', () => {
  expect(combined(means)).toBe(false)
  expect(combined(`${means}. ${means}`)).toBe(false)
})

it('nor parts that are far from each other', () => {
  expect(combined(`${means}. ${'we went to lunch. '.repeat(20)} goodbye everyone`)).toBe(false)
})

it('nor a part that is denied, or another’s', () => {
  expect(combined('i have all my moms pills. she never said goodbye everyone')).toBe(false)
})
