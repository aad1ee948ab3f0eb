import { z } from 'zod'
import { longestPassword } from '../../../shared/accounts.ts'
import { seconds } from '../../../shared/time.ts'
import type { SignInState, SittingState } from '../../../shared/views.ts'
import { openCounts, readSetting } from '../../store/console/index.ts'
import type { Accounts } from '../identity/index.ts'
import type { Context, Parts } from './context.ts'
import { paced } from './paced-updates.ts'
import { deskOnly, notOpen, openCall, router } from './trpc.ts'

const password = z.string().min(1).max(longestPassword)

/** Who sits at a window, for windows at which nobody does: calls without a person. */
export const signInRouter = router({
  state: openCall.subscription(async function* ({ ctx, signal }): AsyncGenerator<SignInState> {
    const parts = partsOf(ctx)
    const { startId: start_id } = ctx.startup
    const stateNow = (): SignInState => ({ start_id, ...stateOf(parts, ctx.windowId) })
    let before = stateNow()
    yield before
    const source = (send: (value: true) => void) => {
      const unlisten = [parts.windows.listen(() => send(true)), parts.changes.listen(() => send(true))]
      return () => unlisten.forEach((stop) => stop())
    }
    const { clock } = parts
    for await (const _ of paced<true>(source, { clock, interval: seconds(0.1), merge: () => true, signal })) {
      const now = stateNow()
      if (JSON.stringify(now) !== JSON.stringify(before)) yield (before = now)
    }
  }),
  signIn: openCall
    .input(z.object({ user_name: z.string().min(1).max(200), password }))
    .mutation(({ ctx, input }) => accountsOf(ctx).signIn(ctx.windowId, input)),
  choosePassword: openCall
    .input(z.object({ password }))
    .mutation(({ ctx, input }) => accountsOf(ctx).choosePassword(ctx.windowId, input.password)),
  signOut: openCall.mutation(({ ctx }) => accountsOf(ctx).signOut(ctx.windowId)),
})

function stateOf({ windows, people, accounts, db, schoolId }: Parts, windowId: string): SittingState {
  const id = windows.personAt(windowId)
  const person = id === null ? null : people.find(id)
  if (person) return { state: 'in', person }
  const changing = accounts?.mustChange(windowId) ?? null
  if (changing) return { state: 'change', name: changing.name }
  const { unacknowledged } = openCounts(db, schoolId())
  return { state: 'out', waiting: unacknowledged, school: readSetting(db, 'school_name') ?? null }
}

function partsOf({ startup }: Context): Parts {
  const parts = startup.parts()
  if (!parts) throw notOpen(startup)
  return parts
}

function accountsOf(ctx: Context): Accounts {
  const { accounts } = partsOf(ctx)
  if (!accounts) throw deskOnly()
  return accounts
}
