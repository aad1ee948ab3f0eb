import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSigned, signedHeaders } from '../../../main/platform/webhook-signature.ts'
import { minutes } from '../../../shared/time.ts'

const secret = 'a webhook secret of thirty-two characters or more'
const at = Date.UTC(2026, 0, 20, 10, 15)

test('a message is signed as the standard has it', () => {
  const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('what was signed is believed, whatever it says', () => {
  fc.assert(
    fc.property(fc.string(), fc.uuid(), (body, id) => {
      const headers = signedHeaders(secret, { id, at, body })
      expect(readSigned(secret, { headers, body, now: at })).toEqual({ id, at })
    }),
  )
})

test('one of several signatures is enough, while a secret is changed', () => {
  const headers = signedHeaders(secret, { id: 'm', at, body: '{}' })
  const both = { ...headers, 'webhook-signature': `v1,b3RoZXI= ${headers['webhook-signature']}` }
  expect(readSigned(secret, { headers: both, body: '{}', now: at })).toEqual({ id: 'm', at })
})

test.each([
  ['another body', { body: '{"a":1}' }, {}],
  ['another secret', { secret: 'another secret of thirty-two characters' }, {}],
  ['another id', {}, { 'webhook-id': 'other' }],
  ['another time', {}, { 'webhook-timestamp': String(at / 1000 + 1) }],
  ['no signature', {}, { 'webhook-signature': undefined }],
  ['a signature of another kind', {}, { 'webhook-signature': 'v2,AAAA' }],
  ['a header twice', {}, { 'webhook-id': ['m', 'm'] }],
])('it is not believed with %s', (_what, changes: { body?: string; secret?: string }, other) => {
  const headers = { ...signedHeaders(secret, { id: 'm', at, body: '{}' }), ...other }
  expect(readSigned(changes.secret ?? secret, { headers, body: changes.body ?? '{}', now: at })).toBe('wrong signature')
})

test('after a quarter of an hour it counts no more, nor does what is still to come', () => {
  const headers = signedHeaders(secret, { id: 'm', at, body: '{}' })
  const read = (now: number) => readSigned(secret, { headers, body: '{}', now })
  expect(read(at + minutes(15))).toEqual({ id: 'm', at })
  expect(read(at + minutes(15) + 1)).toBe('too old')
  expect(read(at - minutes(5) - 1)).toBe('too old')
})
