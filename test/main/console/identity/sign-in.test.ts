import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { readSignInToken } from '../../../../main/console/identity/index.ts'
import { hours } from '../../../../shared/time.ts'
import { noon } from '../../../support/wire.ts'

const secret = 'a shared secret of at least thirty-two characters'
const claims = { sub: 'c1', school_id: 'school', role: 'counselor', name: 'J. Marlow' }
const at = (offset: number) => Math.floor((noon + offset) / 1000)

interface Token {
  claims?: Record<string, unknown>
  alg?: string
  key?: string
  issued?: number
  expires?: number | null
}
const token = ({ claims: changed, alg = 'HS256', key = secret, issued = 0, expires = hours(1) }: Token = {}) => {
  const jwt = new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg }).setIssuedAt(at(issued))
  return (expires === null ? jwt : jwt.setExpirationTime(at(expires))).sign(new TextEncoder().encode(key))
}
const read = (text: string, keys = { jwtSecret: secret as string | null, jwksUrl: null }) =>
  readSignInToken(text, keys, noon).then(
    (person) => person,
    (error: { code?: string }) => error.code,
  )

describe('a school’s token', () => {
  it('says who sits here', async () => {
    expect(await read(await token())).toEqual({ id: 'c1', name: 'J. Marlow', role: 'COUNSELOR', school_id: 'school' })
    expect(await read(await token({ claims: { name: undefined } }))).toMatchObject({ name: 'c1' })
  })

  it('names its school in any case', async () => {
    expect(await read(await token({ claims: { school_id: '{NORTH-1}' } }))).toMatchObject({ school_id: 'north-1' })
  })

  it('may come from a clock a minute ahead or behind', async () => {
    expect(await read(await token({ expires: -30_000, issued: -hours(1) }))).toMatchObject({ id: 'c1' })
    expect(await read(await token({ issued: 30_000 }))).toMatchObject({ id: 'c1' })
  })

  it.each<[string, Token, string]>([
    ['of a student', { claims: { role: 'STUDENT' } }, 'sign_in_role'],
    ['of a role nobody knows', { claims: { role: 'PRINCIPAL' } }, 'sign_in_role'],
    ['without a school', { claims: { school_id: undefined } }, 'sign_in_role'],
    ['without a subject', { claims: { sub: undefined } }, 'sign_in_role'],
    ['that has expired', { expires: -hours(1), issued: -hours(2) }, 'sign_in_expired'],
    ['without an end', { expires: null }, 'sign_in_refused'],
    ['older than a day', { issued: -hours(25) }, 'sign_in_expired'],
    ['of another secret', { key: 'another secret of at least thirty-two chars' }, 'sign_in_refused'],
    ['signed by another algorithm', { alg: 'HS512' }, 'sign_in_refused'],
  ])('%s is refused', async (_, form, code) => {
    expect(await read(await token(form))).toBe(code)
  })

  it('without a signature is refused', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${part({ alg: 'none' })}.${part({ ...claims, iat: at(0), exp: at(hours(1)) })}.`
    expect(await read(unsigned)).toBe('sign_in_refused')
  })

  it('signed by a key pair is refused where a shared secret is agreed', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const signed = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).setIssuedAt(at(0)).setExpirationTime(at(hours(1))).sign(privateKey) // prettier-ignore
    expect(await read(signed)).toBe('sign_in_refused')
  })

  it.each(['', 'words', 'a.b.c'])('“%s” is refused', async (text) => {
    expect(await read(text)).toBe('sign_in_refused')
  })

  it('without anything to verify it is refused', async () => {
    expect(await read(await token(), { jwtSecret: null, jwksUrl: null })).toBe('sign_in_no_key')
  })
})
