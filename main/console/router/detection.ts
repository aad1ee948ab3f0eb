import { appendAudit } from '../../store/console/index.ts'
import { z } from 'zod'
import type { Assessment } from '../../../shared/assessment.ts'
import {
  detectionChangeSchema,
  operatingPointNames,
  weightSetNames,
  type KeptDetection,
} from '../../../shared/detection.ts'
import type { Person } from '../../../shared/people.ts'
import { seconds } from '../../../shared/time.ts'
import type { DetectionChoices, DetectionState } from '../../../shared/views.ts'
import type { Engine } from '../../analysis/index.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callFor, callerNow, router } from './trpc.ts'

const see = callFor('settings.see')

/** How detection works, tried on a sentence. Nothing is stored. */
export const detectionRouter = router({
  explain: see.input(z.object({ text: z.string().max(20_000) })).query(async ({ ctx, input }): Promise<Assessment> => {
    const { assessment, clock } = ctx.parts
    const { engine, services } = await assessment()
    const detection = ctx.parts.directory.detection(ctx.person)
    const said = { text: input.text, at: clock.now(), recent: [], history: [], previous: [], detection }
    // As a student's message would be read, services and all.
    return services ? engine.assessWith(said, services) : engine.assess(said)
  }),
  state: see.query(({ ctx }): Promise<DetectionState> => stateOf(ctx)),
  /** What the school has chosen, and between what. */
  choices: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<DetectionChoices> {
    const { changes, clock } = ctx.parts
    const { engine } = await ctx.parts.assessment()
    let shown = choicesOf(ctx, ctx.person, engine)
    yield shown
    const source = (send: (value: true) => void) =>
      changes.listen(({ policy, school_changed }) => {
        if (policy || school_changed) send(true)
      })
    for await (const _ of paced<true>(source, { clock, interval: seconds(0.2), merge: () => true, signal })) {
      const next = choicesOf(ctx, callerNow(ctx).person, engine)
      if (JSON.stringify(next) !== JSON.stringify(shown)) yield (shown = next)
    }
  }),
  /** Chooses for the whole school; its station reads by it from the next message on. */
  choose: callFor('detection.manage')
    .input(detectionChangeSchema)
    .mutation(({ ctx, input }): Promise<KeptDetection> => ctx.parts.directory.chooseDetection(ctx.person, input)),
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

function choicesOf({ parts }: Caller, person: Person, { detection }: Pick<Engine, 'detection'>): DetectionChoices {
  const { operating_points, weight_sets, weights, messages_per_1000_week } = detection
  const kept = parts.directory.detection(person)
  return {
    kept,
    chosen_by_name: kept.chosen && (parts.people.find(kept.chosen.by)?.name ?? null),
    station: parts.directory.view(person).station,
    messages_per_1000_week,
    points: operatingPointNames.map((name) => {
      const { per_1000_week, misses } = operating_points[name]
      return { name, per_1000_week, misses }
    }),
    recommended_weights: weights,
    weight_sets: weightSetNames.map((name) => {
      const { interval = null, ...set } = weight_sets[name]
      return { name, weights: set.weights, interval }
    }),
  }
}

async function stateOf({ parts }: Caller): Promise<DetectionState> {
  return { ...(await parts.assessment()).state(), reply: parts.station?.reply() ?? null }
}
