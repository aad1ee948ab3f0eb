import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settleSchool, type NamedSchools } from '../../../../main/console/identity/index.ts'
import { keepSchool } from '../../../../main/store/console/index.ts'
import { ConsoleError } from '../../../../shared/errors.ts'
import { openRecord, type OpenRecord } from '../../../support/record.ts'

const north = '3f0c8a52-6b1e-4d57-9c2a-8a1d5e6f7a90'
const south = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const settle = (named: Partial<NamedSchools> = {}) => settleSchool(at.db, { configured: null, token: null, ...named })
const refusal = (named: Partial<NamedSchools>) => {
  try {
    return settle(named)
  } catch (error) {
    return error instanceof ConsoleError && error.code === 'school_mismatch' ? error.happened : error
  }
}

describe('the school of a console', () => {
  it('is nobody’s until one is named, and from then on the one that was named first', () => {
    expect(settle()).toBe('')
    expect(settle({ configured: north })).toBe(north)
    expect(settle()).toBe(north)
    expect(settle({ configured: north, token: north })).toBe(north)
  })

  it('may be named by the token alone', () => {
    expect(settle({ token: north })).toBe(north)
    expect(refusal({ configured: south })).toContain(`belongs to school ${north}`)
  })

  it('is never another than that of the data', () => {
    settle({ configured: north })
    expect(refusal({ token: south })).toBe(
      `This console’s data belongs to school ${north}, and the sign-in token names school ${south}.`,
    )
    expect(refusal({ configured: south, token: south })).toContain('PSYFLO_SCHOOL_ID names school')
    expect(settle()).toBe(north)
  })

  it('is one: the variable and the token name the same', () => {
    expect(refusal({ configured: north, token: south })).toContain('and the sign-in token school')
    expect(settle()).toBe('')
  })

  it('is the same in whatever case it was kept', () => {
    keepSchool(at.db, north.toUpperCase())
    expect(settle({ token: north })).toBe(north)
  })
})
