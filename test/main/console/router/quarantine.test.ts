import { afterAll, beforeAll, expect, it } from 'vitest'
import { endQuarantined, keepQuarantined } from '../../../../main/store/console/index.ts'
import { openConsole, type OpenConsole } from '../../../support/open-console.ts'

let at: OpenConsole
beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())

const keep = (digest: string) =>
  keepQuarantined(at.parts.db, {
    ...{ digest, received_at: Date.now(), reason: 'not JSON', detail: '', bytes: 1, receive_count: 1, raw: '' },
    names_crisis: true,
  })

it('one put aside and another that came in the same moment are told, and differ', async () => {
  const changes = (await at.as('ADMIN').quarantine.changes())[Symbol.asyncIterator]()
  const { db, strip, changes: stream } = at.parts
  const first = changes.next()
  stream.commit(() => keep('first'))
  // What the connection tells at the start says of none.
  if ((await first).value !== 1) expect((await changes.next()).value).toBe(1)
  const before = strip.now()
  const second = changes.next()
  stream.commit(() => {
    endQuarantined(db, { id: before.newest_quarantined_crisis ?? 0, at: Date.now(), by: 'ADMIN', how: 'dismissed' })
    keep('second')
  })
  expect((await second).value).toBe(1)
  const after = strip.now()
  expect(after.quarantined_crises).toBe(before.quarantined_crises)
  expect(after.newest_quarantined_crisis).toBeGreaterThan(before.newest_quarantined_crisis ?? Infinity)
})
