import { z } from 'zod'
import type { QuarantineRow } from '../../../shared/views.ts'
import { appendAudit, endQuarantined, quarantineList } from '../../store/console/index.ts'
import { retryQuarantined } from '../event-queue/index.ts'
import { paced } from './paced.ts'
import { callFor, notFound, router } from './trpc.ts'

/** What could not be read: kept, shown, tried again or put aside by a person. */
export const quarantineRouter = router({
  list: callFor('quarantine.see').query(({ ctx }): QuarantineRow[] => quarantineList(ctx.parts.db)),
  changes: callFor('quarantine.see').subscription(async function* ({ ctx, signal }): AsyncGenerator<number> {
    const { strip, clock } = ctx.parts
    let last = -1
    for await (const count of paced<number>((send) => strip.listen(() => send(strip.now().quarantined)), {
      clock,
      interval: 500,
      merge: (_, b) => b,
      signal,
    })) {
      if (count !== last) yield count
      last = count
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
