import { z } from 'zod'
import type { GateState } from '../../../shared/views.ts'
import { paced } from './feed.ts'
import { openCall, router } from './trpc.ts'

/** Before the console is open: what it waits for, and the passphrase. */
export const gateRouter = router({
  state: openCall.subscription(async function* ({ ctx, signal }): AsyncGenerator<GateState> {
    const { gate } = ctx
    yield gate.state()
    const changes = paced<GateState>((send) => gate.listen(send), {
      clock: { now: () => 0, after: () => () => undefined },
      interval: 0,
      merge: (_, latest) => latest,
      signal,
    })
    yield* changes
  }),
  unlock: openCall.input(z.object({ passphrase: z.string().min(1).max(1000) })).mutation(({ ctx, input }) => {
    ctx.gate.unlock(input.passphrase)
  }),
})
