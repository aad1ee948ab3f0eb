import { expect, it } from 'vitest'
import { numberText, plural } from '../../shared/numbers.ts'

it('groups the digits of a number', () => {
  expect([numberText(7), numberText(12_345)]).toEqual(['7', '12,345'])
})

it('takes the form that fits the number, and puts the number in', () => {
  const forms = { one: '# alert', other: '# alerts' }
  expect([0, 1, 2, 1204].map((count) => plural(count, forms))).toEqual([
    '0 alerts',
    '1 alert',
    '2 alerts',
    '1,204 alerts',
  ])
  expect(plural(1, { other: 'again ×#' })).toBe('again ×1')
})
