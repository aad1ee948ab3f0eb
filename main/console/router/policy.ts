import { z } from 'zod'
import { policySchema, type KeptPolicy, type PolicyChange } from '../../../shared/policy.ts'
import { seconds } from '../../../shared/time.ts'
import type { DirectoryView } from '../../../shared/views.ts'
import { paced } from './paced-updates.ts'
import { callFor, callerNow, router } from './trpc.ts'

const see = callFor('directory.see')
const manage = callFor('directory.manage')

/** The school's directory and calendar: read as they were heard of last, edited as the station has them. */
export const policyRouter = router({
  watch: see.subscription(async function* ({ ctx, signal }): AsyncGenerator<DirectoryView> {
    const { changes, clock, directory } = ctx.parts
    let shown = directory.view(ctx.person)
    yield shown
    const source = (send: (value: true) => void) =>
      // A key opens what is there; a roster gives students to people.
      changes.listen(({ policy, assignments, every_student, school_changed }) => {
        if (policy || assignments || every_student || school_changed) send(true)
      })
    for await (const _ of paced<true>(source, { clock, interval: seconds(0.2), merge: () => true, signal })) {
      const next = directory.view(callerNow(ctx).person)
      if (JSON.stringify(next) !== JSON.stringify(shown)) yield (shown = next)
    }
  }),
  edit: manage.mutation(({ ctx }): Promise<KeptPolicy> => ctx.parts.directory.edit(ctx.person)),
  save: manage
    .input(z.object({ version: z.int().min(0), policy: policySchema }))
    .mutation(({ ctx, input }): Promise<PolicyChange> =>
      ctx.parts.directory.save(ctx.person, input.version, input.policy),
    ),
})
