import type { AlertRow } from '../../../shared/views.ts'
import { unheldAlerts } from '../../store/console/index.ts'
import { callFor, router } from './trpc.ts'

/** What rings until somebody holds it. */
export const unheldRouter = router({
  list: callFor('alerts.see').query(({ ctx }): AlertRow[] =>
    unheldAlerts(ctx.parts.db, {
      school: ctx.person.school_id,
      person: ctx.person.id,
      now: ctx.parts.clock.now(),
    }),
  ),
})
