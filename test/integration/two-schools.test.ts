/** One station with two schools, one topic, and a console of each school: real subscriptions, real files, real REST. */
import { CreateTopicCommand, PublishCommand } from '@aws-sdk/client-sns'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toTopic } from '../../main/outbox/index.ts'
import { snsClient } from '../../main/platform/aws.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Station } from '../../main/station/index.ts'
import { parseApiKeys } from '../../main/station/intake/index.ts'
import type { ConsoleEnrolment } from '../../shared/views.ts'
import { legacyCrisis } from '../support/events.ts'
import { crisisWords, recordingLogger } from '../support/intake-school.ts'
import { openConsole, otherSchool, type OpenConsole } from '../support/open-console.ts'
import { subscribeSchool } from '../support/school-queue.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'

const schools = [testSchool, otherSchool] as const
type School = (typeof schools)[number]
const marks: Record<School, string> = { [testSchool]: 'MARK-HERE', [otherSchool]: 'MARK-THERE' }
const operatorToken = 'token-of-the-operator-0001'
const keyOf = (school: string) => `key-of-the-chat-of-${school}`
const page = { offset: 0, limit: 50 }

let house: StationHouse
let station: Station
let sns: ReturnType<typeof snsClient>
let topicArn: string
const consoles = {} as Record<School, OpenConsole>
const sessions = {} as Record<School, string>

beforeAll(async () => {
  house = await stationHouse()
  const { queue, acksQueueUrl } = house
  const access = {
    region: 'us-east-1',
    endpoint: queue.endpoint,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  }
  sns = snsClient(access)
  topicArn = (await sns.send(new CreateTopicCommand({ Name: 'psyflo-events' }))).TopicArn ?? ''
  for (const school of schools) {
    const url = await queue.create(`events-${school}`)
    await subscribeSchool({ sns, sqs: queue.sqs }, { topicArn, queueUrl: url, school })
    consoles[school] = await openConsole({
      ...(await signedInEnv({ school_id: school, sub: `first of ${school}` })),
      PSYFLO_EVENTS_QUEUE_URL: url,
      PSYFLO_ACKS_QUEUE_URL: acksQueueUrl,
      AWS_ENDPOINT_URL_SQS: queue.endpoint,
    })
  }
  station = await house.start({
    schoolId: testSchool,
    settings: { keys: parseApiKeys(schools.map((school) => `${keyOf(school)}:${school}`).join()), bufferSize: 20 },
    administration: { signIn: { jwtSecret: null, jwksUrl: null, jwtIssuer: null, jwtAudience: null }, operatorToken },
    publish: toTopic(sns, topicArn),
    ports: { clock: systemClock, randomness: systemRandomness, logger: recordingLogger().logger },
  })
  for (const school of schools) {
    const session_id = String((await post(keyOf(school), '/sessions', { user_id: 'student-1' }))['session_id'])
    await post(keyOf(school), `/sessions/${session_id}/messages`, {
      sender: 'user',
      content: `${marks[school]} ${crisisWords}`,
    })
    sessions[school] = session_id
  }
}, 60_000)
afterAll(async () => {
  for (const console of Object.values(consoles)) await console.stop()
  sns.destroy()
  await house.close()
})

async function post(token: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(path, station.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })
const enrolmentOf = async (school: School): Promise<ConsoleEnrolment> => {
  const watched = await consoles[school].as('ADMIN', school).settings.enrolment()
  for await (const view of watched) return view
  throw new Error('nothing was told')
}
const heard = (school: School) =>
  consoles[school].parts.db
    .prepare(`SELECT event_type, school_id FROM events WHERE origin = 'queue' ORDER BY event_type`)
    .all() as { event_type: string; school_id: string }[]
const alertOf = (school: School, at: OpenConsole = consoles[school]) =>
  until(async () => {
    const { rows } = await at.as('CLINICIAN', school).alerts.page({ filter: 'all', ...page })
    const row = rows.find((each) => each.kind === 'alert' && each.session_id === sessions[school])
    if (row?.kind !== 'alert') throw new Error('no alert yet')
    return row.key
  })
/** Everything a clinician of a school can be shown of its session at a console. */
async function everything(school: School, at: OpenConsole) {
  const calls = at.as('CLINICIAN', school)
  const key = await alertOf(school, at)
  const revealed = await calls.alerts.reveal({ key, reason: 'To help.' })
  const transcript = await calls.sessions.messages({ id: sessions[school], ...page })
  const rest = [
    await calls.alerts.detail({ key }),
    await calls.alerts.page({ filter: 'all', ...page }),
    await calls.sessions.get({ id: sessions[school] }),
    await calls.sessions.page(page),
    await calls.students.page(page),
    await calls.quarantine.list(),
  ]
  return { revealed, transcript: transcript.rows, text: JSON.stringify([revealed, transcript, rest]) }
}

it('each console hears its own school, and what names none', async () => {
  await sns.send(new PublishCommand({ TopicArn: topicArn, Message: JSON.stringify(legacyCrisis()) }))
  for (const school of schools) {
    await until(() =>
      expect(heard(school).filter(({ event_type }) => event_type === 'CRISIS_DETECTED')).toHaveLength(2),
    )
    await until(() => expect(heard(school).map(({ event_type }) => event_type)).toContain('HEARTBEAT'))
    expect(new Set(heard(school).map(({ school_id }) => school_id))).toEqual(new Set([school]))
    expect(consoles[school].parts.db.prepare('SELECT count(*) FROM quarantine').pluck().get()).toBe(0)
  }
})

it('until an admin has approved its console, a school’s alerts come and their words do not open', async () => {
  for (const school of schools) {
    await until(async () => expect((await enrolmentOf(school)).state).toBe('waiting'))
    const { revealed, transcript, text } = await everything(school, consoles[school])
    expect(revealed.length).toBeGreaterThan(0)
    for (const piece of [...revealed, ...transcript])
      expect(piece).toMatchObject({ text: null, unopened: 'not approved' })
    expect(text).not.toContain(marks[school])
  }
})

it('an approval that names another fingerprint opens nothing', async () => {
  const [here, there] = [await enrolmentOf(testSchool), await enrolmentOf(otherSchool)]
  const console_id = consoles[testSchool].parts.consoleId
  const forged = { fingerprint: there.fingerprint, school_id: testSchool }
  expect(await post(operatorToken, `/consoles/${console_id}/approve`, forged)).toHaveProperty('error')
  const elsewhere = { fingerprint: here.fingerprint, school_id: otherSchool }
  expect(await post(operatorToken, `/consoles/${console_id}/approve`, elsewhere)).toHaveProperty('error')
  expect((await enrolmentOf(testSchool)).state).toBe('waiting')
})

it('after approval each console opens its own school’s words, and by no call the other’s', async () => {
  for (const school of schools) {
    const { fingerprint } = await enrolmentOf(school)
    const { consoleId } = consoles[school].parts
    expect(
      await post(operatorToken, `/consoles/${consoleId}/approve`, { fingerprint, school_id: school }),
    ).toMatchObject({
      state: 'approved',
    })
    await until(async () => expect((await enrolmentOf(school)).state).toBe('approved'))
    const { revealed, transcript } = await everything(school, consoles[school])
    const words = `${marks[school]} ${crisisWords}`
    expect(revealed.map(({ text }) => text)).toEqual([words])
    expect(transcript.map(({ text }) => text)).toContain(words)
  }
  const [key] = consoles[testSchool].parts.db.prepare('SELECT hex(content_key) FROM school_keys').pluck().all()
  const [other] = consoles[otherSchool].parts.db.prepare('SELECT hex(content_key) FROM school_keys').pluck().all()
  expect(key).not.toBe(other)
})

it('even what lies in a console’s own file of the other school does not open there', async () => {
  const [here, there] = [consoles[testSchool], consoles[otherSchool]]
  const bodies = there.parts.db
    .prepare(`SELECT body FROM events WHERE origin = 'queue' AND session_id = ?`)
    .pluck()
    .all(sessions[otherSchool]) as string[]
  here.keep(
    ...bodies.map((body) => {
      const event = JSON.parse(body) as { timestamp: number }
      return { ...event, timestamp: new Date(event.timestamp).toISOString(), occurred_at: undefined }
    }),
  )
  const { revealed, transcript, text } = await everything(otherSchool, here)
  for (const piece of [...revealed, ...transcript]) expect(piece).toMatchObject({ text: null, unopened: 'other key' })
  expect(text).not.toContain(marks[otherSchool])
})

it('what an approved console does comes back confirmed; what is done in its name by another closes nothing', async () => {
  const at = consoles[testSchool]
  const key = await alertOf(testSchool)
  const calls = at.as('CLINICIAN', testSchool)
  const { ack_id } = await calls.alerts.acknowledge({ key, next_action: 'Call home' })
  const actions = async () => (await calls.alerts.detail({ key })).actions
  await until(async () => expect((await actions()).find(({ id }) => id === ack_id)?.delivery).toBe('confirmed'))
  const [sent = ''] = at.parts.db.prepare('SELECT body FROM outbox WHERE id = ?').pluck().all(ack_id) as string[]
  const resolution = {
    ...(JSON.parse(sent) as Record<string, unknown>),
    ...{ event_type: 'ALERT_ACTION', action: 'resolved', disposition: 'not a concern', note: 'Nothing.' },
    ...{ ack_id: 'forged', idempotency_key: 'forged', by: 'somebody', by_name: 'Somebody' },
    ...{ timestamp: new Date(systemClock.now()).toISOString(), at: new Date(systemClock.now()).toISOString() },
  }
  await house.queue.send(resolution, house.acksQueueUrl)
  const shown = await until(async () => {
    const found = (await actions()).find(({ kind }) => kind === 'resolved')
    if (!found) throw new Error('not here yet')
    return found
  })
  expect(shown).toMatchObject({ refused: true, applied: false, by_name: 'Somebody' })
  expect(await calls.alerts.detail({ key })).toMatchObject({ state: 'acknowledged', next_action: 'Call home' })
})
