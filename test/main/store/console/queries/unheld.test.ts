import { afterAll, beforeAll, expect, it } from 'vitest'
import { minutes } from '../../../../../shared/time.ts'
import { openConsole, type OpenConsole } from '../../../../support/open-console.ts'
import { testSchool } from '../../../../support/sign-in.ts'
import { analyzed, crisis } from '../../../../support/wire.ts'

let at: OpenConsole
beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())

it('what waits for somebody: what nobody holds, what was handed to me, and nothing that was told of a past', async () => {
  const now = Date.now()
  const of = (session_id: string) => ({ session_id, at: now, school_id: testSchool })
  const told = { at: now - minutes(600), backfill: true as const }
  await at.receive(
    crisis(of('live')),
    analyzed({ ...of('high'), tier: 'high', score: 0.7, level: 'CAUTION' }),
    analyzed({ ...of('caution'), tier: 'caution', score: 0.4, level: 'CAUTION' }),
    crisis({ ...of('held') }),
    crisis({ ...of('handed') }),
    crisis({ ...of('told'), ...told }),
    crisis({ ...of('told, and said now'), ...told }),
    crisis({ ...of('told, and said now'), at: told.at + minutes(5) }),
  )
  const keyOf = (session: string) =>
    String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(session))
  const counselor = at.as('COUNSELOR')
  await counselor.alerts.acknowledge({ key: keyOf('held') })
  await counselor.alerts.takeOver({ key: keyOf('handed') })
  await counselor.alerts.handOff({ key: keyOf('handed'), to: `CLINICIAN ${testSchool}` })
  const waiting = async (role: 'COUNSELOR' | 'CLINICIAN') =>
    (await at.as(role).unheld.list()).map(({ session_id }) => session_id).sort()
  expect(await waiting('COUNSELOR')).toEqual(['high', 'live', 'told, and said now'])
  expect(await waiting('CLINICIAN')).toEqual(['handed', 'high', 'live', 'told, and said now'])
  expect((await at.as('COUNSELOR').unheld.list()).at(-1)?.tier).toBe('high')

  // A row of the inbox, and an alert in detail, say the same as what rings.
  const isPast = async (session: string) => (await counselor.alerts.detail({ key: keyOf(session) })).only_past
  expect(await isPast('told')).toBe(true)
  expect(await isPast('told, and said now')).toBe(false)
  expect(await isPast('held')).toBe(false)

  // Whoever writes about it deals with it now: the station tells people of it as of any other.
  await counselor.alerts.note({ key: keyOf('told'), note: 'Asked her today.' })
  expect(await waiting('COUNSELOR')).toContain('told')
  expect(await isPast('told')).toBe(false)
  await counselor.alerts.acknowledge({ key: keyOf('told') })
  await counselor.alerts.reopen({ key: keyOf('told'), reason: 'It goes on.' })
  expect(await waiting('COUNSELOR')).toContain('told')
  expect(await isPast('told')).toBe(false)
})
