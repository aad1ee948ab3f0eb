/** Who is admitted to calls about the station, and what becomes of those who try. */
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { admitting, callerIn } from '../../../../main/station/administration/index.ts'
import { buildIntakeServer } from '../../../../main/station/intake/index.ts'
import { seconds } from '../../../../shared/time.ts'
import { intakeSchool, school, type IntakeSchool } from '../../../support/intake-school.ts'
import { testSecret } from '../../../support/sign-in.ts'

const operatorToken = 'token-of-the-operator-0001'

let at: IntakeSchool
let app: FastifyInstance
beforeEach(async () => {
  at = await intakeSchool()
  app = buildIntakeServer({
    ...at.serverOptions('key-of-the-chat-0001'),
    moreRoutes(typed) {
      const signIn = { jwtSecret: testSecret, jwksUrl: null, jwtIssuer: null, jwtAudience: null }
      const admit = admitting(typed, { signIn, operatorToken, clock: at.clock })
      const { onRequest } = admit({ roles: ['CLINICIAN'], operator: false, others: 'Clinicians only.' })
      const administrators = admit({ roles: ['ADMIN'], operator: true, others: 'Admins only.' })
      typed.post('/one', { onRequest, schema: { body: z.object({ number: z.int() }) } }, callerIn)
      typed.get('/two', { onRequest: administrators.onRequest }, callerIn)
    },
  })
  await app.ready()
})
afterEach(async () => {
  await app.close()
  await at.close()
})

const tokenOf = (role: string, changes: { secret?: string; validFor?: number } = {}) => {
  const now = Math.floor(at.clock.now() / 1000)
  return new SignJWT({ role, school_id: school })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('person-1')
    .setIssuedAt(now)
    .setExpirationTime(now + (changes.validFor ?? 3600))
    .sign(new TextEncoder().encode(changes.secret ?? testSecret))
}
const call = async (token: string | null, { url = '/two', payload = {}, from = '127.0.0.1' } = {}) => {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const more = url === '/one' ? { method: 'POST' as const, payload } : { method: 'GET' as const }
  return app.inject({ url, headers, remoteAddress: from, ...more })
}

it('whoever has the role, and the operator where they are meant too', async () => {
  const admin = await call(await tokenOf('ADMIN'))
  expect(admin.json()).toMatchObject({ by: 'person-1', school_id: school })
  expect((await call(operatorToken)).json()).toMatchObject({ by: 'operator', school_id: null })
  expect((await call(await tokenOf('CLINICIAN'), { url: '/one', payload: { number: 1 } })).statusCode).toBe(200)
})

it('nobody else, and before anything of the body is looked at', async () => {
  const url = '/one'
  const nobody = await call(null, { url })
  expect([nobody.statusCode, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer realm="psyflo"'])
  for (const token of [
    'no token',
    await tokenOf('CLINICIAN', { secret: 'another secret of at least thirty-two letters' }),
    await tokenOf('CLINICIAN', { validFor: -3600 }),
    await tokenOf('STUDENT'),
  ])
    expect((await call(token, { url })).statusCode).toBe(401)
  for (const token of [operatorToken, await tokenOf('ADMIN'), await tokenOf('COUNSELOR')]) {
    const refused = await call(token, { url })
    expect([refused.statusCode, refused.json()]).toEqual([403, { error: 'Clinicians only.' }])
  }
  expect((await call(await tokenOf('CLINICIAN'), { url })).statusCode).toBe(400)
})

it('whoever tries tokens is slowed down by all calls together; others, and those with a good one, are not', async () => {
  const counselor = await tokenOf('COUNSELOR')
  for (let times = 0; times < 20; times++)
    for (const token of [null, 'guessed', counselor])
      expect([401, 403]).toContain((await call(token, { url: times % 2 ? '/one' : '/two' })).statusCode)
  const slowed = await call('guessed')
  expect([slowed.statusCode, slowed.headers['retry-after']]).toEqual([429, '1'])
  expect(slowed.json()).toEqual({ error: 'Too many attempts; try again later.' })
  expect((await call(counselor, { url: '/one' })).statusCode).toBe(429)
  expect((await call('guessed', { from: '10.0.0.7' })).statusCode).toBe(401)
  expect((await call(await tokenOf('ADMIN'))).statusCode).toBe(200)
  at.clock.advance(seconds(1))
  expect((await call('guessed')).statusCode).toBe(401)
})
