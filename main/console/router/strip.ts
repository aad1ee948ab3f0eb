import { z } from 'zod'
import { seconds } from '../../../shared/time.ts'
import type { StripView } from '../../../shared/views.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, router } from './trpc.ts'

/** The strip that is always visible. */
export const stripRouter = router({
  /** A window has drawn the drill of this number. */
  painted: callFor('strip.see')
    .input(z.object({ number: z.int().min(1) }))
    .mutation(({ ctx, input }) => {
      ctx.parts.drills.painted(input.number, ctx.person.id)
    }),
  watch: callFor('strip.see').subscription(async function* ({ ctx, signal }): AsyncGenerator<StripView> {
    const { strip, clock } = ctx.parts
    yield strip.now()
    for await (const _ of paced<true>((send) => strip.listen(() => send(true)), {
      clock,
      interval: seconds(0.25),
      merge: () => true,
      signal,
    })) {
      callerNow(ctx)
      yield strip.now()
    }
  }),
})
