import { z } from 'zod'
import { seconds } from '../../../shared/time.ts'
import type { AlertViewers } from '../../../shared/views.ts'
import { alertRow } from '../../store/console/index.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, notFound, router } from './trpc.ts'

const see = callFor('alerts.see')

/** Who else is looking at an alert. */
export const viewingRouter = router({
  /** The alert is open before the caller for as long as this lasts. */
  look: see.input(z.object({ key: z.string().min(1).max(200) })).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<true> {
    const alert = ctx.parts.lifecycle.find(input.key)
    if (!alert || !alertRow(ctx.parts.db, ctx.person.school_id, alert.key)) throw notFound('alert')
    const leave = ctx.parts.viewing.look(alert, ctx.person)
    try {
      yield true
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve()
        signal?.addEventListener('abort', () => resolve(), { once: true })
      })
    } finally {
      leave()
    }
  }),
  watch: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<AlertViewers[]> {
    const { viewing, clock } = ctx.parts
    yield viewing.others(ctx.person)
    for await (const _ of paced<true>((send) => viewing.listen(() => send(true)), {
      clock,
      interval: seconds(0.1),
      merge: () => true,
      signal,
    }))
      yield viewing.others(callerNow(ctx).person)
  }),
})
