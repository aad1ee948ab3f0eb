import { expect, it } from 'vitest'
import { countryOf, emergencyNumbers } from '../../../../main/console/identity/index.ts'

it.each([
  ['America/Chicago', ['911', '988']],
  ['America/Toronto', ['911', '988']],
  ['Europe/London', ['999', '116 123']],
  ['Europe/Berlin', ['112']],
  ['Australia/Sydney', ['000', '13 11 14']],
])('a school in %s is given the numbers of its country', (zone, numbers) => {
  expect(emergencyNumbers(zone).map(({ contact }) => contact)).toEqual(numbers)
})

it('a country that the file does not have is given no other country’s number', () => {
  expect(emergencyNumbers('Asia/Tokyo')).toEqual([])
})

it('a time zone of no country is given those that the crisis reply names', () => {
  expect(countryOf('UTC')).toBeNull()
  expect(emergencyNumbers('UTC').map(({ contact }) => contact)).toEqual(['911', '988'])
})
