import { z } from 'zod'
import { ConsoleError } from '../../../shared/errors.ts'
import { may } from '../../../shared/permissions.ts'
import { minutes } from '../../../shared/time.ts'
import type { AlertSession, SaidAround } from '../../../shared/views.ts'
import { isAudited, keyOf, saidAround } from '../../store/console/index.ts'
import { whereaboutsIn } from '../whereabouts.ts'
import { mayReveal, sessionOf } from './alert-detail.ts'
import { findOwn } from './alerts.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, router } from './trpc.ts'
import { whyUnopened } from './why-unopened.ts'
import { TRPCError } from '@trpc/server'

const input = z.object({ key: z.string().min(1).max(200) })

/** What goes on in the session of an alert after it was raised. */
export const alertSessionRouter = router({
  /** The session as it stands, and again at each message of it. */
  watch: callFor('alerts.see')
    .input(input)
    .subscription(async function* ({ ctx, input: { key }, signal }): AsyncGenerator<AlertSession> {
      for await (const caller of sessionChanges(ctx, key, signal)) yield sessionOf(caller, findOwn(caller, key))
    }),
  /**
   * While its evidence is revealed: what the student wrote around it, and what they write from now on. Only for who has
   * just revealed it, a reason given; their right to it is looked at anew before every push.
   */
  said: callFor('evidence.reveal')
    .input(input)
    .subscription(async function* ({ ctx, input: { key }, signal }): AsyncGenerator<SaidAround> {
      const { clock, db } = ctx.parts
      const { aliases } = findOwn(ctx, key)
      const since = clock.now() - oneReveal
      const revealed = { who: ctx.person.id, what: 'evidence.reveal', since }
      if (![key, ...aliases].some((alias) => isAudited(db, { ...revealed, subject: `alert ${alias}` })))
        throw new TRPCError({ code: 'FORBIDDEN', cause: notRevealed() })
      for await (const caller of sessionChanges(ctx, key, signal)) {
        const { person, parts } = caller
        const alert = findOwn(caller, key)
        if (person.id !== ctx.person.id || !may(person.role, 'evidence.reveal') || !mayReveal(caller, alert))
          throw new TRPCError({ code: 'FORBIDDEN', cause: notRevealed() })
        yield saidAround(parts.db, parts.evidenceKey, alert, { find: whereaboutsIn, unopened: whyUnopened(caller) })
      }
    }),
})

/** So long after a reveal its messages may be asked for, as a window does that lost its wire for a moment. */
const oneReveal = minutes(30)

function notRevealed(): ConsoleError {
  return new ConsoleError({
    code: 'not_revealed',
    happened: 'The student’s messages are shown only while the evidence is revealed.',
    safe: 'Nothing was shown.',
    todo: 'Reveal the evidence again.',
  })
}

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
