import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLateStart } from '../../../../main/console/late-start/index.ts'
import { writeSetting } from '../../../../main/store/console/index.ts'
import { alertKey } from '../../../../shared/alerts.ts'
import { hours, minutes } from '../../../../shared/time.ts'
import type { LateStartView } from '../../../../shared/views.ts'
import { silentLogger } from '../../../support/logger.ts'
import { hashInRoster, openConsole, otherSchool, rosterSalt, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { crisis } from '../../../support/wire.ts'

let at: OpenConsole
const now = Date.now()
beforeAll(async () => {
  at = await openConsole()
  const { parts } = at
  const raised = (session_id: string, school_id: string, student: string) =>
    crisis({ session_id, school_id, student_hash: hashInRoster(student), at: now - hours(3) })
  at.keep(raised('ours', testSchool, '1'), raised('theirs', otherSchool, '2'))
  const key = String(parts.db.prepare(`SELECT key FROM alerts WHERE session_id = 'ours'`).pluck().get())
  const told = (delivery_id: string, outcome: string, to: string, ago: number) => ({
    ...{ schema_version: 2, event_type: 'ALERT_NOTIFIED', idempotency_key: `${delivery_id} ${outcome}` },
    ...{ session_id: 'ours', student_hash: hashInRoster('1'), school_id: testSchool, layer: 1, channel: 'sms' },
    ...{ alert_key: alertKey({ id: key }), delivery_id, outcome, to, timestamp: new Date(now - ago).toISOString() },
  })
  at.keep(
    told('first', 'attempted', `COUNSELOR ${testSchool}`, hours(2.9)),
    told('first', 'delivered', `COUNSELOR ${testSchool}`, hours(2.8)),
    told('second', 'failed', 'somebody else', hours(2)),
  )
  await at.as('ADMIN').roster.import({ csv: 'student id,name\n1,Jordan P.\n', salt: rosterSalt })
  const absence = { number: 1, from: now - hours(8), until: now - minutes(1), told: true }
  writeSetting(parts.db, 'absences', JSON.stringify([absence]))
  const shell = { notify: () => undefined }
  parts.lateStart = createLateStart({
    ...{ ...parts, shell, logger: silentLogger },
    connection: () => ({ state: 'connected', since: now }),
  })
}, 30_000)
afterAll(async () => {
  at.parts.lateStart.stop()
  await at.stop()
})

const view = async (calls: ReturnType<OpenConsole['as']>): Promise<LateStartView | null> => {
  for await (const seen of await calls.lateStart.watch()) return seen
  throw new Error('nothing was said')
}

it('people see what came for their own school, as the inbox shows it, and who was told, each telling once', async () => {
  const [ours, ...more] = await at.as('COUNSELOR').lateStart.alerts()
  expect(more).toEqual([])
  expect(ours).toMatchObject({
    alert: { session_id: 'ours', student: { name: 'Jordan P.' } },
    raised_at: now - hours(3),
    never_acknowledged: true,
    told: [
      { at: now - hours(2.9), name: 'J. Marlow', channel: 'sms', outcome: 'delivered' },
      { at: now - hours(2), name: null, channel: 'sms', outcome: 'failed' },
    ],
  })
  const theirs = await at.as('COUNSELOR', otherSchool).lateStart.alerts()
  expect(theirs.map(({ alert }) => [alert.session_id, alert.student.name])).toEqual([['theirs', null]])
})

it('whoever has gone through it has nothing left, and everybody else has', async () => {
  const counselor = at.as('COUNSELOR')
  expect(await view(counselor)).toMatchObject({ arrived: 1, unacknowledged: 1, opened: false, open_crises: 1 })
  await counselor.lateStart.opened({ number: 1 })
  expect(await view(counselor)).toMatchObject({ opened: true })
  await counselor.lateStart.finished({ number: 1 })
  expect(await view(counselor)).toBeNull()
  expect(await counselor.lateStart.alerts()).toEqual([])
  expect(await view(at.as('ADMIN'))).toMatchObject({ arrived: 1, opened: false })
})
