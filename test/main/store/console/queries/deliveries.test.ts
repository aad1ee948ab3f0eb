import { afterEach, beforeEach, expect, it } from 'vitest'
import { markSent, nextToSend, sendUnconfirmedActionsAgain } from '../../../../../main/store/console/index.ts'
import { marlow, openRecord, type OpenRecord } from '../../../../support/record.ts'
import { crisis, noon } from '../../../../support/wire.ts'

let at: OpenRecord
beforeEach(() => (at = openRecord()))
afterEach(() => at.close())

const waiting = () => nextToSend(at.db, noon + 1000, 10, false)

it('what was sent into a queue that is gone is sent again, until it has come back from the station', async () => {
  await at.receive(crisis())
  const [alert] = at.rows('SELECT key FROM alerts')
  at.lifecycle.act(String(alert?.['key']), marlow, { action: 'acknowledged', at: noon })
  const [message] = waiting()
  markSent(at.db, [message!.position], noon)
  expect(waiting()).toEqual([])

  sendUnconfirmedActionsAgain(at.db)
  expect(waiting().map(({ id }) => id)).toEqual([message!.id])
  markSent(at.db, [message!.position], noon)
  at.db.prepare('UPDATE actions SET confirmed_at = ?').run(noon)
  sendUnconfirmedActionsAgain(at.db)
  expect(waiting()).toEqual([])
})
