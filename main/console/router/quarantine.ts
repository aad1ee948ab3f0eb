import { z } from 'zod'
import type { QuarantineRow } from '../../../shared/views.ts'
import { appendAudit, countQuarantined, endQuarantined, quarantineList } from '../../store/console/index.ts'
import { retryQuarantined } from '../event-queue/index.ts'
import { paced } from './paced-updates.ts'
import { callFor, notFound, router } from './trpc.ts'

type Waiting = ReturnType<typeof countQuarantined>['all']

/** What could not be read: kept, shown, tried again or put aside by a person. */
export const quarantineRouter = router({
  list: callFor('quarantine.see').query(({ ctx }): QuarantineRow[] => quarantineList(ctx.parts.db)),
  changes: callFor('quarantine.see').subscription(async function* ({ ctx, signal }): AsyncGenerator<number> {
    const { db, strip, clock } = ctx.parts
    let last = ''
    for await (const { waiting, newest } of paced<Waiting>(
      (send) => strip.listen(() => send(countQuarantined(db).all)),
      {
        clock,
        interval: 500,
        merge: (_, b) => b,
        signal,
      },
    )) {
      // One that ended and one that came leave the count as it was.
      const now = `${waiting} ${newest}`
      if (now !== last) yield waiting
      last = now
    }
  }),
  retry: callFor('quarantine.act')
    .input(z.object({ id: z.int() }))
    .mutation(({ ctx, input }): { accepted: boolean } => {
      const { db, eventLog, evidenceKey, schoolId, clock, consoleId, changes } = ctx.parts
      const { accepted } = retryQuarantined(
        {
          db,
          eventLog,
          evidenceKey,
          changes,
          schoolId: schoolId(),
          now: clock.now(),
          consoleId,
          by: ctx.person,
        },
        [input.id],
      )
      return { accepted: accepted > 0 }
    }),
  dismiss: callFor('quarantine.act')
    .input(z.object({ id: z.int(), reason: z.string().trim().min(1).max(1000) }))
    .mutation(({ ctx, input }) => {
      const { db, clock, consoleId, changes } = ctx.parts
      changes.commit(() => {
        const ended = endQuarantined(db, { id: input.id, at: clock.now(), by: ctx.person.id, how: 'dismissed' })
        if (!ended) throw notFound('entry')
        appendAudit(db, {
          at: clock.now(),
          who: ctx.person.id,
          role: ctx.person.role,
          what: 'quarantine.dismiss',
          subject: `quarantine ${input.id}`,
          why: input.reason,
          console_id: consoleId,
        })
      })
    }),
})
