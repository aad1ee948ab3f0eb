import { initTRPC, TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { deliverySchema } from '../../../shared/delivery.ts'
import { ConsoleError, type PersonalError } from '../../../shared/errors.ts'
import { may, type Permission } from '../../../shared/permissions.ts'
import { storageProblem } from '../../store/console/index.ts'
import type { Caller, Context } from './context.ts'

const t = initTRPC
  .context<Context>()
  .meta<{ permission: Permission }>()
  .create({
    errorFormatter({ shape, error }) {
      // Nothing of the inside leaves with an error: a sentence for people, no stack, no input.
      const personal = personalError(error)
      return { ...shape, message: personal.happened, data: { ...shape.data, stack: undefined, personal } }
    },
  })

export const router = t.router

/**
 * Leaves alone what comes too late: whoever did it was told by then that it is not recorded, and may have done
 * something else about it. `callId` is the same where the same act is sent again; null where the caller names none.
 */
const inTime = t.middleware(async ({ ctx, type, getRawInput, next }) => {
  const delivery = type === 'mutation' ? deliverySchema.safeParse(await getRawInput()).data?.delivery : undefined
  const clock = ctx.startup.parts()?.clock
  if (delivery && clock && clock.now() > delivery.begin_by) throw new TRPCError({ code: 'TIMEOUT', cause: tooLate() })
  return next({ ctx: { callId: delivery?.id ?? null } })
})

const call = t.procedure.use(inTime)

/** A call that works before the console is open. */
export const openCall = call

/**
 * A call that needs an open console and a person whose role has this permission. The only place
 * where a role is checked; every record is looked up within the person's school besides.
 */
export function callFor(permission: Permission) {
  return call.meta({ permission }).use(({ ctx, next }) => {
    const parts = ctx.startup.parts()
    if (!parts) throw notOpen(ctx.startup)
    const caller = callerNow({ parts, windowId: ctx.windowId })
    if (!may(caller.person.role, permission)) throw new TRPCError({ code: 'FORBIDDEN', cause: forbidden() })
    return next({ ctx: { ...caller, maySetUp: ctx.startup.setUp !== null } })
  })
}

/** Who sits at a window now. A subscription asks at every push: the school of a person may have been named since. */
export function callerNow({ parts, windowId }: Pick<Caller, 'parts' | 'windowId'>): Caller {
  const id = parts.windows.personAt(windowId)
  const person = id === null ? null : parts.people.find(id)
  if (!person) throw new TRPCError({ code: 'UNAUTHORIZED', cause: nobody() })
  return { parts, person, windowId }
}

export function notFound(what: string): TRPCError {
  return new TRPCError({
    code: 'NOT_FOUND',
    cause: new ConsoleError({
      code: 'not_found',
      happened: `This ${what} was not found here.`,
      safe: 'Nothing was changed.',
      todo: 'Go back to the list; it may have been merged or removed.',
    }),
  })
}

export function forbidden(happened = 'Your role does not include this.'): ConsoleError {
  return new ConsoleError({
    code: 'forbidden',
    happened,
    safe: 'Nothing was shown or changed.',
    todo: 'Ask a colleague whose role does.',
  })
}

/** For calls that have a meaning on a school's own desk only. */
export function deskOnly(): TRPCError {
  return new TRPCError({
    code: 'PRECONDITION_FAILED',
    cause: new ConsoleError({
      code: 'desk_only',
      happened: 'This is available only on a school’s own desk.',
      safe: 'Nothing was changed.',
      todo: 'Set up a machine for the school, then open its desk.',
    }),
  })
}

export function notOpen({ takesMessages }: Pick<Context['startup'], 'takesMessages'>): TRPCError {
  return new TRPCError({
    code: 'PRECONDITION_FAILED',
    cause: new ConsoleError({
      code: 'not_open',
      happened: 'The console is not open yet.',
      safe: takesMessages ? 'Until it is, no student’s message is received.' : 'Events are waiting in the queue.',
      todo: 'Wait a moment, or enter the passphrase.',
    }),
  })
}

function tooLate(): ConsoleError {
  return new ConsoleError({
    code: 'not_taken',
    happened: 'Not recorded: the program was busy for too long.',
    safe: 'Nothing was changed.',
    todo: 'Try again.',
  })
}

function nobody(): ConsoleError {
  return new ConsoleError({
    code: 'not_signed_in',
    happened: 'No one is signed in at this window.',
    safe: 'Nothing was shown or changed.',
    todo: 'Sign in, or restart the console.',
  })
}

function personalError(error: TRPCError): PersonalError {
  const cause = error.cause
  if (cause instanceof ConsoleError)
    return { code: cause.code, happened: cause.happened, safe: cause.safe, todo: cause.todo }
  const problem = storageProblem(cause)
  if (problem !== null) return personalError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: problem }))
  if (error.code === 'BAD_REQUEST' && cause instanceof ZodError) {
    const field = cause.issues[0]?.path.join(' ') || 'something'
    return {
      code: 'invalid',
      happened: `What was entered is not valid: ${field}.`,
      safe: 'Nothing was changed.',
      todo: 'Correct it and try again.',
    }
  }
  return {
    code: 'unexpected',
    happened: 'This did not work.',
    safe: 'What was recorded before is kept.',
    todo: 'Try again. If it happens again, run the connection test in Settings.',
  }
}
