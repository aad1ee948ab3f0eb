import { z } from 'zod'
import { seconds } from '../../../shared/time.ts'
import type {
  ConnectionTest,
  ConsoleEnrolment,
  DeadLetters,
  Preferences,
  QueueSettings,
} from '../../../shared/views.ts'
import type { Caller } from './context.ts'
import { paced } from './paced-updates.ts'
import { callFor, router } from './trpc.ts'

const see = callFor('settings.see')
const choices = {
  theme: z.enum(['system', 'light', 'dark']),
  sound: z.enum(['chime', 'bell', 'off']),
  density: z.enum(['comfortable', 'compact']),
  single_keys: z.boolean(),
}
const defaults: Preferences = { theme: 'system', sound: 'chime', density: 'comfortable', single_keys: true }
const preferencesSchema = z.object(choices)
const changeSchema = preferencesSchema.partial()
const layoutName = z.string().regex(/^[a-z-]{1,40}$/)
const layoutSchema = z.array(z.number().min(0).max(10_000)).max(6)

/** Queues, whether the school knows this console, and this window's preferences. */
export const settingsRouter = router({
  queues: see.query(({ ctx }): QueueSettings => ctx.parts.queues()),
  enrolment: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<ConsoleEnrolment> {
    const { changes, clock, enrolment } = ctx.parts
    let shown = enrolment.view()
    yield shown
    const source = (send: (value: true) => void) => changes.listen(() => send(true))
    for await (const _ of paced<true>(source, { clock, interval: seconds(1), merge: () => true, signal })) {
      const next = enrolment.view()
      if (next.state === shown.state && next.since === shown.since) continue
      yield (shown = next)
    }
  }),
  deadLetters: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<DeadLetters | null> {
    const { deadLetters, clock, strip } = ctx.parts
    yield deadLetters?.now() ?? null
    const source = (send: (value: true) => void) => strip.listen(() => send(true))
    for await (const _ of paced<true>(source, { clock, interval: seconds(1), merge: () => true, signal }))
      yield deadLetters?.now() ?? null
  }),
  bringBackDeadLetters: callFor('quarantine.act').mutation(
    async ({ ctx }): Promise<number> => (await ctx.parts.deadLetters?.bringBack(ctx.person)) ?? 0,
  ),
  testConnection: see.mutation(({ ctx }): Promise<ConnectionTest> => ctx.parts.testConnection()),
  preferences: see.query(({ ctx }): Preferences => preferencesOf(ctx)),
  setPreferences: see.input(changeSchema).mutation(({ ctx, input }): Preferences => {
    const after = preferencesSchema.parse({ ...preferencesOf(ctx), ...input })
    ctx.parts.preferences.set('appearance', after)
    return after
  }),
  layout: see.input(z.object({ name: layoutName })).query(({ ctx, input }): number[] | null => {
    const kept = layoutSchema.safeParse(ctx.parts.preferences.get(`layout-${input.name}`))
    return kept.success ? kept.data : null
  }),
  setLayout: see.input(z.object({ name: layoutName, sizes: layoutSchema })).mutation(({ ctx, input }) => {
    ctx.parts.preferences.set(`layout-${input.name}`, input.sizes)
  }),
})

/** What was chosen; a choice that cannot be read is the default. */
function preferencesOf({ parts }: Caller): Preferences {
  const kept = changeSchema.safeParse(parts.preferences.get('appearance') ?? {})
  return preferencesSchema.parse({ ...defaults, ...(kept.success ? kept.data : {}) })
}
