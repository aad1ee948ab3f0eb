import { appendAudit } from '../../store/console/index.ts'
import { z } from 'zod'
import type { Assessment } from '../../../shared/assessment.ts'
import type { DetectionState } from '../../../shared/views.ts'
import type { Caller } from './context.ts'
import { callFor, router } from './trpc.ts'

const see = callFor('settings.see')

/** How detection works, tried on a sentence. Nothing is stored. */
export const detectionRouter = router({
  explain: see.input(z.object({ text: z.string().max(20_000) })).query(async ({ ctx, input }): Promise<Assessment> => {
    const { assessment, clock } = ctx.parts
    const { engine, services } = await assessment()
    const said = { text: input.text, at: clock.now(), recent: [], history: [], previous: [] }
    // As a student's message would be read, services and all.
    return services ? engine.assessWith(said, services) : engine.assess(said)
  }),
  state: see.query(({ ctx }): Promise<DetectionState> => stateOf(ctx)),
  /** Reads the files again: good ones come into force, a broken one changes nothing. */
  reload: callFor('detection.manage').mutation(async ({ ctx }): Promise<DetectionState> => {
    const { db, clock, consoleId } = ctx.parts
    const assessment = await ctx.parts.assessment()
    const problem = assessment.reload()
    appendAudit(db, {
      at: clock.now(),
      who: ctx.person.id,
      role: ctx.person.role,
      what: 'detection.reload',
      subject: 'detection files',
      why: problem ? 'refused' : 'in force',
      console_id: consoleId,
    })
    return stateOf(ctx)
  }),
})

async function stateOf({ parts }: Caller): Promise<DetectionState> {
  return { ...(await parts.assessment()).state(), reply: parts.station?.reply() ?? null }
}
