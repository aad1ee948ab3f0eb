import { afterEach, beforeEach, expect, it } from 'vitest'
import { cacheOutbox, sendUnconfirmedActionsAgain } from '../../../../../main/store/console/index.ts'
import { marlow, openRecord, type OpenRecord } from '../../../../support/record.ts'
import { crisis, noon } from '../../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const outbox = () => cacheOutbox(at.db)
const waiting = () => outbox().next(noon + 1000, 10, false)

it('what was sent into a queue that is gone is sent again, until it has come back from the station', async () => {
  await at.receive(crisis())
  const [alert] = at.rows('SELECT key FROM alerts')
  at.lifecycle.act(String(alert?.['key']), marlow, { action: 'acknowledged' })
  const [message] = await waiting()
  await outbox().markSent([message!.position], noon)
  expect(await waiting()).toEqual([])

  sendUnconfirmedActionsAgain(at.db)
  expect((await waiting()).map(({ id }) => id)).toEqual([message!.id])
  await outbox().markSent([message!.position], noon)
  at.db.prepare('UPDATE actions SET confirmed_at = ?').run(noon)
  sendUnconfirmedActionsAgain(at.db)
  expect(await waiting()).toEqual([])
})
