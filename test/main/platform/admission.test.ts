import { expect, it } from 'vitest'
import { cookieName, createAdmission, readCookie } from '../../../main/platform/browser/cookies.ts'
import { systemRandomness } from '../../../main/platform/randomness.ts'

it('gives each token a window of its own, once', () => {
  const admission = createAdmission(systemRandomness)
  const first = admission.mint()
  const one = admission.exchange(first)!
  const two = admission.exchange(admission.mint())!
  expect(admission.exchange(first)).toBeNull()
  expect(admission.windowOf(one)).not.toBe(admission.windowOf(two))
  expect(admission.windowOf(one)).toBe(admission.windowOf(one))
  for (const unknown of [undefined, '', first, `${one}x`]) expect(admission.windowOf(unknown)).toBeNull()
})

it('keeps only the newest token, and lets someone who is in use it up', () => {
  const admission = createAdmission(systemRandomness)
  const older = admission.mint()
  const newer = admission.mint()
  expect(admission.exchange(older)).toBeNull()
  admission.spend(older)
  expect(admission.exchange(newer)).not.toBeNull()
  const third = admission.mint()
  admission.spend(third)
  expect(admission.exchange(third)).toBeNull()
})

it('reads one cookie among others, told apart by port', () => {
  const header = `other=1; ${cookieName(80)}=a=b; ${cookieName(8080)}=c`
  expect(readCookie(header, cookieName(80))).toBe('a=b')
  expect(readCookie(header, cookieName(8080))).toBe('c')
  expect(readCookie(header, cookieName(81))).toBeUndefined()
  expect(readCookie(undefined, cookieName(80))).toBeUndefined()
})
