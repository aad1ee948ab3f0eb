import { z } from 'zod'
import type { Assessment } from '../../../shared/assessment.ts'
import type { DetectionState } from '../../../shared/views.ts'
import { appendAudit } from '../../audit/index.ts'
import type { Caller } from './context.ts'
import { callFor, router } from './trpc.ts'

const see = callFor('settings.see')

/** How detection works, tried on a sentence. Nothing is stored. */
export const detectionRouter = router({
  explain: see.input(z.object({ text: z.string().max(20_000) })).query(({ ctx, input }): Promise<Assessment> => {
    const { detection, services, clock } = ctx.parts
    const said = { text: input.text, at: clock.now(), recent: [], history: [], previous: [] }
    // As a student's message would be read, services and all.
    return services ? detection.engine.assessWith(said, services) : Promise.resolve(detection.engine.assess(said))
  }),
  state: see.query(({ ctx }): DetectionState => stateOf(ctx)),
  /** Reads the files again: good ones come into force, a broken one changes nothing. */
  reload: callFor('detection.manage').mutation(({ ctx }): DetectionState => {
    const { db, clock, consoleId, detection } = ctx.parts
    const problem = detection.reload()
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

function stateOf({ parts: { detection, clinical, embedder } }: Caller): DetectionState {
  const problem = detection.problem()
  return {
    versions: detection.engine.versions.map(({ file, version }) => ({ file, version })),
    problem: problem && { code: problem.code, happened: problem.happened, safe: problem.safe, todo: problem.todo },
    clinical: clinical(),
    embedder: embedder(),
  }
}
