import { z } from 'zod'
import type { TimetableImported, TimetablePreview } from '../../../shared/views.ts'
import { appendAudit, lastTimetable } from '../../store/console/index.ts'
import { importTimetable, previewTimetable } from '../identity/index.ts'
import { callFor, router } from './trpc.ts'
import { calendarOf } from './whereabouts.ts'

const input = z.object({ csv: z.string().min(1) })
const manage = callFor('roster.manage')

/** The timetable: which lesson a student has when, as “where now” of an alert says. */
export const timetableRouter = router({
  preview: manage
    .input(input)
    .mutation(({ ctx, input: { csv } }): TimetablePreview =>
      previewTimetable(ctx.parts.db, csv, ctx.person.school_id, calendarOf(ctx)),
    ),
  last: manage.query(({ ctx }): TimetableImported | null => lastTimetable(ctx.parts.db, ctx.person.school_id)),
  import: manage.input(input).mutation(({ ctx, input: { csv } }): { imported: number; left_out: number } => {
    const { db, clock, consoleId, changes } = ctx.parts
    const { id, role, school_id } = ctx.person
    const now = clock.now()
    const calendar = calendarOf(ctx)
    return changes.commit((altered) => {
      const done = importTimetable(db, csv, school_id, calendar, now)
      appendAudit(db, {
        ...{ at: now, who: id, role, what: 'timetable.import' },
        ...{ subject: `${done.imported} lessons`, why: '', console_id: consoleId },
      })
      // Every alert that is open says where its student is.
      altered.add({ every_student: true })
      return done
    })
  }),
})
