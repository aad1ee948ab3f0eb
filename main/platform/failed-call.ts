import type { TRPCError } from '@trpc/server'
import { ConsoleError } from '../../shared/errors.ts'
import type { Logger } from './ports.ts'

/** Logs a call that failed. What its caller is told in words (a wrong password, say) is an answer, and no failure. */
export function logFailedCall(logger: Logger, error: TRPCError, call: string | undefined): void {
  if (error.code !== 'INTERNAL_SERVER_ERROR') return
  const { cause } = error
  if (cause instanceof ConsoleError) logger.info({ code: cause.code, call }, 'call refused')
  else logger.error({ error: cause ?? error, call }, 'call failed')
}
