import { z } from 'zod'
import type { RosterPreview } from '../../../shared/views.ts'
import { appendAudit } from '../../audit/index.ts'
import { importRoster, previewRoster, type RosterImport } from '../identity/index.ts'
import { callFor, router } from './trpc.ts'

const csv = z.string().min(1)
const manage = callFor('roster.manage')

/** The roster: the only table that turns a hash into a name. */
export const rosterRouter = router({
  preview: manage
    .input(z.object({ csv }))
    .mutation(({ ctx, input }): RosterPreview => previewRoster(ctx.parts.db, input.csv, ctx.person.school_id)),
  import: manage.input(z.object({ csv, salt: z.string().min(8).max(500) })).mutation(({ ctx, input }): RosterImport => {
    const { db, clock, consoleId, changes } = ctx.parts
    return changes.commit((altered) => {
      const imported = importRoster(db, input.csv, input.salt, ctx.person.school_id, clock.now())
      appendAudit(db, {
        at: clock.now(),
        who: ctx.person.id,
        role: ctx.person.role,
        what: 'roster.import',
        subject: `${imported.imported} students`,
        why: '',
        console_id: consoleId,
      })
      altered.add({ every_student: true })
      return imported
    })
  }),
})
