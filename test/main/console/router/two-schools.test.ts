/** Two schools whose chats number alike: the same sessions, messages and even students, in one console's data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles, type Role } from '../../../../shared/people.ts'
import { may, type Permission } from '../../../../shared/permissions.ts'
import { hashInRoster, openConsole, otherSchool, rosterSalt, type OpenConsole } from '../../../support/open-console.ts'
import { testSchool } from '../../../support/sign-in.ts'
import { analyzed, crisis, ended, started } from '../../../support/wire.ts'

let at: OpenConsole
const now = Date.now()
const student_hash = hashInRoster('1')
const marks = { [testSchool]: 'MARK-HERE', [otherSchool]: 'MARK-THERE' } as const
const schools = [testSchool, otherSchool] as const
/** Alert keys and event ids by school. */
const ids: Record<string, string[]> = {}

/** A session of two messages with everything a sender can write into it, marked with its school's mark. */
function conversation(school_id: (typeof schools)[number]): object[] {
  const mark = marks[school_id]
  const of = { session_id: 's', student_hash, school_id }
  const seal = (words: string) => at.parts.evidenceKey.seal(words)
  const said = (message_id: string, sequence: number) =>
    analyzed({
      ...of,
      at: now - 5000 + sequence,
      message_id,
      sequence,
      idempotency_key: `${school_id} ${message_id}`,
      tier: 'caution',
      score: 0.6,
      matched_patterns: [`${mark} pattern`],
      content: seal(`${mark} words`),
      flagged: [{ start: 0, end: 4, category: 'hopelessness' }],
      markers: [{ marker_type: 'PHQ9_ITEM_2', confidence: 0.9, start: 0, end: 4 }],
    })
  return [
    started({ ...of, at: now - 9000, idempotency_key: `${school_id} start`, metadata: { channel: mark } }),
    said('m-1', 1),
    said('m-2', 2),
    crisis({
      ...of,
      at: now - 4000,
      idempotency_key: `${school_id} crisis`,
      message_id: 'm-2',
      reasoning: `${mark} reasoning`,
    }),
    ended({
      ...of,
      at: now - 1000,
      idempotency_key: `${school_id} end`,
      summary: {
        session_id: 's',
        user_id: mark,
        duration_seconds: 1,
        message_count: 2,
        sentiment: { average: 0, trend: 'stable', bands: { positive: 0, neutral: 2, negative: 0 } },
        risk: { highest_tier: 'crisis', tier_counts: { ok: 0, caution: 2, high: 0, crisis: 1 }, flagged_keywords: [] },
        suggested_resources: [],
        notes: [`${mark} note`],
      },
    }),
  ]
}

beforeAll(async () => {
  at = await openConsole()
  for (const school of schools) {
    at.keep(...conversation(school))
    const csv = `id,name,grade,class,counselor,guardian contact\n1,${marks[school]} name,9,${marks[school]} room,CLINICIAN ${school},${marks[school]} father\n`
    await at.as('ADMIN', school).roster.import({ csv, salt: rosterSalt })
    const lessons = [1, 2, 3, 4, 5, 6, 7].map((day) => `1,${day},00:00,23:59,${marks[school]} lesson\n`).join('')
    await at.as('ADMIN', school).timetable.import({ csv: `id,weekday,from,to,subject\n${lessons}` })
    const [row] = (await at.as('CLINICIAN', school).alerts.page({ filter: 'all', offset: 0, limit: 9 })).rows
    if (row?.kind !== 'alert') throw new Error('there is no alert')
    await at.as('CLINICIAN', school).alerts.note({ key: row.key, note: `${marks[school]} noted` })
    ids[school] = [
      row.key,
      ...at.parts.db.prepare('SELECT id FROM triggers WHERE school_id = ?').pluck().all(school),
    ] as string[]
  }
}, 30_000)
afterAll(() => at.stop())

const page = { offset: 0, limit: 50 }
const of = { student_hash }
/** Every call that answers with records, with an input that fits both schools' records wherever one can. */
const readings = (school: string): Record<string, unknown> => ({
  'me.get': undefined,
  'me.people': undefined,
  'alerts.page': { filter: 'all', ...page },
  'alerts.counts': undefined,
  'alerts.changes': undefined,
  'alerts.detail': { key: ids[school]?.[0] },
  'alerts.reveal': { key: ids[school]?.[0], reason: 'To help.' },
  'alertSession.watch': { key: ids[school]?.[0] },
  // Asked after the reveal above, without which it answers nobody.
  'alertSession.said': { key: ids[school]?.[0] },
  'students.page': page,
  'students.get': of,
  'students.trajectory': of,
  'students.estimates': { ...of, instrument: 'phq9', window_days: 14 },
  'students.sessions': { ...of, ...page },
  'sessions.page': page,
  'sessions.get': { id: 's' },
  'sessions.messages': { id: 's', ...page },
  'overview.get': { days: 7 },
  'quarantine.list': undefined,
  'roster.last': undefined,
  'timetable.last': undefined,
  'timetable.preview': { csv: 'id,weekday,from,to,subject\n1,1,08:00,08:45,New\n' },
  'roster.preview': { csv: 'id,name\n1,New\n' },
})
/** What a search would bring, and the subscriptions that say only that something changed. */
const searches: [string, unknown][] = ['MARK', 'name', student_hash.slice(0, 6)].flatMap(
  (search): [string, unknown][] => [
    ['alerts.page', { filter: 'all', search, ...page }],
    ['alerts.page', { filter: 'watch', search, ...page }],
    ['students.page', { search, ...page }],
    ['sessions.page', { search, ...page }],
  ],
)

async function answer(role: Role, school: string, path: string, input: unknown): Promise<string> {
  const [area = '', name = ''] = path.split('.')
  const calls = at.as(role, school) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const given = await calls[area]?.[name]?.(input)
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return JSON.stringify(given)
  const iterator = (given as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const first = await iterator.next()
  void iterator.return?.()
  return JSON.stringify(first.value)
}
const permissionOf = (path: string) =>
  (at.router._def.procedures as unknown as Record<string, { _def: { meta?: { permission?: Permission } } }>)[path]?._def
    .meta?.permission

describe.each([
  ['here', testSchool, otherSchool],
  ['there', otherSchool, testSchool],
])('the people %s', (_, school, other) => {
  it.each(roles)('a %s reads no word, name or row of the other school, by any call', async (role) => {
    const asked = [...Object.entries(readings(school)), ...searches].filter(([path]) => {
      const permission = permissionOf(path)
      return permission !== undefined && may(role, permission)
    })
    expect(asked.length).toBeGreaterThan(8)
    for (const [path, input] of asked) {
      const text = await answer(role, school, path, input)
      expect(text, path).not.toContain(marks[other as keyof typeof marks])
      for (const id of ids[other] ?? []) expect(text, path).not.toContain(id)
    }
  })

  it('read their own, complete and counted once', async () => {
    const mark = marks[school as keyof typeof marks]
    const calls = at.as('CLINICIAN', school)
    expect(await calls.alerts.page({ filter: 'all', ...page })).toMatchObject({
      total: 1,
      rows: [{ student: { name: `${mark} name` } }],
    })
    expect(await calls.alerts.reveal({ key: ids[school]?.[0] ?? '', reason: 'To help.' })).toMatchObject([
      { text: `${mark} words`, reasoning: `${mark} reasoning` },
    ])
    expect(await calls.sessions.get({ id: 's' })).toMatchObject({
      message_count: 2,
      markers: [{ message_id: 'm-1' }, { message_id: 'm-2' }],
      metadata: { channel: mark },
      summary: { notes: [`${mark} note`] },
    })
    const read = await calls.sessions.messages({ id: 's', ...page })
    expect([read.total, read.rows.map(({ text }) => text)]).toEqual([2, [`${mark} words`, `${mark} words`]])
    expect(await calls.students.get(of)).toMatchObject({
      sessions: 1,
      open_alerts: 1,
      roster: { name: `${mark} name`, guardian_contact: `${mark} father` },
    })
    expect(await calls.alerts.detail({ key: ids[school]?.[0] ?? '' })).toMatchObject({
      contacts: { guardians: [{ name: `${mark} father` }] },
    })
    expect(await at.as('ADMIN', school).timetable.last()).toMatchObject({ lessons: 7 })
    expect((await calls.students.trajectory(of)).total).toBe(2)
    expect((await calls.students.page(page)).total).toBe(1)
    expect((await calls.overview.get({ days: 7 })).days.reduce((sum, { crisis }) => sum + crisis, 0)).toBe(1)
    expect((await calls.alerts.detail({ key: ids[school]?.[0] ?? '' })).actions).toMatchObject([
      { note: `${mark} noted` },
    ])
  })
})

it('what is told of a session or a student is told of one school’s alone', async () => {
  const told = (school: string) => {
    const heard: string[] = []
    const listen = async (name: string, started: Promise<AsyncIterable<unknown>>) => {
      for await (const _ of await started) heard.push(name)
    }
    void listen('session', at.as('CLINICIAN', school).sessions.changes({ id: 's' }))
    void listen('student', at.as('CLINICIAN', school).students.changes(of))
    return heard
  }
  const [here, there] = [told(testSchool), told(otherSchool)]
  await new Promise((resolve) => setImmediate(resolve))
  const event = analyzed({ session_id: 's', student_hash, school_id: testSchool, message_id: 'm-3', sequence: 3 })
  await at.receive(event)
  await expect.poll(() => here.toSorted()).toEqual(['session', 'student'])
  expect(there).toEqual([])
})
