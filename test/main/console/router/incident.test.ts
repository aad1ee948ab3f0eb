/** The record of an incident as a real console makes it, for each role. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../../shared/people.ts'
import {
  hashInRoster,
  openConsole,
  otherSchool,
  refusalOf,
  rosterSalt,
  type OpenConsole,
} from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { analyzed, crisis } from '../../../support/wire.ts'

let at: OpenConsole
let key = ''
let otherKey = ''
const now = Date.now()
const student_hash = hashInRoster('1')
const counselor = `COUNSELOR ${testSchool}`
const sections = {
  warning_signs: 'PLAN words',
  coping_strategies: '',
  people_and_places_for_distraction: '',
  people_to_ask_for_help: '',
  professionals_and_agencies: '',
  making_the_environment_safe: '',
}

beforeAll(async () => {
  at = await openConsole()
  const message = (session_id: string, school_id: string) => {
    const common = { at: now, session_id, student_hash, school_id, message_id: `m-${session_id}` }
    const content = at.parts.evidenceKey.seal('MARKED words')
    const raised = { tier: 'crisis', score: 0.95, level: 'CRISIS', matched_patterns: ['suicidal_intent'] }
    return [
      analyzed({ ...common, ...raised, content }),
      crisis({ ...common, reasoning: 'MARKED reasoning', matched_patterns: ['suicidal_intent', 'MARKED pattern'] }),
    ]
  }
  await at.receive(...message('one', testSchool))
  at.keep(...message('other', otherSchool))
  const keyOf = (session: string) =>
    String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(session))
  key = keyOf('one')
  otherKey = keyOf('other')
  const roster = 'student id,name,grade,counselor\n1,Ada Testwell,10,J. Marlow\n'
  const choices = [{ name: 'J. Marlow', person_id: counselor }]
  await at.as('ADMIN').roster.import({ csv: roster, salt: rosterSalt, choices })
}, 30_000)
afterAll(() => at.stop())

const audited = (what: string) =>
  at.parts.db.prepare('SELECT who, subject, why FROM audit WHERE what = ? ORDER BY seq').all(what)

describe('the record of an incident', () => {
  it('has what was said when, who was told, what was done, undone and set, and the words of nobody', async () => {
    const { alerts, studentRecords, incident } = at.as('COUNSELOR')
    await alerts.seen({ key })
    const { ack_id } = await alerts.acknowledge({ key, next_action: 'See Ada', due_at: now + 900_000 })
    await alerts.withdraw({ key, record: ack_id })
    await alerts.acknowledge({ key, next_action: 'See Ada now', due_at: now + 900_000 })
    await alerts.stepDone({ key, step: 'be-with-student' })
    await alerts.contactAttempted({ key, contact: 'guardian', outcome: 'no answer', who: 'Her mother' })
    const note = await alerts.note({ key, note: 'Mother reached.' })
    await alerts.correctNote({ key, record: note.ack_id, note: 'Aunt reached.' })
    await studentRecords.saveSafetyPlan({ student_hash, sections, based_on: null })
    await studentRecords.setFollowUp({
      student_hash,
      next_action: 'Check in',
      due_at: now + 80_000_000,
      alert_key: key,
    })
    await at.receive({
      ...{ schema_version: 1, event_type: 'ALERT_NOTIFIED', idempotency_key: 'told', session_id: 'one', student_hash },
      ...{ school_id: testSchool, timestamp: new Date(now + 1).toISOString(), alert_key: key, layer: 1 },
      ...{ channel: 'sms', outcome: 'delivered', to: counselor },
    })

    const record = await incident.open({ key })
    expect(record).toMatchObject({
      key,
      made: { by_name: 'J. Marlow', role: 'COUNSELOR' },
      student: { name: 'Ada Testwell', pseudonym: student_hash.slice(0, 4).toUpperCase() },
      student_id: '1',
      tier: 'crisis',
      categories: ['suicidal_intent'],
      owner_name: 'J. Marlow',
      clocks: { said: null, acknowledged: { by_name: 'J. Marlow' } },
      notified: true,
      resolved: null,
      safety_plan: { by_name: 'J. Marlow', versions: 1 },
      may_reveal: true,
      has_evidence: true,
    })
    expect(record.moments).toHaveLength(1)
    expect(record.timeline.map((entry) => (entry.kind === 'action' ? entry.action.kind : entry.kind))).toEqual([
      ...['moment', 'notified', 'seen', 'acknowledged', 'withdrawn', 'acknowledged', 'step_done', 'contact_attempted'],
      ...['noted', 'corrected', 'plan saved', 'follow-up'],
    ])
    expect(record.timeline.find(({ kind }) => kind === 'notified')).toMatchObject({
      told: { to_name: 'J. Marlow' },
    })
    expect(record.steps.filter(({ done }) => done)).toMatchObject([{ id: 'be-with-student', required: true }])
    expect(record.commitments).toMatchObject([{ what: 'See Ada now', met: null }])
    expect(record.follow_ups).toMatchObject([{ what: 'Check in', owner_name: 'J. Marlow', ended: null }])
    expect(JSON.stringify(record)).not.toMatch(/MARKED|PLAN/)
  })

  it('is audited when it is opened and when it is printed, with what the paper holds', async () => {
    const before = audited('incident_record.opened').length
    const { incident } = at.as('CLINICIAN')
    await incident.open({ key })
    await incident.printed({ key, with_words: false, with_plan: false })
    await incident.printed({ key, with_words: true, with_plan: true })
    const entry = { who: `CLINICIAN ${testSchool}`, subject: `alert ${key}` }
    expect(audited('incident_record.opened').slice(before)).toEqual([{ ...entry, why: '' }])
    expect(audited('incident_record.printed')).toEqual([
      { ...entry, why: '' },
      { ...entry, why: 'with the student’s words and the safety plan' },
    ])
  })

  it('takes in the student’s words by choice: those of the messages that raised it alone, audited as a reveal', async () => {
    const before = audited('evidence.reveal').length
    const words = await at.as('COUNSELOR').incident.words({ key, reason: 'Asked for by the clinic.' })
    expect(words).toEqual([{ at: now, text: 'MARKED words', unopened: null }])
    expect(audited('evidence.reveal').slice(before)).toEqual([
      { who: counselor, subject: `alert ${key}`, why: 'incident record: Asked for by the clinic.' },
    ])
  })

  it('takes in the text of the safety plan by choice, with its reason in the audit', async () => {
    const plan = await at.as('COUNSELOR').incident.safetyPlan({ key, reason: 'For the clinic.' })
    expect(plan).toMatchObject({ by_name: 'J. Marlow', sections: { warning_signs: 'PLAN words' } })
    expect(audited('incident_record.safety_plan')).toEqual([
      { who: counselor, subject: `alert ${key}`, why: 'For the clinic.' },
    ])
  })

  it('tells an admin neither words nor plan, nor whether there is one', async () => {
    const { incident } = at.as('ADMIN')
    const record = await incident.open({ key })
    expect(record).toMatchObject({ safety_plan: 'hidden', may_reveal: false })
    expect(record.timeline.map(({ kind }) => kind)).not.toContain('plan saved')
    for (const ask of [
      () => incident.words({ key, reason: 'Why not.' }),
      () => incident.safetyPlan({ key, reason: 'Why not.' }),
    ])
      expect(await refusalOf(at, ask)).toMatchObject({ code: 'FORBIDDEN' })
  })

  it.each(['COUNSELOR', 'CLINICIAN', 'ADMIN'] as const)('is for a %s of its own school alone', async (role: Role) => {
    const { incident } = at.as(role)
    const before = audited('incident_record.opened').length
    for (const ask of [
      () => incident.open({ key: otherKey }),
      () => incident.printed({ key: otherKey, with_words: false, with_plan: false }),
    ])
      expect(await refusalOf(at, ask)).toMatchObject({ code: 'NOT_FOUND' })
    expect(audited('incident_record.opened')).toHaveLength(before)
    expect(await refusalOf(at, () => at.as(role, otherSchool).incident.open({ key }))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('of a resolved alert has its outcome; the words are for the caseload alone', async () => {
    const { alerts } = at.as('CLINICIAN')
    await alerts.resolve({ key, disposition: 'referred', note: 'Seen at the clinic.', reason: 'The clinic went on.' })
    const record = await at.as('ADMIN').incident.open({ key })
    expect(record.resolved).toMatchObject({
      disposition: 'referred',
      note: 'Seen at the clinic.',
      reason: 'The clinic went on.',
    })
    // Her own student: the roster says so.
    expect(await refusalOf(at, () => at.as('COUNSELOR').incident.words({ key, reason: 'Mine.' }))).toBeNull()
  })
})
