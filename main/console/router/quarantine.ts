import { z } from 'zod'
import type { QuarantineRow } from '../../../shared/views.ts'
import { appendAudit } from '../../audit/index.ts'
import { retryQuarantined } from '../event-queue/index.ts'
import { paced } from './paced.ts'
import { callFor, notFound, router } from './trpc.ts'

/** What could not be read: kept, shown, tried again or put aside by a person. */
export const quarantineRouter = router({
  list: callFor('quarantine.see').query(({ ctx }): QuarantineRow[] =>
    (
      ctx.parts.db
        .prepare(
          `SELECT id, received_at, reason, detail, receive_count, bytes, names_crisis FROM quarantine
           WHERE ended_at IS NULL ORDER BY names_crisis DESC, received_at DESC LIMIT 500`,
        )
        .all() as (Omit<QuarantineRow, 'names_crisis'> & { names_crisis: number })[]
    ).map((row) => ({ ...row, names_crisis: row.names_crisis === 1 })),
  ),
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
        { id: input.id },
      )
      return { accepted: accepted > 0 }
    }),
  dismiss: callFor('quarantine.act')
    .input(z.object({ id: z.int(), reason: z.string().trim().min(1).max(1000) }))
    .mutation(({ ctx, input }) => {
      const { db, clock, consoleId, changes } = ctx.parts
      changes.commit(() => {
        const { changes } = db
          .prepare(
            `UPDATE quarantine SET ended_at = ?, ended_by = ?, ended_how = 'dismissed' WHERE id = ? AND ended_at IS NULL`,
          )
          .run(clock.now(), ctx.person.id, input.id)
        if (changes === 0) throw notFound('entry')
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
