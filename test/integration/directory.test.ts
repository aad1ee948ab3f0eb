/** A district's console and a real station over REST: a directory written at one, kept at the other, heard by all. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { stationByRest } from '../../main/console/policy/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { toQueue } from '../../main/outbox/index.ts'
import type { Person } from '../../shared/people.ts'
import type { DirectoryView } from '../../shared/views.ts'
import { httpServer, silence } from '../support/http-server.ts'
import { silentLogger } from '../support/logger.ts'
import { openConsole, otherSchool, refusalOf, rosterSalt, type OpenConsole } from '../support/open-console.ts'
import { filledPolicy, listed, tokenOf } from '../support/policy-station.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'
import { crisis } from '../support/wire.ts'

let house: StationHouse
let at: OpenConsole
let url: string
const dean: Person = { id: 'dean', name: 'A. Dean', role: 'ADMIN', school_id: testSchool }
const tokens = new Map<string, string>()
const station = () =>
  stationByRest({
    ...{ url, clock: systemClock, stopping: new AbortController().signal },
    tokenOf: ({ id }) => tokens.get(id) ?? null,
  })

beforeAll(async () => {
  house = await stationHouse()
  tokens.set('dean', await tokenOf('dean', 'ADMIN'))
  tokens.set('marlow', await tokenOf('marlow', 'COUNSELOR'))
}, 60_000)
afterAll(async () => {
  await at.stop()
  await house.close()
})

it('is saved once, refused with its gaps and with what stands, and heard by the console of an approved school', async () => {
  // The console’s own queues: the station is started on them.
  const person = await signedInEnv({ sub: 'dean', role: 'ADMIN', name: 'A. Dean' })
  at = await openConsole(person)
  const served = await house.start({
    schoolId: testSchool,
    sqs: at.queue.sqs,
    acksQueueUrl: at.acksQueueUrl,
    publish: toQueue(at.queue.sqs, at.queue.url),
    ports: { clock: systemClock, randomness: systemRandomness, logger: silentLogger },
  })
  url = served.url
  expect(await station().read({ ...dean, id: 'marlow' })).toMatchObject({ version: 0 })
  expect(await station().save(dean, 0, filledPolicy)).toMatchObject({ changed: { version: 1, changed_by: 'dean' } })
  expect(await station().save(dean, 0, filledPolicy)).toMatchObject({ stale: { version: 1, policy: filledPolicy } })
  const nobody = { ...filledPolicy, people: [listed('marlow', 'J. Marlow')] }
  expect(await station().save(dean, 1, nobody)).toMatchObject({ gaps: [{ path: ['people'] }] })
  await expect(station().save({ ...dean, id: 'marlow' }, 1, filledPolicy)).rejects.toMatchObject({
    code: 'station_forbidden',
  })
  const assignment = { student_hash: 'a'.repeat(64), person_id: 'marlow' }
  await station().assign(dean, [assignment])
  await expect(station().assign(dean, [{ ...assignment, person_id: 'nobody' }])).rejects.toMatchObject({
    code: 'station_refused',
  })

  const watching = (await at.as('COUNSELOR').policy.watch())[Symbol.asyncIterator]()
  let view: DirectoryView | undefined
  const seen = (async () => {
    do view = (await watching.next()).value as DirectoryView
    while (!view.sealed)
  })()
  await seen
  // Approved, it opens what came before.
  const { fingerprint } = at.parts.enrolment.view()
  const headers = { authorization: `Bearer ${tokens.get('dean')}`, 'content-type': 'application/json' }
  await vi.waitFor(async () => {
    const path = `/consoles/${at.parts.consoleId}/approve`
    const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify({ fingerprint }) })
    expect(answer.status).toBe(200)
  }, 20_000)
  while (view?.kept == null) view = (await watching.next()).value as DirectoryView
  expect(view).toMatchObject({ station: 'none', kept: { version: 1, policy: filledPolicy, changed_by: 'dean' } })
  expect(await refusalOf(at, () => at.as('ADMIN').policy.edit())).toMatchObject({ personal: { code: 'no_station' } })

  // Whom it lists can be handed an alert, though they never signed in at this console.
  expect(at.parts.people.find('marlow')).toBeNull()
  expect((await at.as('COUNSELOR').me.people()).map(({ id }) => id)).toContain('marlow')
  expect((await at.as('COUNSELOR', otherSchool).me.people()).map(({ id }) => id)).not.toContain('marlow')
  await at.receive(crisis({ at: Date.now(), session_id: 'handed', school_id: testSchool }))
  const key = String(at.parts.db.prepare("SELECT key FROM alerts WHERE session_id = 'handed'").pluck().get())
  await at.as('COUNSELOR').alerts.acknowledge({ key })
  await at.as('COUNSELOR').alerts.handOff({ key, to: 'marlow', urgent: true })
  expect((await at.as('COUNSELOR').alerts.detail({ key })).hand_off).toMatchObject({ to: 'marlow' })
}, 60_000)

it('does not hold up the import of a roster while the station does not answer', async () => {
  const away = await httpServer(silence)
  const env = await signedInEnv({ sub: 'dean', role: 'ADMIN', name: 'A. Dean' })
  const apart = await openConsole({ ...env, PSYFLO_STATION_URL: away.url })
  const told: DirectoryView['assignments'][] = []
  const csv = 'student id,name\n1,Somebody\n'
  expect(await apart.as('ADMIN').roster.import({ csv, salt: rosterSalt })).toMatchObject({ imported: 1 })
  for await (const { assignments } of await apart.as('ADMIN').policy.watch()) {
    told.push(assignments)
    break
  }
  // It was asked, and has not answered yet.
  expect(told).toEqual([{ waiting: 1, problem: null, sending: true }])
  await apart.stop()
  await away.stop()
}, 60_000)
