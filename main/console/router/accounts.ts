import { z } from 'zod'
import { longestPassword, newAccountSchema } from '../../../shared/accounts.ts'
import { roleSchema } from '../../../shared/people.ts'
import type { AccountView } from '../../../shared/views.ts'
import type { Accounts } from '../identity/index.ts'
import type { Parts } from './context.ts'
import { callFor, deskOnly, router } from './trpc.ts'

const manage = callFor('accounts.manage')
const of = z.object({ person_id: z.string().min(1).max(200) })
const password = z.string().min(1).max(longestPassword)

/** The people of a desk who sign in with a user name and a password. */
export const accountsRouter = router({
  list: manage.query(({ ctx }): AccountView[] => accountsOf(ctx).list(ctx.person.school_id)),
  add: manage.input(newAccountSchema).mutation(({ ctx, input }) => accountsOf(ctx).add(ctx.person, input)),
  resetPassword: manage
    .input(of)
    .mutation(({ ctx, input }) => accountsOf(ctx).resetPassword(ctx.person, input.person_id)),
  setRole: manage
    .input(of.extend({ role: roleSchema }))
    .mutation(({ ctx, input }) => accountsOf(ctx).setRole(ctx.person, input.person_id, input.role)),
  end: manage.input(of).mutation(({ ctx, input }) => accountsOf(ctx).end(ctx.person, input.person_id)),
  changePassword: callFor('account.own')
    .input(z.object({ current: password, next: password }))
    .mutation(({ ctx, input }) => accountsOf(ctx).changePassword(ctx.windowId, ctx.person, input)),
})

function accountsOf({ parts }: { parts: Parts }): Accounts {
  if (!parts.accounts) throw deskOnly()
  return parts.accounts
}
