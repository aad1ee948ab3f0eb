import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { passwordSchema } from '../../../shared/accounts.ts'
import { ConsoleError } from '../../../shared/errors.ts'
import { setUpSchema } from '../../../shared/set-up.ts'
import type { SetUpDefaults } from '../../../shared/views.ts'
import { refuseWeak } from '../identity/index.ts'
import type { Context, SetUp } from './context.ts'
import { openCall, router } from './trpc.ts'

/** Setting this machine up for a school: from the demonstration, or where nothing is there yet. */
export const setUpRouter = router({
  defaults: openCall.query(({ ctx }): Promise<SetUpDefaults> => setUpOf(ctx).defaults()),
  /** Refuses a password that may not be chosen, before anything is made with it. */
  checkPassword: openCall
    .input(z.object({ password: passwordSchema, about: z.array(z.string().max(200)).max(5) }))
    .mutation(async ({ ctx, input }) => {
      setUpOf(ctx)
      await refuseWeak(input.password, input.about)
      return true
    }),
  make: openCall.input(setUpSchema).mutation(({ ctx, input }) => setUpOf(ctx).make(ctx.windowId, input)),
})

function setUpOf({ startup }: Context): SetUp {
  if (startup.setUp) return startup.setUp
  throw new TRPCError({
    code: 'PRECONDITION_FAILED',
    cause: new ConsoleError({
      code: 'set_up_done',
      happened: 'There is nothing to set up here: this console already serves a school.',
      safe: 'Nothing was changed.',
      todo: 'For another school, start a console with its own data directory.',
    }),
  })
}
