import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { readSignInToken, type SignInKeys } from '../../../main/platform/sign-in-token.ts'
import type { ConsoleError } from '../../../shared/errors.ts'
import { hours } from '../../../shared/time.ts'
import { noon } from '../../support/wire.ts'

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
const signedByKeyPair = async () => {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuedAt(at(0))
    .setExpirationTime(at(hours(1)))
    .sign(privateKey)
}
const attempt = (text: string, keys: Partial<SignInKeys> = {}) =>
  readSignInToken(text, { jwtSecret: secret, jwksUrl: null, jwtIssuer: null, jwtAudience: null, ...keys }, noon).then(
    (person) => ({ person, error: null }),
    (error: unknown) => ({ person: null, error: error as ConsoleError }),
  )
const read = async (text: string, keys?: Partial<SignInKeys>) => {
  const { person, error } = await attempt(text, keys)
  return person ?? error?.code
}

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
    ['of a student', { claims: { role: 'STUDENT' } }, 'sign_in_claim'],
    ['of a role nobody knows', { claims: { role: 'PRINCIPAL' } }, 'sign_in_claim'],
    ['without a school', { claims: { school_id: undefined } }, 'sign_in_claim'],
    ['without a subject', { claims: { sub: undefined } }, 'sign_in_claim'],
    ['of a subject with a NUL', { claims: { sub: 'c\0' } }, 'sign_in_claim'],
    ['of the clock', { claims: { sub: 'system' } }, 'sign_in_claim'],
    ['of whoever runs the station', { claims: { sub: 'operator' } }, 'sign_in_claim'],
    ['that has expired', { expires: -hours(1), issued: -hours(2) }, 'sign_in_expired'],
    ['without an end', { expires: null }, 'sign_in_claim'],
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
    const signed = await signedByKeyPair()
    expect(await read(signed)).toBe('sign_in_refused')
  })

  it.each(['', 'words', 'a.b.c'])('“%s” is refused', async (text) => {
    expect(await read(text)).toBe('sign_in_refused')
  })

  it('without anything to verify it is refused', async () => {
    expect(await read(await token(), { jwtSecret: null })).toBe('sign_in_no_key')
  })
})

describe('a refused token says what is wrong with it, and never a value', () => {
  const said = async (form: Token, keys?: Partial<SignInKeys>) => {
    const { error } = await attempt(await token(form), keys)
    expect(error?.message).not.toMatch(/SECRET-/)
    return error?.happened
  }

  it.each<[string, Token, string]>([
    ['no school_id', { claims: { school_id: undefined } }, 'The sign-in token has no claim school_id.'],
    ['an empty sub', { claims: { sub: '' } }, 'claim sub is not a person’s id of 1 to 200 characters.'],
    ['no sub', { claims: { sub: undefined } }, 'The sign-in token has no claim sub.'],
    ['another role', { claims: { role: 'SECRET-role' } }, 'claim role is not COUNSELOR, CLINICIAN or ADMIN.'],
    ['a name that is a number', { claims: { name: 7 } }, 'claim name is not a name'],
    ['no exp', { expires: null }, 'The sign-in token has no claim exp.'],
    ['an exp that is past', { expires: -hours(1), issued: -hours(2) }, 'has expired (claim exp)'],
    ['an old iat', { issued: -hours(25) }, 'more than 24 hours ago (claim iat)'],
    ['an iat to come', { issued: hours(2), expires: hours(3) }, 'claim iat is not a time that is past'],
    ['another secret', { key: 'SECRET-another of at least thirty-two chars' }, 'secret in PSYFLO_JWT_SECRET'],
    ['another algorithm', { alg: 'HS512' }, 'signed with HS256'],
  ])('%s', async (_, form, wanted) => {
    expect(await said(form)).toContain(wanted)
  })

  it('a key set that nobody serves', async () => {
    const { error } = await attempt(await signedByKeyPair(), { jwtSecret: null, jwksUrl: 'http://127.0.0.1:9/' })
    expect(error?.happened).toContain('The key set at PSYFLO_JWKS_URL could not be read.')
  })

  it('a text that is no token', async () => {
    expect((await attempt('SECRET-words')).error?.happened).toContain('not a signed JWT')
  })
})

describe('where an issuer and an audience are configured', () => {
  const keys = { jwtIssuer: 'https://sso.school.example', jwtAudience: 'psyflo' }
  const right = { iss: keys.jwtIssuer, aud: ['psyflo', 'grades'] }

  it('the token must be from the one and for the other', async () => {
    expect(await read(await token({ claims: right }), keys)).toMatchObject({ id: 'c1' })
    const happened = async (changed: object) =>
      (await attempt(await token({ claims: { ...right, ...changed } }), keys)).error?.happened
    expect(await happened({ iss: 'https://elsewhere.example' })).toContain('claim iss is not that of PSYFLO_JWT_ISSUER')
    expect(await happened({ aud: 'grades' })).toContain('claim aud is not that of PSYFLO_JWT_AUDIENCE')
    expect(await happened({ iss: undefined })).toBe('The sign-in token has no claim iss.')
  })
})
