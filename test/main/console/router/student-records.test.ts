/** What is kept about students, and whose day it is: other schools, roles, caseload, sealed words, order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SafetyPlan } from '../../../../shared/student-records.ts'
import type { StudentLabel } from '../../../../shared/views.ts'
import { hours } from '../../../../shared/time.ts'
import {
  hashInRoster,
  openConsole,
  otherSchool,
  refusalOf,
  rosterSalt,
  type OpenConsole,
} from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { crisis } from '../../../support/wire.ts'

let at: OpenConsole
const now = Date.now()
/** Of the counselor's caseload; of nobody's, with and without an open alert; of another school. */
const hashes = { mine: hashInRoster('1'), open: 'c'.repeat(64), none: 'e'.repeat(64), other: 'd'.repeat(64) }
const plan = (warning_signs: string): SafetyPlan => ({
  warning_signs,
  coping_strategies: '',
  people_and_places_for_distraction: '',
  people_to_ask_for_help: '',
  professionals_and_agencies: '',
  making_the_environment_safe: '',
})
const counselor = () => at.as('COUNSELOR')
const clinician = () => at.as('CLINICIAN')
const admin = () => at.as('ADMIN')
const refused = (call: () => Promise<unknown>) => refusalOf(at, call)

beforeAll(async () => {
  at = await openConsole()
  const alert = (name: keyof typeof hashes, school_id = testSchool) =>
    crisis({ session_id: name, student_hash: hashes[name], school_id, at: now })
  await at.receive(alert('mine'), alert('open'), alert('none'))
  at.keep(alert('other', otherSchool))
  const choices = [{ name: 'J. Marlow', person_id: `COUNSELOR ${testSchool}` }]
  await admin().roster.import({ csv: 'id,name,counselor\n1,Dana,J. Marlow\n', salt: rosterSalt, choices })
  for (const name of ['mine', 'none'] as const) {
    const key = String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(name))
    const reason = 'The steps were done elsewhere.'
    await clinician().alerts.resolve({ key, disposition: 'referred', note: 'Referred.', reason })
  }
}, 30_000)
afterAll(() => at.stop())

describe('a safety plan', () => {
  it('is kept in versions, the newest first, with who saved which and an audit entry', async () => {
    const student_hash = hashes.mine
    const first = await counselor().studentRecords.saveSafetyPlan({
      student_hash,
      sections: plan('Alone'),
      based_on: null,
    })
    const second = await clinician().studentRecords.saveSafetyPlan({
      ...{ student_hash, sections: plan('Alone at night'), based_on: first.record },
    })
    expect(await counselor().studentRecords.safetyPlans({ student_hash })).toMatchObject([
      { id: second.record, by_name: `CLINICIAN ${testSchool}`, sections: { warning_signs: 'Alone at night' } },
      { id: first.record, by_name: 'J. Marlow', sections: { warning_signs: 'Alone' } },
    ])
    const audited = at.parts.db.prepare(`SELECT who FROM audit WHERE what = 'student.safety_plan_saved' ORDER BY seq`)
    expect(audited.pluck().all()).toEqual([`COUNSELOR ${testSchool}`, `CLINICIAN ${testSchool}`])
  })

  it('replaces no version that its author has not read', async () => {
    const student_hash = hashes.open
    const save = (warning_signs: string, based_on: string | null) =>
      clinician().studentRecords.saveSafetyPlan({ student_hash, sections: plan(warning_signs), based_on })
    const first = await save('One', null)
    const conflict = { code: 'CONFLICT', personal: { code: 'plan_changed' } }
    expect(await refused(() => save('Two', null))).toMatchObject(conflict)
    await save('Two', first.record)
    expect(await refused(() => save('Three', first.record))).toMatchObject(conflict)
    expect(await clinician().studentRecords.safetyPlans({ student_hash })).toHaveLength(2)
  })

  it('is for clinicians of the school, and for counselors with an open alert or the caseload', async () => {
    const read = (calls: ReturnType<typeof counselor>, student_hash: string) =>
      refused(() => calls.studentRecords.safetyPlans({ student_hash }))
    expect(await read(counselor(), hashes.mine)).toBeNull()
    expect(await read(counselor(), hashes.open)).toBeNull()
    expect(await read(counselor(), hashes.none)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await read(clinician(), hashes.none)).toBeNull()
    expect(await read(admin(), hashes.mine)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await read(clinician(), hashes.other)).toMatchObject({ code: 'NOT_FOUND' })
    const based_on = null
    const save = { student_hash: hashes.none, sections: plan('Mine'), based_on }
    expect(await refused(() => counselor().studentRecords.saveSafetyPlan(save))).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('that is printed is known to the audit, by version', async () => {
    const student_hash = hashes.mine
    const [newest] = await counselor().studentRecords.safetyPlans({ student_hash })
    await counselor().studentRecords.safetyPlanPrinted({ student_hash, version: newest?.id ?? '' })
    const audited = at.parts.db.prepare(`SELECT who, subject FROM audit WHERE what = 'student.safety_plan_printed'`)
    expect(audited.all()).toEqual([{ who: `COUNSELOR ${testSchool}`, subject: `student ${student_hash}` }])
    const unknown = () => counselor().studentRecords.safetyPlanPrinted({ student_hash, version: 'none' })
    expect(await refused(unknown)).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a record of a colleague', () => {
  const saved = (ack_id: string, position: number, more: object) => ({
    schema_version: 2,
    event_type: 'SAFETY_PLAN_SAVED',
    idempotency_key: ack_id,
    ack_id,
    timestamp: new Date(now).toISOString(),
    at: new Date(now).toISOString(),
    student_hash: hashes.none,
    school_id: testSchool,
    console_id: 'another console',
    by: 'rivera',
    by_name: 'A. Rivera',
    position,
    ...more,
  })

  it('counts by its position, whichever came first, and says so where its words do not open', async () => {
    const sealed = { ciphertext: 'AAAA', encrypted_key: 'BBBB' }
    at.keep(saved('second', 2, { sealed }), saved('first', 1, { sections: plan('First') }))
    expect(await clinician().studentRecords.safetyPlans({ student_hash: hashes.none })).toMatchObject([
      { id: 'second', sections: null },
      { id: 'first', sections: { warning_signs: 'First' } },
    ])
  })

  it('whose words do not open is not set again without them', async () => {
    const student_hash = hashes.none
    const due_at = new Date(now + hours(5)).toISOString()
    const sealed = { ciphertext: 'AAAA', encrypted_key: 'BBBB' }
    const of = { event_type: 'FOLLOW_UP_SET', follow_up: 'theirs', owner: `CLINICIAN ${testSchool}`, due_at, sealed }
    at.keep(saved('theirs', 3, of))
    const [open] = await clinician().studentRecords.followUps({ student_hash })
    expect(open).toMatchObject({ id: 'theirs', what: null })
    const { record } = await clinician().studentRecords.endFollowUp({
      student_hash,
      follow_up: 'theirs',
      outcome: 'done',
    })
    const undo = () => clinician().studentRecords.resumeFollowUp({ student_hash, follow_up: 'theirs', record })
    expect(await refused(undo)).toMatchObject({ personal: { code: 'words_sealed' } })
  })
})

describe('a follow-up', () => {
  const student_hash = hashes.mine
  const set = (next_action: string, more: object = {}) =>
    counselor().studentRecords.setFollowUp({ student_hash, next_action, due_at: now + hours(2), ...more })
  const open = async () =>
    (await counselor().studentRecords.followUps({ student_hash })).map(({ id, what, due_at }) => ({ id, what, due_at }))

  it('is moved, ended, and stands again as it was', async () => {
    const { record: follow_up } = await set('Check in')
    const { record: moved } = await set('Check in', { follow_up, due_at: now + hours(30) })
    expect(await open()).toEqual([{ id: follow_up, what: 'Check in', due_at: now + hours(30) }])
    await counselor().studentRecords.resumeFollowUp({ student_hash, follow_up, record: moved })
    expect(await open()).toEqual([{ id: follow_up, what: 'Check in', due_at: now + hours(2) }])
    const note = 'She was well.'
    const { record } = await counselor().studentRecords.endFollowUp({ student_hash, follow_up, outcome: 'done', note })
    expect(await open()).toEqual([])
    expect(await counselor().studentRecords.endedFollowUps({ student_hash })).toMatchObject([
      { what: 'Check in', ended: { by_name: 'J. Marlow', outcome: 'done', note } },
    ])
    await counselor().studentRecords.resumeFollowUp({ student_hash, follow_up, record })
    expect(await open()).toHaveLength(1)
    await counselor().studentRecords.endFollowUp({ student_hash, follow_up, outcome: 'withdrawn' })
    expect(await counselor().studentRecords.endedFollowUps({ student_hash })).toEqual([])
  })

  it('is for later, for a colleague of the school, and known', async () => {
    expect(await refused(() => set('Late', { due_at: now - 1 }))).toMatchObject({ personal: { code: 'due_passed' } })
    expect(await refused(() => set('Theirs', { owner: `COUNSELOR ${otherSchool}` }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await refused(() => set('Moved', { follow_up: 'nowhere' }))).toMatchObject({ code: 'NOT_FOUND' })
    const end = { student_hash, follow_up: 'nowhere', outcome: 'done' as const }
    expect(await refused(() => counselor().studentRecords.endFollowUp(end))).toMatchObject({ code: 'NOT_FOUND' })
    const { record: follow_up } = await set('Ours')
    // Another student's, and another school's, are not found by the same id.
    const elsewhere = () => counselor().studentRecords.endFollowUp({ ...end, student_hash: hashes.open, follow_up })
    expect(await refused(elsewhere)).toMatchObject({ code: 'NOT_FOUND' })
    const abroad = () => at.as('COUNSELOR', otherSchool).studentRecords.followUps({ student_hash })
    expect(await refused(abroad)).toMatchObject({ code: 'NOT_FOUND' })
    await counselor().studentRecords.endFollowUp({ ...end, follow_up })
  })
})

describe('My day', () => {
  const names = (rows: { student: StudentLabel }[]) => rows.map(({ student }) => student.student_hash)

  it('is of one person: what they hold, were handed, and promised about open and resolved alerts', async () => {
    const key = String(at.parts.db.prepare(`SELECT key FROM alerts WHERE session_id = 'open'`).pluck().get())
    await counselor().alerts.acknowledge({ key })
    await counselor().alerts.commit({ key, next_action: 'Call home', due_at: now + hours(3) })
    const owner = `ADMIN ${testSchool}`
    await counselor().studentRecords.setFollowUp({
      ...{ student_hash: hashes.open, next_action: 'Ask the teachers', due_at: now + hours(4), owner },
    })
    const mine = await counselor().studentRecords.myDay()
    expect(names(mine.held)).toEqual([hashes.open])
    expect(mine.commitments.map(({ what }) => what)).toEqual(['Contact the student', 'Call home'])
    expect(mine.follow_ups).toEqual([])
    expect((await admin().studentRecords.myDay()).follow_ups).toMatchObject([{ what: 'Ask the teachers' }])

    await counselor().alerts.handOff({ key, to: `CLINICIAN ${testSchool}` })
    expect(names((await clinician().studentRecords.myDay()).handed)).toEqual([hashes.open])
    await clinician().alerts.declineHandOff({ key })
    expect((await clinician().studentRecords.myDay()).handed).toEqual([])

    await counselor().alerts.resolve({ key, disposition: 'referred', note: 'Referred.', reason: 'Done elsewhere.' })
    const after = await counselor().studentRecords.myDay()
    expect(after.held).toEqual([])
    // The plan of the acknowledgement is settled with the alert; what was promised besides outlives it.
    expect(after.commitments).toMatchObject([{ what: 'Call home', state: 'resolved' }])
    expect(await at.as('COUNSELOR', otherSchool).studentRecords.myDay()).toMatchObject({
      ...{ held: [], handed: [], commitments: [], follow_ups: [] },
    })
  })

  it('counts what is overdue and due today, as it changes', async () => {
    const changes = await counselor().studentRecords.due()
    const iterator = changes[Symbol.asyncIterator]()
    const next = async () => (await iterator.next()).value
    const first = await next()
    expect(first?.news).toBe(0)
    const due = (first?.overdue ?? 0) + (first?.today ?? 0)
    const { record: follow_up } = await counselor().studentRecords.setFollowUp({
      ...{ student_hash: hashes.mine, next_action: 'Soon', due_at: Date.now() + 1500 },
    })
    const counts = await next()
    // Where the day ends within these seconds, it is not of today.
    expect((counts?.overdue ?? 0) + (counts?.today ?? 0)).toBeGreaterThanOrEqual(due)
    expect(await next()).toMatchObject({ overdue: (first?.overdue ?? 0) + 1, news: 1 })
    await counselor().studentRecords.endFollowUp({ student_hash: hashes.mine, follow_up, outcome: 'done' })
    expect(await next()).toMatchObject({ overdue: first?.overdue, news: 0 })
    await iterator.return?.(undefined)
  })
  it('is not looked up any more once the console has closed, while a window still listens', async () => {
    const clock = virtualClock(Date.now())
    const closing = await openConsole()
    const { parts, running, router } = closing
    const context = running.contextFor(`CLINICIAN ${testSchool}`)
    const startup = { ...context.startup, parts: () => ({ ...parts, clock }) }
    const caller = router.createCaller({ ...context, startup })
    await closing.receive(crisis({ student_hash: hashes.open, at: now }))
    const due = (await caller.studentRecords.due())[Symbol.asyncIterator]()
    await due.next()
    const soon = { student_hash: hashes.open, next_action: 'Soon', due_at: clock.now() + hours(1) }
    await caller.studentRecords.setFollowUp(soon)
    await closing.stop()
    expect(() => clock.advance(hours(2))).not.toThrow()
  })
})
