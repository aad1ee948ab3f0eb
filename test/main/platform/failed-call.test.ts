import { TRPCError } from '@trpc/server'
import { expect, it } from 'vitest'
import { logFailedCall } from '../../../main/platform/failed-call.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { recordingLogger } from '../../support/intake-school.ts'

const logged = (cause: Error) => {
  const { logger, entries } = recordingLogger()
  logFailedCall(logger, new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }), 'signIn.signIn')
  return entries
}

it('a refusal that its caller is told in words is no error', () => {
  const refusal = new ConsoleError({ code: 'last_admin', happened: 'MARKED', safe: '', todo: '' })
  expect(logged(refusal)).toMatchObject([{ level: 'info', fields: { code: 'last_admin', call: 'signIn.signIn' } }])
  expect(JSON.stringify(logged(refusal))).not.toContain('MARKED')
})

it('anything else is', () => {
  expect(logged(new TypeError('x'))).toMatchObject([{ level: 'error' }])
})
