/** Whom an alert says that the ladder calls next: by the school's own policy, and the ways that its station has. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import { insertSchoolKey } from '../../../../main/store/console/index.ts'
import type { Channel } from '../../../../shared/on-call.ts'
import { policyPurpose } from '../../../../shared/policy.ts'
import { minutes } from '../../../../shared/time.ts'
import { openConsole, type OpenConsole } from '../../../support/open-console.ts'
import { policyOnCall, rung } from '../../../support/on-call.ts'
import { listed } from '../../../support/policies.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { crisis, hashOf, heartbeat, notified } from '../../../support/wire.ts'

let at: OpenConsole
const now = Date.now()
const about = { session_id: 'session-1', student_hash: hashOf('session-1'), school_id: testSchool }
const schoolKey = Buffer.alloc(32, 5)
const policy = policyOnCall(
  {
    crisis: [
      rung(0, [{ kind: 'person', person: 'first' }]),
      rung(5, [{ kind: 'person', person: 'texted' }], ['sms']),
      rung(10, [{ kind: 'person', person: 'called' }], ['sms', 'voice']),
      rung(15, [{ kind: 'person', person: 'last' }]),
    ],
  },
  {
    people: ['first', 'texted', 'called', 'last'].map((id) =>
      listed(id, { school_ids: [testSchool], channels: { sms: '+15550142777', voice: '+15550142777', email: null } }),
    ),
  },
)

beforeAll(async () => {
  at = await openConsole()
  const fingerprint = 'f'
  const { db } = at.parts
  insertSchoolKey(db, { school_id: testSchool, key_id: 'k', content_key: schoolKey, fingerprint, approved_at: now })
  const said = { version: 3, changed_by: 'dean' }
  const purpose = policyPurpose({ school_id: testSchool, changed_at: now, ...said })
  await at.receive(
    {
      ...{ schema_version: 2, event_type: 'POLICY_CHANGED', idempotency_key: 'policy-3', school_id: testSchool },
      ...{ timestamp: new Date(now).toISOString(), ...said },
      sealed: evidenceKey(schoolKey).seal(JSON.stringify(policy), purpose),
    },
    crisis({ at: now, ...about }),
  )
}, 30_000)
afterAll(() => at.stop())

const key = () => String(at.parts.db.prepare('SELECT key FROM alerts').pluck().get())
let beats = 0
/** What a station with these ways has come to: the rung of this place came, and the next one comes in five minutes. */
const stationWith = (channels: Channel[] | null, after: number) => {
  const made = now + ++beats
  const next_at = new Date(now + minutes(5)).toISOString()
  return at.receive(
    heartbeat({ at: made, school_id: testSchool, ...(channels && { channels }) }),
    notified({ ...about, at: made, event_type: 'ALERT_ESCALATED', alert_key: key(), rung: after, next_at }),
  )
}
const calledNext = async () => (await at.as('COUNSELOR').alerts.detail({ key: key() })).ladder.next?.who

it('is of the next rung where the station does not say its ways, or has that rung’s', async () => {
  await stationWith(null, 0)
  expect(await calledNext()).toEqual(['Name of texted'])
  await stationWith(['desktop', 'sms'], 0)
  expect(await calledNext()).toEqual(['Name of texted'])
})

it('is who is really told where the station has none of a rung’s ways: it is passed over at once', async () => {
  await stationWith(['desktop', 'voice'], 0)
  expect(await calledNext()).toEqual(['Name of called'])
  await stationWith(['desktop'], 0)
  expect(await calledNext()).toEqual(['Name of last'])
  await stationWith(['desktop'], 3)
  expect(await calledNext()).toEqual(['Name of last'])
})

it('is nobody where no later rung reaches anybody', async () => {
  await stationWith(['email'], 0)
  expect(await calledNext()).toEqual([])
})
