/**
 * How SQLite means to find what the screens ask for: it keeps no statistics here, and where it guesses wrong, a
 * page of a hundred rows reads a year of a school while the next crisis waits.
 */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openConsole, type OpenConsole } from '../../../../support/open-console.ts'
import { analyzed, crisis, ended, started } from '../../../../support/wire.ts'

const { prototype } = createRequire(import.meta.url)('better-sqlite3') as {
  prototype: { prepare(this: unknown, sql: string): unknown }
}
let at: OpenConsole
/** Each statement that was prepared while everything was asked for, and the steps by which it would be answered. */
let plans: { sql: string; steps: string[] }[]

const of = { session_id: 's', student_hash: 'a'.repeat(64) }
const page = { offset: 0, limit: 50 }
const calls: Record<string, unknown> = {
  'me.people': undefined,
  'alerts.page': { filter: 'open', ...page },
  'alerts.counts': undefined,
  'unheld.list': undefined,
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
  'studentRecords.setFollowUp': { student_hash: of.student_hash, next_action: 'Call', due_at: Date.now() + 86_400_000 },
  'studentRecords.followUps': { student_hash: of.student_hash },
  'studentRecords.safetyPlans': { student_hash: of.student_hash },
  'studentRecords.myDay': undefined,
}

beforeAll(async () => {
  const asked = new Set<string>()
  const { prepare } = prototype
  const watched = vi.spyOn(prototype, 'prepare').mockImplementation(function (this: unknown, sql) {
    asked.add(sql)
    return prepare.call(this, sql)
  })
  try {
    at = await openConsole()
    await at.receive(started(of), analyzed({ ...of, message_id: 'm' }), crisis({ ...of, message_id: 'm' }), ended(of))
    const desk = at.as('CLINICIAN') as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
    const { rows } = await at.as('CLINICIAN').alerts.page({ filter: 'watch', ...page })
    expect(rows).toEqual([])
    for (const filter of ['open', 'mine', 'all'] as const) {
      const [row] = (await at.as('CLINICIAN').alerts.page({ filter, ...page })).rows
      if (row?.kind === 'alert') await at.as('CLINICIAN').alerts.detail({ key: row.key })
    }
    for (const [path, input] of Object.entries(calls)) {
      const [area = '', name = ''] = path.split('.')
      await desk[area]?.[name]?.(input)
    }
    const [first] = (await at.as('COUNSELOR').alerts.page({ filter: 'open', ...page })).rows
    if (first?.kind !== 'alert') throw new Error('there is no alert')
    await at.as('COUNSELOR').alerts.acknowledge({ key: first.key })
  } finally {
    watched.mockRestore()
  }
  plans = [...asked].filter((sql) => /^\s*(SELECT|WITH)\b/.test(sql)).map((sql) => ({ sql, steps: planOf(sql) }))
}, 30_000)
afterAll(() => at.stop())

function planOf(sql: string): string[] {
  const named = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null] as const)
  const values = [...sql.matchAll(/\?/g)].map(() => null)
  const given = named.length > 0 ? [...values, Object.fromEntries(named)] : values
  const steps = at.parts.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...given) as { detail: string }[]
  return steps.map(({ detail }) => detail)
}

/** Tables that grow with every message of a year. */
const large = ['events', 'messages', 'risk_points', 'markers', 'triggers', 'actions', 'sessions', 'alerts', 'audit',
  'commitments', 'student_records'] // prettier-ignore
/** What may be read from end to end, and why. */
const allowed: [RegExp, string][] = [
  [/ORDER BY seq DESC LIMIT 1$/, 'the end of the log, where reading ends at the first row'],
  [/^SELECT count\(\*\) FROM events WHERE origin/, 'this test counting its own events'],
  [/count\(\*\)/, 'how many there are is told by counting'],
  [/INDEXED BY|UNION ALL/, 'in the order of an index that was chosen by name, as far as the page goes'],
  [/state = 'open' AND acknowledged_at IS NULL/, 'every alert that waits is a bar of the overview'],
]

it('asks for something', () => {
  expect(plans.length).toBeGreaterThan(40)
  expect(plans.some(({ sql }) => sql.includes('json_each(@kept)'))).toBe(true)
})

it('reads no large table from end to end for a few rows', () => {
  const scanned = plans.filter(({ steps }) =>
    large.some((table) => steps.some((step) => new RegExp(`^SCAN ${table}\\b`).test(step))),
  )
  expect(scanned.filter(({ sql }) => !isAllowed(sql))).toEqual([])
})

it('finds no row by its school alone: that is every row', () => {
  const bySchool = plans.filter(({ steps }) =>
    large.some((table) => steps.some((step) => new RegExp(`^SEARCH ${table} .*\\(school_id=\\?\\)$`).test(step))),
  )
  expect(bySchool.filter(({ sql }) => !isAllowed(sql))).toEqual([])
})

it('reads the lists of the inbox in the order of an index, as far as a page goes', () => {
  const lists = plans.filter(({ sql }) => /alerts\.turn.* LIMIT @limit OFFSET @offset$/s.test(sql.trim()))
  const of = (index: string) =>
    lists.filter(({ steps }) => steps.some((step) => step.includes(`COVERING INDEX ${index} `)))
  // What is one's own is found by who holds it, and sorted: that is few.
  expect([of('alerts_unresolved'), of('alerts_inbox')].map(({ length }) => length > 0)).toEqual([true, true])
  for (const { steps } of [...of('alerts_unresolved'), ...of('alerts_inbox')])
    expect(steps.filter((step) => /B-TREE/.test(step))).toEqual([])
})

it('finds what is due to somebody by whose it is', () => {
  const steps = (name: RegExp) => plans.filter(({ sql }) => name.test(sql)).flatMap((plan) => plan.steps)
  expect(steps(/FROM commitments/)).toContainEqual(
    expect.stringContaining('commitments_due (school_id=? AND owner_id=?'),
  )
  const ofPerson = steps(/INDEXED BY follow_ups_by_owner/)
  expect(ofPerson).toContain('SEARCH student_records USING INDEX follow_ups_by_owner (<expr>=?)')
  expect(ofPerson).toContainEqual(expect.stringContaining('(school_id=? AND record_type=? AND subject=?)'))
})

it('joins the rows of a page to the page, never the other way round', () => {
  const pages = plans.filter(({ sql }) => sql.includes('page_id'))
  expect(pages.length).toBeGreaterThan(1)
  for (const { steps } of pages) expect(steps).toContain('SEARCH sessions USING PRIMARY KEY (school_id=? AND id=?)')
})

function isAllowed(sql: string): boolean {
  const plain = sql.replace(/\s+/g, ' ').trim()
  return allowed.some(([pattern]) => pattern.test(plain))
}
