import { z } from 'zod'
import { longestPassphrase } from '../../../shared/passphrase.ts'
import type { StartupState, StartupView } from '../../../shared/views.ts'
import { paced } from './paced-updates.ts'
import { openCall, router } from './trpc.ts'

/** Before the console is open: what it waits for, and the passphrase. */
export const startupRouter = router({
  state: openCall.subscription(async function* ({ ctx, signal }): AsyncGenerator<StartupView> {
    const { startup } = ctx
    const view = (state: StartupState): StartupView => ({
      ...state,
      takes_messages: startup.takesMessages,
      start_id: startup.startId,
      made_anew: startup.madeAnew,
    })
    yield view(startup.state())
    const changes = paced<StartupView>((send) => startup.listen((state) => send(view(state))), {
      clock: { now: () => 0, after: () => () => undefined },
      interval: 0,
      merge: (_, latest) => latest,
      signal,
    })
    yield* changes
  }),
  tryAgain: openCall.mutation(({ ctx }) => ctx.startup.tryAgain()),
  unlock: openCall
    .input(z.object({ passphrase: z.string().min(1).max(longestPassphrase) }))
    .mutation(({ ctx, input }) => {
      ctx.startup.unlock(input.passphrase)
    }),
})
