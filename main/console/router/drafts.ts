import { z } from 'zod'
import { draftsOf, keepDraft } from '../../store/console/index.ts'
import { callFor, router } from './trpc.ts'

const write = callFor('alerts.act')

/** What the caller was typing when the page, the window or the program went away. The screens alone read what a draft says. */
export const draftsRouter = router({
  mine: write.query(({ ctx }): { person: string; drafts: Record<string, string> } => ({
    person: ctx.person.id,
    drafts: draftsOf(ctx.parts.db, ctx.person.id),
  })),
  /** `draft` null = there is none any more. */
  keep: write
    .input(
      z.object({
        person: z.string().max(200),
        name: z.string().min(1).max(300),
        draft: z.string().max(200_000).nullable(),
      }),
    )
    .mutation(({ ctx, input: { person, ...draft } }) => {
      // Somebody else sits here by now: their drafts are no place for another's words.
      if (person === ctx.person.id) keepDraft(ctx.parts.db, ctx.person.id, draft)
    }),
})
