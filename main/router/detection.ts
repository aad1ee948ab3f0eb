import { z } from 'zod'
import type { Assessment } from '../../shared/assessment.ts'
import { callFor, router } from './trpc.ts'

const see = callFor('settings.see')

/** How detection works, tried on a sentence. Nothing is stored. */
export const detectionRouter = router({
  explain: see
    .input(z.object({ text: z.string().max(20_000) }))
    .query(({ ctx, input }): Assessment =>
      ctx.parts.engine.assess({ text: input.text, at: ctx.parts.clock.now(), recent: [], history: [], previous: [] }),
    ),
  versions: see.query(({ ctx }): { file: string; version: string }[] => [...ctx.parts.engine.versions]),
})
