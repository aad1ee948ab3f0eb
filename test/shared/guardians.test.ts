import fc from 'fast-check'
import { expect, it } from 'vitest'
import { callAddress, guardianOfContact } from '../../shared/guardians.ts'

it.each([
  ['(312) 555-0142', '+13125550142', 'tel:+13125550142'],
  ['555-0142', null, 'tel:5550142'],
  ['+1 312 555 0142', null, 'tel:+13125550142'],
  ['988', null, 'tel:988'],
  ['text HELLO to 741741', null, null],
  ['555-0142, evenings', null, null],
  ['-', null, null],
])('“%s” is called at the address of a call, or at none', (written, e164, address) => {
  expect(callAddress({ written, e164 })).toBe(address)
})

it('a column of free text never loses a digit of what it says', () => {
  const digits = (text: string) => text.replace(/\D/g, '')
  fc.assert(
    fc.property(fc.string(), (text) => {
      const guardian = guardianOfContact(text)
      if (guardian === null) expect(text.trim()).toBe('')
      if (guardian === null) return
      const shown = digits(guardian.name + guardian.phones.map(({ written }) => written).join(''))
      for (const digit of new Set(digits(text))) expect(shown).toContain(digit)
    }),
  )
})
