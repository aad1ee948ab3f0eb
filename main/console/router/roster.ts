import { appendAudit, lastImport, schoolsResolved } from '../../store/console/index.ts'
import { z } from 'zod'
import type { RosterImported, RosterPreview } from '../../../shared/views.ts'
import { countryOf, importRoster, previewRoster, type RosterImport } from '../identity/index.ts'
import { schoolZone } from './school-zone.ts'
import { callFor, deskOnly, router } from './trpc.ts'

const csv = z.string().min(1)
const choice = z.object({ name: z.string().max(300), person_id: z.string().max(200).nullable() })
const manage = callFor('roster.manage')

/** The roster: the only table that turns a hash into a name. */
export const rosterRouter = router({
  preview: manage
    .input(z.object({ csv }))
    .mutation(({ ctx, input }): RosterPreview => previewRoster(ctx.parts.db, input.csv, ctx.person.school_id)),
  last: manage.query(({ ctx }): RosterImported | null => lastImport(ctx.parts.db, ctx.person.school_id)),
  import: manage
    .input(
      z.object({ csv, salt: z.string().min(8).max(500).optional(), choices: z.array(choice).max(10_000).optional() }),
    )
    .mutation(({ ctx, input }): RosterImport => {
      const { db, eventLog, clock, consoleId, schoolId, changes, station } = ctx.parts
      // On a desk nobody types it: the station beside this console has it.
      const salt = station?.salt ?? input.salt
      if (salt === undefined) throw deskOnly()
      const now = clock.now()
      const country = countryOf(schoolZone(ctx))
      // Whose students they are is told to the station after this: it may be away, and the import stands all the same.
      return changes.commit((altered) => {
        const done = importRoster(db, { ...input, salt, country }, ctx.person.school_id, now)
        appendAudit(db, {
          at: now,
          who: ctx.person.id,
          role: ctx.person.role,
          what: 'roster.import',
          subject: `${done.imported} students`,
          why: '',
          console_id: consoleId,
        })
        // Events that named no school may be of a student whom this roster knows.
        altered.add({ ...eventLog.append(schoolsResolved(db, schoolId(), now)), every_student: true })
        return done
      })
    }),
})
