/** What a case asks of its people: steps before it is closed, an outcome, a way back, and who hears of a hand-off. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defaultGuide } from '../../../../shared/guide.ts'
import { safetyPlanHeadings, type SafetyPlan } from '../../../../shared/student-records.ts'
import { hours } from '../../../../shared/time.ts'
import type { InboxChange } from '../../../../shared/views.ts'
import { openConsole, otherSchool, refusalOf, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { crisis, hashOf } from '../../../support/wire.ts'

let at: OpenConsole
let key: string
let student_hash: string
let numbered = 0
const now = Date.now()
const sections = Object.fromEntries(safetyPlanHeadings.map((name) => [name, 'Mine.'])) as SafetyPlan
const clinician = `CLINICIAN ${testSchool}`

beforeAll(async () => {
  at = await openConsole()
}, 30_000)
afterAll(() => at.stop())
beforeEach(async () => {
  const session_id = `case-${++numbered}`
  student_hash = hashOf(session_id)
  at.parts.changes.tell(at.keep(crisis({ at: now + numbered, session_id, student_hash, school_id: testSchool })))
  key = String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(session_id))
  await at.as('COUNSELOR').alerts.acknowledge({ key })
})
const state = async () => (await at.as('COUNSELOR').alerts.detail({ key })).state
const refused = (call: () => Promise<unknown>) => refusalOf(at, call)

it('an attempt is no outcome: the alert stays as it is', async () => {
  const resolve = () =>
    at.as('COUNSELOR').alerts.resolve({ key, disposition: 'could not reach', note: 'x', reason: 'Nobody answers.' })
  expect(await refused(resolve)).toMatchObject({ code: 'BAD_REQUEST', personal: { code: 'no_outcome' } })
  expect(await state()).toBe('acknowledged')
})

it('a crisis is resolved once what the school requires is done, or somebody says why not', async () => {
  const { alerts } = at.as('COUNSELOR')
  const resolve = (reason?: string) =>
    alerts.resolve({ key, disposition: 'safety plan', note: 'Done.', ...(reason !== undefined && { reason }) })
  const required = defaultGuide.filter((step) => step.required.includes('crisis'))
  // Done, and taken back: it is not done.
  const { ack_id } = await alerts.stepDone({ key, step: required[0]!.id })
  await alerts.withdraw({ key, record: ack_id })
  const missing = await refused(() => resolve())
  expect(missing).toMatchObject({ code: 'PRECONDITION_FAILED', personal: { code: 'steps_missing' } })
  for (const { title } of required) expect(missing?.personal.happened).toContain(title)
  expect(await state()).toBe('acknowledged')
  for (const { id } of required.slice(1)) await alerts.stepDone({ key, step: id })
  expect((await refused(() => resolve()))?.personal.happened).toContain(required[0]!.title)
  expect(await refused(() => resolve('The police stayed with them.'))).toBeNull()
  expect(await state()).toBe('resolved')
  const why = at.parts.db.prepare(`SELECT why FROM audit WHERE what = 'alert.resolved'`).pluck().all()
  expect(why).toEqual(['safety plan: The police stayed with them.'])
})

it('with every step done nobody is asked for a reason, and the guide says who did it', async () => {
  const { alerts } = at.as('COUNSELOR')
  for (const { id } of defaultGuide) await alerts.stepDone({ key, step: id })
  const { steps } = await alerts.detail({ key })
  expect(steps.map(({ id, done }) => [id, done?.by_name])).toEqual(defaultGuide.map(({ id }) => [id, 'J. Marlow']))
  expect(await refused(() => alerts.resolve({ key, disposition: 'referred', note: 'Done.' }))).toBeNull()
})

it('a step that the guide does not have is not done', async () => {
  expect(await refused(() => at.as('COUNSELOR').alerts.stepDone({ key, step: 'dance' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

it('undo is for what one did oneself, once', async () => {
  const { alerts } = at.as('COUNSELOR')
  const { ack_id } = await alerts.note({ key, note: 'To the wrong student.' })
  const undo = (calls: typeof alerts) => refused(() => calls.withdraw({ key, record: ack_id }))
  expect(await undo(at.as('CLINICIAN').alerts)).toMatchObject({ personal: { code: 'undo_over' } })
  expect((await alerts.detail({ key })).actions.find(({ id }) => id === ack_id)?.undo_until).toBeGreaterThan(now)
  expect(await undo(alerts)).toBeNull()
  expect(await undo(alerts)).toMatchObject({ personal: { code: 'undo_over' } })
  const [shown] = (await alerts.detail({ key })).actions.filter(({ id }) => id === ack_id)
  expect(shown).toMatchObject({ note: 'To the wrong student.', applied: false, undo_until: null })
})

it('nothing is promised for a time that has passed, nor by somebody of another school', async () => {
  const { alerts } = at.as('COUNSELOR')
  const promise = { key, next_action: 'Call', due_at: now + hours(1) }
  expect(await refused(() => alerts.commit({ ...promise, due_at: now - 1 }))).toMatchObject({
    personal: { code: 'due_passed' },
  })
  expect(await refused(() => alerts.commit({ ...promise, owner: `COUNSELOR ${otherSchool}` }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await refused(() => alerts.commit({ ...promise, owner: clinician }))).toBeNull()
  expect((await at.as('CLINICIAN').studentRecords.myDay()).commitments).toMatchObject([
    { alert_key: key, what: 'Call', due_at: promise.due_at },
  ])
})

it('a hand-off is heard by whom it is for, and heard again by its giver where it is declined', async () => {
  const listenAs = async (role: 'COUNSELOR' | 'CLINICIAN' | 'ADMIN') => {
    const changes = (await at.as(role).alerts.changes())[Symbol.asyncIterator]()
    await changes.next()
    return async () => (await changes.next()).value as InboxChange
  }
  const [giver, receiver, third] = [await listenAs('COUNSELOR'), await listenAs('CLINICIAN'), await listenAs('ADMIN')]
  await at.as('COUNSELOR').alerts.handOff({ key, to: clinician, urgent: true })
  const heard = [await receiver(), await giver(), await third()]
  expect(heard.map(({ announce }) => announce)).toEqual([[key], [], []])
  expect((await at.as('CLINICIAN').studentRecords.myDay()).handed).toMatchObject([{ key }])
  // What was sent meanwhile is told of, too: wait for what announces.
  await at.as('CLINICIAN').alerts.declineHandOff({ key, note: 'In class.' })
  let told = await giver()
  while (told.announce.length === 0) told = await giver()
  expect(told.announce).toEqual([key])
  expect((await at.as('CLINICIAN').studentRecords.myDay()).handed).toEqual([])
})

it('a safety plan is for whoever is concerned: an open alert, the own caseload, or a clinician', async () => {
  const [counselor, doctor] = [at.as('COUNSELOR').studentRecords, at.as('CLINICIAN').studentRecords]
  expect(await refused(() => counselor.saveSafetyPlan({ student_hash, sections, based_on: null }))).toBeNull()
  const reason = 'Another school goes on.'
  await at.as('COUNSELOR').alerts.resolve({ key, disposition: 'referred', note: 'Done.', reason })
  expect(await refused(() => counselor.safetyPlans({ student_hash }))).toMatchObject({ code: 'FORBIDDEN' })
  expect(await doctor.safetyPlans({ student_hash })).toMatchObject([{ sections }])
  expect(await refused(() => at.as('ADMIN').studentRecords.safetyPlans({ student_hash }))).toMatchObject({
    code: 'FORBIDDEN',
  })
})

it('a follow-up is ended once, and set anew only while it is open', async () => {
  const { studentRecords } = at.as('COUNSELOR')
  const set = { student_hash, next_action: 'Check in', due_at: now + hours(20) }
  const { record } = await studentRecords.setFollowUp(set)
  expect(await refused(() => studentRecords.setFollowUp({ ...set, follow_up: record, next_action: 'Call' }))).toBeNull()
  expect(await studentRecords.followUps({ student_hash })).toMatchObject([{ id: record, what: 'Call' }])
  const end = () => refused(() => studentRecords.endFollowUp({ student_hash, follow_up: record, outcome: 'done' }))
  expect(await end()).toBeNull()
  expect(await end()).toMatchObject({ code: 'NOT_FOUND' })
  expect(await refused(() => studentRecords.setFollowUp({ ...set, follow_up: record }))).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(await refused(() => studentRecords.setFollowUp({ ...set, due_at: now - 1 }))).toMatchObject({
    personal: { code: 'due_passed' },
  })
})

it('steps and calls are for counselors and clinicians; of a resolved alert, for a counselor’s own caseload', async () => {
  const step = { key, step: 'call-guardian' }
  const call = { key, contact: 'guardian', outcome: 'no answer' } as const
  for (const act of [
    (role: 'COUNSELOR' | 'CLINICIAN' | 'ADMIN') => at.as(role).alerts.stepDone(step),
    (role: 'COUNSELOR' | 'CLINICIAN' | 'ADMIN') => at.as(role).alerts.contactAttempted(call),
  ]) {
    expect(await refused(() => act('ADMIN'))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refused(() => act('COUNSELOR'))).toBeNull()
    const reason = 'Another school goes on.'
    await at.as('CLINICIAN').alerts.resolve({ key, disposition: 'referred', note: 'Done.', reason })
    expect(await refused(() => act('COUNSELOR'))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refused(() => act('CLINICIAN'))).toBeNull()
    await at.as('CLINICIAN').alerts.reopen({ key, reason: 'Again.' })
  }
})
