import { linkTo } from '../../../../main/console/links.ts'
import { verifyAudit } from '../../../../main/store/console/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { roles, type Role } from '../../../../shared/people.ts'
import { may, permissions, type Permission } from '../../../../shared/permissions.ts'
import {
  hashInRoster,
  openConsole,
  otherSchool,
  refusalOf,
  rosterSalt,
  type OpenConsole,
} from '../../../support/open-console.ts'
import { safetyPlanHeadings, type SafetyPlan } from '../../../../shared/student-records.ts'
import { emptyPolicy } from '../../../support/policy-station.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { analyzed, crisis } from '../../../support/wire.ts'

let at: OpenConsole
/** Keys of one alert per student of school A; `none` is in nobody's caseload. */
const keys = { mine: '', none: '', other: '' }
const now = Date.now()
const hashes = { mine: hashInRoster('1'), none: 'c'.repeat(64), other: 'd'.repeat(64) }

beforeAll(async () => {
  at = await openConsole()
  const event = (name: keyof typeof hashes, school_id: string) => {
    const common = { at: now, session_id: name, student_hash: hashes[name], school_id, message_id: `m-${name}` }
    const content = at.parts.evidenceKey.seal('MARKED words')
    return [
      analyzed({
        ...common,
        tier: 'crisis',
        score: 0.95,
        level: 'CRISIS',
        matched_patterns: ['suicidal_intent'],
        content,
      }),
      crisis({ ...common, reasoning: 'MARKED reasoning' }),
    ]
  }
  await at.receive(...event('mine', testSchool), ...event('none', testSchool))
  at.keep(...event('other', otherSchool))
  for (const name of ['mine', 'none', 'other'] as const)
    keys[name] = String(at.parts.db.prepare('SELECT key FROM alerts WHERE session_id = ?').pluck().get(name))
  // Two people here are called J. Marlow: the person at the machine, and the counselor who is meant.
  const choices = [{ name: 'J. Marlow', person_id: `COUNSELOR ${testSchool}` }]
  const roster = 'student id,name,counselor\n1,MARKED name,J. Marlow\n'
  await at.as('ADMIN').roster.import({ csv: roster, salt: rosterSalt, choices })
  await at.queue.send('CRISIS_DETECTED but no JSON')
  await vi.waitFor(() => expect(at.parts.db.prepare('SELECT count(*) FROM quarantine').pluck().get()).toBe(1), 5000)
}, 30_000)
afterAll(() => at.stop())

const csv = 'student id,name\n9,Nobody\n'
const timetable = 'student id,weekday,from,to,subject\n9,Monday,08:00,08:45,Art\n'
const page = { offset: 0, limit: 50 }
const emptyPlan = Object.fromEntries(safetyPlanHeadings.map((heading) => [heading, ''])) as SafetyPlan

/** A fitting input for every call; calls about a record name one of school A. */
const inputs = (): Record<string, unknown> => {
  const key = { key: keys.none }
  const student = { student_hash: hashes.none }
  return {
    'me.get': undefined,
    'me.people': undefined,
    'me.become': { personId: `COUNSELOR ${testSchool}` },
    'accounts.list': undefined,
    'accounts.add': { name: 'Somebody', role: 'COUNSELOR', user_name: 'somebody' },
    'accounts.resetPassword': { person_id: 'nobody' },
    'accounts.setRole': { person_id: 'nobody', role: 'COUNSELOR' },
    'accounts.end': { person_id: 'nobody' },
    'accounts.changePassword': { current: 'one', next: 'another' },
    'chatKeys.address': undefined,
    'chatKeys.list': undefined,
    'chatKeys.issue': { label: 'chat' },
    'chatKeys.revoke': { id: 'key' },
    'desk.checklist': undefined,
    'desk.resources': undefined,
    'desk.setResources': { text: 'Please talk to somebody now: call or text 988, day and night.', numbers: [] },
    'school.question': undefined,
    'school.name': { school_id: otherSchool },
    'strip.watch': undefined,
    'strip.painted': { number: 1 },
    'alerts.page': { filter: 'all', ...page },
    'alerts.counts': undefined,
    'find.look': { text: 'intent' },
    'find.link': { kind: 'alerts', subject: keys.none },
    'find.follow': { kind: 'alerts', id: linkTo(at.parts, testSchool, 'alerts', keys.none) },
    'alerts.changes': undefined,
    'alerts.called': { delivery_ids: ['nobody was called'] },
    'alerts.reports': undefined,
    'alerts.reportsRead': { action_ids: ['nothing was done'] },
    'alerts.detail': key,
    'alerts.seen': key,
    'alerts.acknowledge': key,
    'alerts.plan': { ...key, next_action: 'Call', due_at: now + 600_000 },
    'alerts.takeOver': key,
    'alerts.handOff': { ...key, to: `CLINICIAN ${testSchool}` },
    'alerts.acceptHandOff': key,
    'alerts.declineHandOff': key,
    'alerts.withdrawHandOff': key,
    'alerts.returnToQueue': key,
    'alerts.withdraw': { ...key, record: 'never done' },
    'alerts.stepDone': { ...key, step: 'call-guardian' },
    'alerts.contactAttempted': { ...key, contact: 'guardian', outcome: 'no answer' },
    'alerts.commit': { ...key, next_action: 'Call', due_at: now + 600_000 },
    'alerts.commitmentMet': { ...key, commitment: 'never made' },
    'alerts.moveCommitment': { ...key, commitment: 'never made', next_action: 'Call' },
    'alerts.correctNote': { ...key, record: 'never written', note: 'A note.' },
    'alerts.note': { ...key, note: 'A note.' },
    'alerts.reopen': { ...key, reason: 'Again.' },
    'alerts.resolve': { ...key, disposition: 'duplicate', note: 'Twice.', reason: 'Done elsewhere.' },
    'alerts.reveal': { ...key, reason: 'To help.' },
    'alertSession.watch': key,
    'alertSession.said': key,
    'studentRecords.safetyPlans': student,
    'studentRecords.saveSafetyPlan': { ...student, sections: emptyPlan, based_on: null },
    'studentRecords.safetyPlanPrinted': { ...student, version: 'never saved' },
    'studentRecords.followUps': student,
    'studentRecords.endedFollowUps': student,
    'studentRecords.setFollowUp': { ...student, next_action: 'Check in', due_at: now + 86_400_000 },
    'studentRecords.endFollowUp': { ...student, follow_up: 'never set', outcome: 'done' },
    'studentRecords.resumeFollowUp': { ...student, follow_up: 'never set', record: 'none' },
    'studentRecords.myDay': undefined,
    'studentRecords.due': undefined,
    'studentRecords.changes': undefined,
    'drafts.mine': undefined,
    'drafts.keep': { person: 'somebody', name: 'alert k note', draft: '"Called home."' },
    'unheld.list': undefined,
    'viewing.look': key,
    'viewing.watch': undefined,
    'lateStart.watch': undefined,
    'lateStart.alerts': undefined,
    'lateStart.opened': { number: 0 },
    'lateStart.finished': { number: 0 },
    'incident.open': key,
    'incident.printed': { ...key, with_words: false, with_plan: false },
    'incident.words': { ...key, reason: 'To help.' },
    'incident.safetyPlan': { ...key, reason: 'To help.' },
    'quarantine.list': undefined,
    'quarantine.changes': undefined,
    'quarantine.retry': { id: 1 },
    'quarantine.dismiss': { id: 99, reason: 'Nothing.' },
    'students.page': page,
    'students.get': student,
    'students.trajectory': student,
    'students.estimates': { ...student, instrument: 'phq9', window_days: 14 },
    'students.sessions': { ...student, ...page },
    'students.changes': student,
    'students.listChanges': undefined,
    'sessions.page': page,
    'sessions.get': { id: 'none' },
    'sessions.messages': { id: 'none', ...page },
    'sessions.changes': { id: 'none' },
    'overview.get': { days: 7 },
    'settings.queues': undefined,
    'settings.enrolment': undefined,
    'settings.testConnection': undefined,
    'settings.deadLetters': undefined,
    'settings.bringBackDeadLetters': undefined,
    'settings.preferences': undefined,
    'settings.setPreferences': { theme: 'dark' },
    'settings.layout': { name: 'alerts' },
    'settings.setLayout': { name: 'alerts', sizes: [1, 2] },
    'policy.watch': undefined,
    'policy.edit': undefined,
    'policy.save': { version: 0, policy: emptyPolicy },
    'onCall.testAlert': undefined,
    'onCall.testNotification': undefined,
    'roster.last': undefined,
    'timetable.last': undefined,
    'timetable.preview': { csv: timetable },
    'timetable.import': { csv: timetable },
    'roster.preview': { csv },
    'roster.import': { csv, salt: rosterSalt },
    'detection.explain': { text: 'hello' },
    'detection.state': undefined,
    'detection.choices': undefined,
    'detection.choose': { operating_point: 'balanced', weights: null, why: 'a try' },
    'detection.reload': undefined,
    'help.pages': undefined,
  }
}

const procedures = (): [string, { type: string; permission: Permission | undefined }][] =>
  Object.entries(
    at.router._def.procedures as unknown as Record<
      string,
      { _def: { type: string; meta?: { permission?: Permission } } }
    >,
  ).map(([path, { _def }]) => [path, { type: _def.type, permission: _def.meta?.permission }])

/** Makes one call; a subscription is opened and, having begun, closed. */
async function call(
  calls: ReturnType<OpenConsole['as']>,
  path: string,
  type: string,
  input: unknown,
): Promise<unknown> {
  const [area = '', name = ''] = path.split('.')
  const made = (calls as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[area]?.[
    name
  ]?.(input)
  const answer = await made
  if (type !== 'subscription') return answer
  const iterator = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  // A refusal about the record comes with the first step; a quiet subscription has none to give.
  const first = iterator.next()
  await Promise.race([first, new Promise((resolve) => setImmediate(resolve))])
  first.catch(() => undefined)
  return undefined
}
const refusal = (calls: ReturnType<OpenConsole['as']>, path: string, type: string, input = inputs()[path]) =>
  refusalOf(at, () => call(calls, path, type, input))

/** Calls before there is a person: the start, the set-up, the page to sign in. */
const isOpen = (path: string): boolean => /^(startup|setUp|signIn)\./.test(path)
/** Calls that have a meaning where the station is in the same process. */
const deskOnly = /^(accounts|chatKeys|desk)\./

const aboutRecord =
  /^(incident\.|alerts\.(?!page|counts|changes|called|reports)|alertSession\.|find\.(?!look)|students\.(?!page|listChanges)|studentRecords\.(?!myDay|changes|due)|sessions\.(?!page))/

describe('every call', () => {
  it('names a permission of the table, but for what comes before the console is open; and stands in this walk', () => {
    for (const [path, { permission }] of procedures()) {
      if (isOpen(path)) expect(permission, path).toBeUndefined()
      else expect(Object.keys(permissions), path).toContain(permission)
    }
    const walked = procedures()
      .map(([path]) => path)
      .filter((path) => !isOpen(path))
    expect(Object.keys(inputs()).sort()).toEqual(walked.sort())
  })

  it.each(roles)('a %s may what the table says, and is told so in words otherwise', async (role) => {
    const beyond = procedures().filter(([, { permission }]) => permission !== undefined && !may(role, permission))
    expect(beyond).not.toEqual([])
    for (const [path, { type }] of beyond) {
      const refused = await refusal(at.as(role), path, type)
      expect(refused, path).toMatchObject({ code: 'FORBIDDEN', personal: { code: 'forbidden' } })
    }
  })

  it.each(roles)('a %s is never refused for the role where the table allows it', async (role) => {
    const [beyond = '', { type: its }] = procedures().find(
      ([, { permission }]) => permission && !may(role, permission),
    )!
    const becauseOfRole = (await refusal(at.as(role), beyond, its))?.personal.happened
    expect(becauseOfRole).toBeTypeOf('string')
    // What closes the alert comes last.
    const order = procedures().sort(([a], [b]) => Number(a === 'alerts.resolve') - Number(b === 'alerts.resolve'))
    for (const [path, { type, permission }] of order) {
      if (permission === undefined || !may(role, permission)) continue
      const refused = await refusal(at.as(role), path, type)
      // Some have reasons of their own: only the demonstration lets one be somebody else, hand-offs need a holder, only
      // what one did is undone, and a school is named once. No station is configured that keeps a directory.
      const own = [
        ...['me.become', 'alerts.handOff', 'alerts.acceptHandOff', 'alerts.declineHandOff', 'alerts.withdrawHandOff'],
        ...[
          'alerts.returnToQueue',
          'alerts.withdraw',
          'studentRecords.endFollowUp',
          'studentRecords.resumeFollowUp',
          'studentRecords.safetyPlanPrinted',
          // Each role saves on the first version, which only one of them can.
          'studentRecords.saveSafetyPlan',
          'quarantine.dismiss',
          'school.name',
        ],
        ...['policy.edit', 'detection.choose', 'policy.save', 'onCall.testAlert'],
      ].includes(path)
      if (deskOnly.test(path)) expect(refused?.personal.code, path).toBe('desk_only')
      else if (!own) expect(refused, path).toBeNull()
      else expect(refused?.personal.happened, path).not.toBe(becauseOfRole)
    }
  })

  it.each(roles)('a %s of another school finds none of this one’s records', async (role) => {
    const about = procedures().filter(
      ([path, { permission }]) => aboutRecord.test(path) && permission !== undefined && may(role, permission),
    )
    expect(about.map(([path]) => path)).toContain('alerts.detail')
    for (const [path, { type }] of about)
      expect(await refusal(at.as(role, otherSchool), path, type), path).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('lists and figures are of the caller’s school alone', async () => {
    const here = at.as('CLINICIAN')
    const there = at.as('CLINICIAN', otherSchool)
    const sessionsOf = async (calls: typeof here) =>
      (await calls.alerts.page({ filter: 'all', ...page })).rows.map(({ session_id }) => session_id).sort()
    expect([await sessionsOf(here), await sessionsOf(there)]).toEqual([['mine', 'none'], ['other']])
    const students = async (calls: typeof here) =>
      (await calls.students.page(page)).rows.map(({ student }) => student.student_hash)
    expect((await students(here)).sort()).toEqual([hashes.mine, hashes.none].sort())
    expect(await students(there)).toEqual([hashes.other])
    expect((await there.sessions.page(page)).rows.map(({ id }) => id)).toEqual(['other'])
    expect((await there.overview.get({ days: 7 })).days.reduce((sum, day) => sum + day.crisis, 0)).toBe(1)
    expect(new Set((await there.me.people()).map(({ school_id }) => school_id))).toEqual(new Set([otherSchool]))
    expect(JSON.stringify(await there.alerts.detail({ key: keys.other }))).not.toContain('MARKED')
  })

  it('a colleague of another school can be handed nothing', async () => {
    const marlow = at.as('COUNSELOR')
    await marlow.alerts.takeOver({ key: keys.mine })
    const to = `COUNSELOR ${otherSchool}`
    expect(await refusalOf(at, () => marlow.alerts.handOff({ key: keys.mine, to }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await refusalOf(at, () => marlow.alerts.acknowledge({ key: keys.mine, owner: to }))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('only the holder hands an alert off, only who is asked accepts, and no plan is overdue from the start', async () => {
    const key = keys.other
    const [holder, other] = [at.as('COUNSELOR', otherSchool), at.as('CLINICIAN', otherSchool)]
    await holder.alerts.takeOver({ key })
    const to = `ADMIN ${otherSchool}`
    const notHolder = { code: 'CONFLICT', personal: { code: 'not_holder' } }
    expect(await refusalOf(at, () => other.alerts.handOff({ key, to }))).toMatchObject(notHolder)
    await holder.alerts.handOff({ key, to })
    expect(await refusalOf(at, () => other.alerts.acceptHandOff({ key }))).toMatchObject(notHolder)
    expect(await refusalOf(at, () => at.as('ADMIN', otherSchool).alerts.acceptHandOff({ key }))).toBeNull()
    const plan = { key, next_action: 'Call', due_at: now }
    expect(await refusalOf(at, () => holder.alerts.plan(plan))).toMatchObject({ personal: { code: 'due_passed' } })
  })

  it('somebody of another school one can be nowhere, the demonstration included', async () => {
    const { configuration } = at.parts
    const become = (personId: string) => refusalOf(at, () => at.as('COUNSELOR').me.become({ personId }))
    expect(await become(`CLINICIAN ${testSchool}`)).toMatchObject({ code: 'FORBIDDEN' })
    at.parts.configuration = { ...configuration, demo: true }
    expect(await become(`CLINICIAN ${otherSchool}`)).toMatchObject({ code: 'NOT_FOUND' })
    expect((await at.as('COUNSELOR').me.get()).others.map(({ school_id }) => school_id)).not.toContain(otherSchool)
    at.parts.configuration = configuration
  })

  it('a window at which nobody sits gets nothing', async () => {
    for (const [path, { type, permission }] of procedures()) {
      if (permission === undefined) continue
      expect(await refusal(at.asNobody(), path, type), path).toMatchObject({
        code: 'UNAUTHORIZED',
        personal: { code: 'not_signed_in' },
      })
    }
  })

  it('an input that does not fit is refused without saying what was in it', async () => {
    for (const [path, { type }] of procedures().filter(([path]) => inputs()[path] !== undefined)) {
      const refused = await refusal(at.as(roleFor(path)), path, type, marked(inputs()[path]))
      expect(refused, path).toMatchObject({ code: 'BAD_REQUEST', personal: { code: 'invalid' } })
      expect(refused?.wire, path).not.toMatch(/MARKED|"stack":|node_modules/)
    }
  })
})

/** The same fields, each holding what it never holds. */
const marked = (input: unknown) =>
  Object.fromEntries(Object.keys(input as object).map((field) => [field, { MARKED: 'MARKED words' }]))

const roleFor = (path: string): Role => {
  const permission = procedures().find(([name]) => name === path)?.[1].permission
  return roles.find((role) => permission !== undefined && may(role, permission)) ?? 'ADMIN'
}

describe('evidence', () => {
  const audited = (what: string) =>
    at.parts.db.prepare('SELECT who, role, subject, why FROM audit WHERE what = ? ORDER BY seq').all(what) as Record<
      string,
      unknown
    >[]

  it('is shown to whoever may see it, with the reason in the audit', async () => {
    const before = audited('evidence.reveal').length
    const [evidence] = await at.as('CLINICIAN').alerts.reveal({ key: keys.mine, reason: 'Calling home.' })
    expect(evidence).toMatchObject({ text: 'MARKED words' })
    expect(audited('evidence.reveal').slice(before)).toEqual([
      { who: `CLINICIAN ${testSchool}`, role: 'CLINICIAN', subject: `alert ${keys.mine}`, why: 'Calling home.' },
    ])
    expect(verifyAudit(at.parts.db).ok).toBe(true)
  })

  it('has its audit entry before anything is opened, and opens nothing without one', async () => {
    const { db } = at.parts
    const before = audited('evidence.reveal').length
    const { open } = at.parts.evidenceKey
    at.parts.evidenceKey.open = (envelope) => {
      expect(audited('evidence.reveal').length).toBe(before + 1)
      return open(envelope)
    }
    await at.as('CLINICIAN').alerts.reveal({ key: keys.mine, reason: 'To help.' })
    let opened = 0
    at.parts.evidenceKey.open = (envelope) => ((opened += 1), open(envelope))
    db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END`)
    const failed = await refusalOf(at, () => at.as('CLINICIAN').alerts.reveal({ key: keys.mine, reason: 'To help.' }))
    const unread = await refusalOf(at, () => at.as('CLINICIAN').sessions.messages({ id: 'mine', ...page }))
    db.exec('DROP TRIGGER full')
    at.parts.evidenceKey.open = open
    expect(opened).toBe(0)
    for (const refused of [failed, unread]) {
      expect(refused?.personal.code).toBe('unexpected')
      expect(refused?.wire).not.toMatch(/full|"stack":|node_modules/)
    }
  })

  it('of a resolved alert is for a counselor’s own caseload only; a clinician sees the school’s', async () => {
    const marlow = at.as('COUNSELOR')
    for (const key of [keys.mine, keys.none]) {
      const { state } = await marlow.alerts.detail({ key })
      const reason = 'Another school of hers does the rest.'
      if (state !== 'resolved')
        await marlow.alerts.resolve({ key, disposition: 'contacted student', note: 'Spoke.', reason })
    }
    expect(await refusalOf(at, () => marlow.alerts.reveal({ key: keys.mine, reason: 'Mine.' }))).toBeNull()
    const before = audited('evidence.reveal').length
    expect(await refusalOf(at, () => marlow.alerts.reveal({ key: keys.none, reason: 'Curious.' }))).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await refusalOf(at, () => marlow.sessions.messages({ id: 'none', ...page }))).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(audited('evidence.reveal')).toHaveLength(before)
    expect((await marlow.alerts.detail({ key: keys.none })).may_reveal).toBe(false)
    expect(
      await refusalOf(at, () => at.as('CLINICIAN').alerts.reveal({ key: keys.none, reason: 'Review.' })),
    ).toBeNull()
  })

  it('in a transcript is audited from whatever page the reading begins', async () => {
    const before = audited('transcript.read').length
    await at
      .as('CLINICIAN')
      .sessions.messages({ id: 'other-page', offset: 1, limit: 5 })
      .catch(() => undefined)
    await at.as('CLINICIAN', otherSchool).sessions.messages({ id: 'other', offset: 1, limit: 200 })
    expect(audited('transcript.read').slice(before)).toEqual([
      expect.objectContaining({ who: `CLINICIAN ${otherSchool}`, subject: 'session other' }),
    ])
    // The pages that follow belong to the same reading.
    await at.as('CLINICIAN', otherSchool).sessions.messages({ id: 'other', offset: 2, limit: 200 })
    expect(audited('transcript.read')).toHaveLength(before + 1)
    await at.as('CLINICIAN', otherSchool).sessions.messages({ id: 'other', offset: 0, limit: 200 })
    expect(audited('transcript.read')).toHaveLength(before + 2)
    // Another person's reading is another one.
    await at.as('COUNSELOR', otherSchool).sessions.messages({ id: 'other', offset: 1, limit: 200 })
    expect(audited('transcript.read').slice(before + 2)).toMatchObject([{ who: `COUNSELOR ${otherSchool}` }])
  })
})
