import { z } from 'zod'
import type { OverviewView } from '../../../shared/views.ts'
import { overview } from '../../store/console/index.ts'
import { schoolZone } from './school-zone.ts'
import { callFor, router } from './trpc.ts'

/** The whole school in figures. */
export const overviewRouter = router({
  get: callFor('overview.see')
    .input(z.object({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]) }))
    .query(({ ctx, input }): OverviewView =>
      overview(ctx.parts.db, {
        school: ctx.person.school_id,
        periodDays: input.days,
        now: ctx.parts.clock.now(),
        zone: schoolZone(ctx),
      }),
    ),
})
