import { z } from 'zod'
import type { ApiKeyView, IssuedKey } from '../../../shared/views.ts'
import { chatCommand, openSessionInPowerShell, openSessionInShell } from '../identity/index.ts'
import { appendAudit } from '../../store/console/index.ts'
import type { Caller, OwnStation } from './context.ts'
import { callFor, deskOnly, notFound, router } from './trpc.ts'

const manage = callFor('desk.manage')

/** API keys of the school's chat. A key is shown once; what is kept of it opens nothing. */
export const chatKeysRouter = router({
  /** Where the chat sends its messages. */
  address: manage.query(({ ctx }): string => stationOf(ctx).url),
  list: manage.query(({ ctx }): Promise<ApiKeyView[]> => stationOf(ctx).keys.list()),
  issue: manage
    .input(z.object({ label: z.string().trim().min(1).max(100) }))
    .mutation(async ({ ctx, input }): Promise<IssuedKey> => {
      const station = stationOf(ctx)
      const { id, key } = await station.keys.issue({ label: input.label, scopes: ['read', 'write'] })
      audit(ctx, 'api_key.issued', id)
      return {
        id,
        key,
        curl: openSessionInShell(station.url, key),
        powershell: openSessionInPowerShell(station.url, key),
        chat: chatCommand(ctx.parts.configuration.dataDir),
      }
    }),
  revoke: manage.input(z.object({ id: z.string().min(1).max(100) })).mutation(async ({ ctx, input }) => {
    if (!(await stationOf(ctx).keys.revoke(input.id))) throw notFound('key')
    audit(ctx, 'api_key.revoked', input.id)
  }),
})

function stationOf({ parts }: Caller): OwnStation {
  if (!parts.station) throw deskOnly()
  return parts.station
}

function audit({ parts, person }: Caller, what: string, id: string): void {
  const { changes, db, clock, consoleId } = parts
  changes.commit(() =>
    appendAudit(db, {
      at: clock.now(),
      who: person.id,
      role: person.role,
      what,
      subject: `key ${id}`,
      why: '',
      console_id: consoleId,
    }),
  )
}
