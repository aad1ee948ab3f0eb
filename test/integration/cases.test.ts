/** One case at three consoles: two of a school, one of another, around one station; real queues, files, keys. */
import { CreateTopicCommand, PublishCommand } from '@aws-sdk/client-sns'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toTopic } from '../../main/outbox/index.ts'
import { snsClient } from '../../main/platform/aws.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import type { Station } from '../../main/station/index.ts'
import { parseApiKeys } from '../../main/station/intake/index.ts'
import { safetyPlanHeadings, type SafetyPlan } from '../../shared/student-records.ts'
import { hours } from '../../shared/time.ts'
import type { ConsoleEnrolment } from '../../shared/views.ts'
import { crisisWords, recordingLogger } from '../support/intake-school.ts'
import { openConsole, otherSchool, type OpenConsole } from '../support/open-console.ts'
import { dump } from '../support/record.ts'
import { subscribeSchool } from '../support/school-queue.ts'
import { signedInEnv, testSchool } from '../support/sign-in.ts'
import { stationHouse, type StationHouse } from '../support/station.ts'

const operatorToken = 'token-of-the-operator-0001'
const chatKey = 'key-of-the-chat-of-the-school-01'
const page = { offset: 0, limit: 50 }
const counselor = `COUNSELOR ${testSchool}`
const clinician = `CLINICIAN ${testSchool}`
const planOf = (words: string) => Object.fromEntries(safetyPlanHeadings.map((name) => [name, words])) as SafetyPlan

let house: StationHouse
let station: Station
let sns: ReturnType<typeof snsClient>
let topicArn: string
/** Where the case is worked on; a colleague’s, whose keys nobody has approved yet; and another school’s. */
let here: OpenConsole
let there: OpenConsole
let elsewhere: OpenConsole
let key: string
let student_hash: string

beforeAll(async () => {
  house = await stationHouse()
  const { queue, acksQueueUrl } = house
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  sns = snsClient({ region: 'us-east-1', endpoint: queue.endpoint, credentials })
  topicArn = (await sns.send(new CreateTopicCommand({ Name: 'psyflo-events' }))).TopicArn ?? ''
  const open = async (name: string, school: string) => {
    const url = await queue.create(`events-${name}`)
    await subscribeSchool({ sns, sqs: queue.sqs }, { topicArn, queueUrl: url, school })
    return openConsole({
      ...(await signedInEnv({ school_id: school, sub: `first of ${name}` })),
      PSYFLO_EVENTS_QUEUE_URL: url,
      PSYFLO_ACKS_QUEUE_URL: acksQueueUrl,
      AWS_ENDPOINT_URL_SQS: queue.endpoint,
    })
  }
  here = await open('here', testSchool)
  there = await open('there', testSchool)
  elsewhere = await open('elsewhere', otherSchool)
  station = await house.start({
    schoolId: testSchool,
    settings: { keys: parseApiKeys(`${chatKey}:${testSchool}`), bufferSize: 20 },
    administration: { signIn: { jwtSecret: null, jwksUrl: null, jwtIssuer: null, jwtAudience: null }, operatorToken },
    publish: toTopic(sns, topicArn),
    ports: { clock: systemClock, randomness: systemRandomness, logger: recordingLogger().logger },
  })
  await approve(here)
  const { session_id } = await post(chatKey, '/sessions', { user_id: 'student-1' })
  await post(chatKey, `/sessions/${String(session_id)}/messages`, { sender: 'user', content: crisisWords })
  const [row] = await Promise.all([here, there].map((console) => until(() => rowAt(console))))
  key = row!.key
  student_hash = row!.student.student_hash
}, 60_000)
afterAll(async () => {
  for (const console of [here, there, elsewhere]) await console.stop()
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
async function enrolmentOf(console: OpenConsole): Promise<ConsoleEnrolment> {
  for await (const view of await console.as('ADMIN').settings.enrolment()) return view
  throw new Error('nothing was told')
}
async function approve(console: OpenConsole): Promise<void> {
  await until(async () => expect((await enrolmentOf(console)).state).toBe('waiting'))
  const { fingerprint } = await enrolmentOf(console)
  const { consoleId } = console.parts
  // The station may not have heard of it yet.
  await until(async () => {
    const answer = await post(operatorToken, `/consoles/${consoleId}/approve`, { fingerprint, school_id: testSchool })
    expect(answer).toMatchObject({ state: 'approved' })
  })
  await until(async () => expect((await enrolmentOf(console)).state).toBe('approved'))
}
async function rowAt(console: OpenConsole) {
  const { rows } = await console.as('CLINICIAN').alerts.page({ filter: 'all', ...page })
  const [row] = rows
  if (row?.kind !== 'alert') throw new Error('no alert yet')
  return row
}
const detailAt = (console: OpenConsole) => console.as('CLINICIAN').alerts.detail({ key })
/** Waits until every one of these records has come back to a console. */
const came = (console: OpenConsole, ...records: string[]) =>
  until(() => {
    const known = console.parts.db.prepare(`SELECT body FROM events WHERE origin = 'queue'`).pluck().all() as string[]
    const ids = known.map((body) => (JSON.parse(body) as { ack_id?: string }).ack_id)
    for (const record of records) expect(ids).toContain(record)
  })
/** What was done, without what each console keeps of the way that it came. */
const storyAt = async (console: OpenConsole) => {
  const { actions, steps, commitments, state, owner, hand_off, next_action, due_at } = await detailAt(console)
  const done = actions.map(({ delivery: _, sent_at: __, confirmed_at: ___, undo_until: ____, ...action }) => action)
  return { actions: done, steps, commitments, state, owner, hand_off, next_action, due_at }
}
const rebuilt = (console: OpenConsole) => {
  console.parts.eventLog.rebuild()
  return dump(console.parts.db)
}

it('the steps, attempts and promises of one are a colleague’s to see, in words once the key is there', async () => {
  const calls = here.as('COUNSELOR').alerts
  const at = systemClock.now()
  const { ack_id } = await calls.acknowledge({ key })
  const records = [
    ack_id,
    (await calls.stepDone({ key, step: 'be-with-student', note: 'MARKED with them' })).ack_id,
    (await calls.contactAttempted({ key, contact: 'guardian', outcome: 'no answer', who: 'MARKED mother' })).ack_id,
    (await calls.contactAttempted({ key, contact: 'guardian', outcome: 'no answer', note: 'MARKED again' })).ack_id,
    (await calls.commit({ key, next_action: 'MARKED drive over', due_at: at + hours(1) })).ack_id,
    (await calls.note({ key, note: 'MARKED wrong' })).ack_id,
  ]
  records.push((await calls.correctNote({ key, record: records[5]!, note: 'MARKED right' })).ack_id)
  await came(there, ...records)
  await came(here, ...records)
  const sealed = await storyAt(there)
  expect(sealed).toMatchObject({ state: 'acknowledged', owner: { id: counselor } })
  expect(sealed.actions).toHaveLength(7)
  expect(sealed.actions.filter((action) => action.sealed)).toHaveLength(6)
  expect(sealed.steps.find(({ id }) => id === 'be-with-student')?.done).toMatchObject({ by_name: 'J. Marlow' })
  expect(JSON.stringify(sealed)).not.toContain('MARKED')
  await approve(there)
  await until(async () => expect(JSON.stringify(await storyAt(there))).toContain('MARKED right'))
  expect(await storyAt(there)).toEqual(await storyAt(here))
  const promised = async (console: OpenConsole) => (await console.as('COUNSELOR').studentRecords.myDay()).commitments
  expect(await promised(there)).toEqual(await promised(here))
  expect((await promised(there)).map(({ what }) => what)).toEqual(['Contact the student', 'MARKED drive over'])
})

it('undo, a declined hand-off and a return are a colleague’s to see', async () => {
  const calls = here.as('COUNSELOR').alerts
  const records = [(await calls.handOff({ key, to: clinician, urgent: true, note: 'MARKED yours' })).ack_id]
  await came(there, ...records)
  expect(await detailAt(there)).toMatchObject({ hand_off: { to: clinician, urgent: true } })
  records.push((await there.as('CLINICIAN').alerts.declineHandOff({ key, note: 'MARKED in class' })).ack_id)
  await came(here, ...records)
  expect(await detailAt(here)).toMatchObject({ owner: { id: counselor }, hand_off: null })
  const back = (await calls.returnToQueue({ key })).ack_id
  await came(there, back)
  expect(await detailAt(there)).toMatchObject({ state: 'open', owner: null, reopened: { reason: 'returned' } })
  const undone = (await calls.withdraw({ key, record: back })).ack_id
  await Promise.all([came(there, undone), came(here, undone)])
  expect(await detailAt(there)).toMatchObject({ state: 'acknowledged', owner: { id: counselor } })
  expect(await storyAt(there)).toEqual(await storyAt(here))
  expect((await detailAt(there)).actions.find(({ id }) => id === back)?.withdrawn_at).toBeTypeOf('number')
})

it('safety plans and follow-ups are a colleague’s to see and to end, and outlive the alert', async () => {
  const [mine, theirs] = [here.as('COUNSELOR').studentRecords, there.as('CLINICIAN').studentRecords]
  const due_at = systemClock.now() + hours(20)
  const plan = (await mine.saveSafetyPlan({ student_hash, sections: planOf('MARKED first'), based_on: null })).record
  const set = (await mine.setFollowUp({ student_hash, next_action: 'MARKED check in', due_at, owner: clinician }))
    .record
  await came(there, plan, set)
  expect(await theirs.safetyPlans({ student_hash })).toMatchObject([{ id: plan, sections: planOf('MARKED first') }])
  const [followUp] = (await theirs.myDay()).follow_ups
  expect(followUp).toMatchObject({ id: set, what: 'MARKED check in', due_at, owner: { id: clinician } })
  const second = (await theirs.saveSafetyPlan({ student_hash, sections: planOf('MARKED second'), based_on: plan }))
    .record
  const reason = 'The clinic goes on with it.'
  const resolved = { key, disposition: 'safety plan' as const, note: 'MARKED done', reason }
  const { ack_id } = await there.as('CLINICIAN').alerts.resolve(resolved)
  await came(here, second, ack_id)
  // Of a resolved alert a counselor sees no plan, but for the own caseload.
  await expect(mine.safetyPlans({ student_hash })).rejects.toThrow('own caseload')
  const plans = await here.as('CLINICIAN').studentRecords.safetyPlans({ student_hash })
  expect(plans.map(({ sections }) => sections?.warning_signs)).toEqual(['MARKED second', 'MARKED first'])
  expect(await mine.followUps({ student_hash })).toMatchObject([{ id: set }])
  const ended = (await theirs.endFollowUp({ student_hash, follow_up: set, outcome: 'done', note: 'MARKED well' }))
    .record
  await came(here, ended)
  expect(await mine.followUps({ student_hash })).toEqual([])
})

it('what nobody signed, and what is sent again, changes nothing', async () => {
  const before = await storyAt(here)
  const plans = await here.as('CLINICIAN').studentRecords.safetyPlans({ student_hash })
  const bodies = here.parts.db.prepare('SELECT body FROM outbox').pluck().all() as string[]
  const saved = bodies.find((body) => body.includes('SAFETY_PLAN_SAVED'))!
  const undo = bodies.find((body) => body.includes('"withdrawn"'))!
  const forged = (body: string, more: object) => ({
    ...(JSON.parse(body) as object),
    ...{ ack_id: 'forged', idempotency_key: 'forged', ...more },
  })
  await house.queue.send(forged(saved, { sealed: undefined, sections: planOf('FORGED') }), house.acksQueueUrl)
  await house.queue.send(forged(undo, { record: before.actions[0]?.id, ack_id: 'forged undo' }), house.acksQueueUrl)
  for (const body of bodies) await house.queue.send(JSON.parse(body) as object, house.acksQueueUrl)
  const last = (await here.as('COUNSELOR').alerts.note({ key, note: 'MARKED last' })).ack_id
  await Promise.all([came(there, last), came(here, last)])
  await until(() =>
    expect(
      here.parts.db
        .prepare(`SELECT count(*) FROM events WHERE json_extract(body, '$.refused') IS NOT NULL`)
        .pluck()
        .get(),
    ).toBe(2),
  )
  const after = await storyAt(here)
  const shown = after.actions.filter(({ refused, id }) => !refused && id !== last)
  expect({ ...after, actions: shown }).toEqual(before)
  expect(await here.as('CLINICIAN').studentRecords.safetyPlans({ student_hash })).toEqual(plans)
})

it('after a rebuild every console says what it said before', async () => {
  for (const console of [here, there]) {
    const before = dump(console.parts.db)
    expect(before['student_records']!.length).toBeGreaterThan(2)
    expect(before['commitments']!.length).toBeGreaterThan(0)
    expect(rebuilt(console)).toEqual(before)
  }
})

it('another school hears of none of it, and shows none of it where it was sent there all the same', async () => {
  const told = () => elsewhere.parts.db.prepare('SELECT body FROM events').pluck().all().join('\n')
  expect(told()).not.toContain(student_hash)
  const bodies = there.parts.db
    .prepare(`SELECT body FROM events WHERE origin = 'queue' AND event_type = 'SAFETY_PLAN_SAVED'`)
    .pluck()
    .all() as string[]
  const [event] = bodies.map((body) => JSON.parse(body) as { timestamp: number; at: number })
  const times = { timestamp: new Date(event!.timestamp).toISOString(), at: new Date(event!.at).toISOString() }
  const message = { ...event, ...times, school_id: testSchool }
  // Straight into the other school's queue, past the filter of its subscription.
  await sns.send(
    new PublishCommand({ TopicArn: topicArn, Message: JSON.stringify({ ...message, school_id: undefined }) }),
  )
  const nobody = elsewhere.as('CLINICIAN', otherSchool).studentRecords
  await expect(nobody.safetyPlans({ student_hash })).rejects.toThrow()
  await expect(nobody.followUps({ student_hash })).rejects.toThrow()
  expect(await nobody.myDay()).toMatchObject({ held: [], handed: [], commitments: [], follow_ups: [] })
})

it('no word that anybody wrote stands in a log of the station or of a console', () => {
  for (const { entries } of [here, there, elsewhere]) expect(JSON.stringify(entries)).not.toContain('MARKED')
  expect(JSON.stringify(house.entries)).not.toContain('MARKED')
})
