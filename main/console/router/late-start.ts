import { z } from 'zod'
import { seconds } from '../../../shared/time.ts'
import type { LateStartAlert, LateStartView, ToldView } from '../../../shared/views.ts'
import { alertRow, notificationsOf } from '../../store/console/index.ts'
import { colleagues } from './colleague.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callerNow, callFor, router } from './trpc.ts'

const see = callFor('alerts.see')
const upTo = z.object({ number: z.int().min(0) })

/** What came while this console was off, for each person who sees alerts. */
export const lateStartRouter = router({
  watch: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<LateStartView | null> {
    const { lateStart, clock } = ctx.parts
    yield lateStart.view(ctx.person)
    for await (const _ of paced<true>((send) => lateStart.listen(() => send(true)), {
      clock,
      interval: seconds(0.25),
      merge: () => true,
      signal,
    }))
      yield lateStart.view(callerNow(ctx).person)
  }),
  alerts: see.query(({ ctx }): LateStartAlert[] => lateAlerts(ctx)),
  /** It is before the person: it opens by itself no more. */
  opened: see.input(upTo).mutation(({ ctx, input }) => ctx.parts.lateStart.opened(ctx.person, input.number)),
  finished: see.input(upTo).mutation(({ ctx, input }) => ctx.parts.lateStart.finished(ctx.person, input.number)),
})

/** Every row comes from the query of the inbox, with the caller's school. */
function lateAlerts(caller: Caller): LateStartAlert[] {
  const { db, lateStart } = caller.parts
  const nameOf = namesFor(caller)
  return lateStart.alerts(caller.person).flatMap(({ key, raised_at, acknowledged_at }) => {
    const alert = alertRow(db, caller.person.school_id, key)
    if (!alert) return []
    const never_acknowledged = alert.state === 'open' && acknowledged_at === null
    return [{ alert, raised_at, never_acknowledged, told: toldOf(caller, key, nameOf) }]
  })
}

function namesFor(caller: Caller): (id: string) => string | null {
  const names = new Map(colleagues(caller).map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? null
}

/** Who was told of an alert, each telling once with what became of it. */
function toldOf({ parts }: Caller, key: string, nameOf: (id: string) => string | null): ToldView[] {
  const alert = parts.lifecycle.find(key)
  if (!alert) return []
  return notificationsOf(parts.db, alert).flatMap(({ escalated, person, at, channel, outcome }) =>
    escalated || person === null ? [] : [{ at, name: nameOf(person), channel, outcome }],
  )
}
