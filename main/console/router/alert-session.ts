import { z } from 'zod'
import type { AlertSession } from '../../../shared/views.ts'
import { keyOf } from '../../store/console/index.ts'
import { sessionOf } from './alert-detail.ts'
import { findOwn } from './alerts.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, router } from './trpc.ts'

const input = z.object({ key: z.string().min(1).max(200) })

/** What goes on in the session of an alert after it was raised. */
export const alertSessionRouter = router({
  /** The session as it stands, and again at each message of it. */
  watch: callFor('alerts.see')
    .input(input)
    .subscription(async function* ({ ctx, input: { key }, signal }): AsyncGenerator<AlertSession> {
      for await (const caller of sessionChanges(ctx, key, signal)) yield sessionOf(caller, findOwn(caller, key))
    }),
})

/** The caller as they are now, at once and whenever the session of an alert changed. */
async function* sessionChanges(ctx: Caller, key: string, signal: AbortSignal | undefined): AsyncGenerator<Caller> {
  const { changes, clock } = ctx.parts
  const { school_id, session_id } = findOwn(ctx, key)
  const session = keyOf(school_id ?? '', session_id)
  const source = (send: (value: true) => void) => {
    const stop = changes.listen(({ sessions, alerts, gone, every_student }) => {
      const isOf = (changed: { key: string }) => changed.key === key
      if (every_student || sessions.includes(session) || alerts.some(isOf) || gone.some(isOf)) send(true)
    })
    send(true)
    return stop
  }
  for await (const _ of paced<true>(source, { clock, interval: 500, merge: () => true, signal })) yield callerNow(ctx)
}
