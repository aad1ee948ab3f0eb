/** Directories as a station keeps them: on a real database, sealed, every version told, nobody’s work lost. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { createPolicies, type Policies } from '../../../../main/station/policy/index.ts'
import { openStationStore, type StationStore } from '../../../../main/store/station/index.ts'
import { usualDetection } from '../../../../shared/detection.ts'
import { usualOnCall, usualSchoolHours, type Channel } from '../../../../shared/on-call.ts'
import { defaultGuide } from '../../../../shared/guide.ts'
import { eventSchema, largestBody } from '../../../../shared/events.ts'
import {
  policyPurpose,
  gapsIn,
  policySchema,
  type KeptPolicy,
  type Policy,
  type PolicyGap,
} from '../../../../shared/policy.ts'
import { minutes } from '../../../../shared/time.ts'
import { intakeSchool, otherSchool, school, type IntakeSchool } from '../../../support/intake-school.ts'
import { listed, somePolicy } from '../../../support/policies.ts'
import { onEachStore } from '../../../support/test-stores.ts'

const by = 'admin-1'
const unserved = '00000000-2222-4333-8444-555555555555'

let at: IntakeSchool
let policies: Policies
let woken: number

/** A station's policies on a store that it may share. */
const policiesOn = (
  store: StationStore,
  contradictions?: (policy: Policy) => PolicyGap[],
  ways: Channel[] | null = null,
): Policies =>
  createPolicies({
    store,
    contradictions,
    ways: () => ways,
    keyOf: async (id) => (id === unserved ? null : (await at.options.secretsOf(id)).evidenceKey),
    clock: at.clock,
    randomness: systemRandomness,
    logger: at.logger,
    onQueued: () => void woken++,
  })
const save = (version: number, policy: unknown = somePolicy(), school_id = school) =>
  policies.save({ school_id, by, version, policy })
const saved = async (version: number, policy = somePolicy(), school_id = school): Promise<KeptPolicy> => {
  const change = await save(version, policy, school_id)
  if (!('changed' in change)) throw new Error(JSON.stringify(change))
  return change.changed
}
const versions = async (id = school) =>
  (await at.rows(`SELECT version FROM policies WHERE school_id = '${id}' ORDER BY version`)).map(
    (row) => row['version'],
  )
const changes = async () => (await at.events()).filter((event) => event.event_type === 'POLICY_CHANGED')

onEachStore((kind) => {
  beforeEach(async () => {
    at = await intakeSchool({}, kind)
    woken = 0
    policies = policiesOn(at.store)
  })
  afterEach(() => at.close())

  describe('the directory of a school', () => {
    it('is empty, and of version 0, until somebody saves one', async () => {
      expect(await policies.read(school)).toEqual({
        version: 0,
        policy: {
          people: [],
          calendar: { time_zone: 'UTC', closed: [], periods: [], hours: usualSchoolHours },
          crisis_numbers: [],
          guide: defaultGuide,
          on_call: usualOnCall,
          detection: usualDetection,
        },
        changed_at: null,
        changed_by: null,
      })
    })

    it('is what was saved last, with who and when; every version before stays', async () => {
      const first = await saved(0)
      expect(first).toEqual({ version: 1, policy: somePolicy(), changed_at: at.clock.now(), changed_by: by })
      at.clock.advance(minutes(1))
      const policy = somePolicy({ crisis_numbers: [] })
      const second = await policies.save({ school_id: school, by: 'admin-2', version: 1, policy })
      expect(second).toEqual({
        changed: { version: 2, policy, changed_at: at.clock.now(), changed_by: 'admin-2' },
      })
      expect(await policies.read(school.toUpperCase())).toEqual('changed' in second ? second.changed : null)
      expect(await versions()).toEqual([1, 2])
    })

    it('is another school’s in nothing: neither read, changed nor numbered with it', async () => {
      await saved(0)
      await saved(1)
      expect(await policies.read(otherSchool)).toMatchObject({ version: 0 })
      const theirs = somePolicy({ people: [listed('admin-9', { role: 'ADMIN', school_ids: [otherSchool] })] })
      await saved(0, theirs, otherSchool)
      expect(await policies.read(otherSchool)).toMatchObject({ version: 1, policy: theirs })
      expect(await policies.read(school)).toMatchObject({ version: 2, policy: somePolicy() })
    })

    it('lies in the database and the outbox sealed: no name, number or address of anybody', async () => {
      await saved(0)
      await policies.assign({ school_id: school, by, assignments: [{ student_hash: 'ab'.repeat(32), person_id: by }] })
      const everything = JSON.stringify([await at.rows('SELECT * FROM policies'), await at.bodies(), at.entries])
      for (const personal of ['Name of', '5550142', 'counselor@', 'Winter', 'New_York', 'ab'.repeat(32)])
        expect(everything).not.toContain(personal)
    })

    it('is nobody’s where the station does not serve the school', async () => {
      const refused = { code: 'school_not_served' }
      await expect(policies.read(unserved)).rejects.toMatchObject(refused)
      await expect(save(0, somePolicy(), unserved)).rejects.toMatchObject(refused)
      await expect(policies.assign({ school_id: unserved, by, assignments: [] })).rejects.toMatchObject(refused)
    })
  })

  describe('a change', () => {
    it('is told in an event of its version that opens with the school’s key', async () => {
      await saved(0)
      const [event, ...more] = await changes()
      expect(more).toEqual([])
      expect(event).toMatchObject({
        ...{ schema_version: 2, idempotency_key: `policy-${school}-1`, school_id: school, version: 1, changed_by: by },
        timestamp: at.clock.now(),
      })
      expect(event?.event_id).toMatch(/^[0-9a-f-]{36}$/)
      const { evidenceKey } = await at.options.secretsOf(school)
      const sealed = event?.event_type === 'POLICY_CHANGED' ? event.sealed : null
      const purpose = policyPurpose({ school_id: school, version: 1, changed_at: at.clock.now(), changed_by: by })
      expect(JSON.parse(evidenceKey.open(sealed ?? { ciphertext: '', encrypted_key: '' }, purpose))).toEqual(
        somePolicy(),
      )
      expect(woken).toBe(1)
    })

    it('counts as saved after the one before it, also where the clock was set back', async () => {
      const { changed_at: first } = await saved(0)
      at.clock.set((first ?? 0) - minutes(60))
      expect((await saved(1)).changed_at).toBe((first ?? 0) + 1)
      expect((await changes()).map(({ timestamp }) => timestamp)).toEqual([first, (first ?? 0) + 1])
      // So far ahead that no console took it: what follows is of the time it is saved at.
      at.clock.set((first ?? 0) - minutes(60 * 48))
      expect((await saved(2)).changed_at).toBe(at.clock.now())
    })

    it('is told again to the letter, so that whoever knows it hears nothing new', async () => {
      await saved(0)
      await saved(1)
      const before = await at.bodies()
      await at.run('DELETE FROM outbox')
      at.clock.advance(minutes(10))
      await policies.publishAgain()
      await policies.publishAgain()
      expect(await at.bodies()).toEqual(before.slice(-1))
      expect((await policies.newestChange(school))?.body).toBe(before.at(-1))
      expect(await policies.newestChange(otherSchool)).toBeNull()
    })

    const rungOf = (...to: Policy['on_call']['ladders']['crisis']['rungs'][number]['to']) => ({
      on_call: {
        ...usualOnCall,
        ladders: {
          ...usualOnCall.ladders,
          crisis: { rungs: [{ after_minutes: 0, to, channels: ['sms' as const] }], repeat_minutes: 5 },
        },
      },
    })
    const gone = { kind: 'person' as const, person: 'person-gone' }
    const gapOfGone = {
      path: ['on_call', 'ladders', 'crisis', 'rungs', 0, 'to', 0],
      gap: 'Step 1 tells someone who is not in the directory.',
    }

    it('of rotas, ladders or hours is refused with every gap they have', async () => {
      await saved(0)
      expect(await save(1, somePolicy(rungOf(gone)))).toEqual({ gaps: [gapOfGone] })
      const counselor = { kind: 'person' as const, person: 'counselor-1' }
      expect(await save(1, somePolicy(rungOf(counselor)))).toMatchObject({ changed: { version: 2 } })
    })

    it('of the directory is refused where it opens a gap in a ladder, and not for one that was there', async () => {
      const counselor = { kind: 'person' as const, person: 'counselor-1' }
      const first = await saved(0, somePolicy(rungOf(counselor)))
      const without = { ...first.policy, people: first.policy.people.slice(0, 1) }
      expect(await save(1, without)).toEqual({ gaps: [gapOfGone] })
      const followed = await policies.save({ school_id: school, by, version: 1, policy: without, follows: true })
      expect(followed).toMatchObject({ changed: { version: 2 } })
      expect(await save(2, { ...without, crisis_numbers: [] })).toMatchObject({ changed: { version: 3 } })
      const more = { ...without, people: [...without.people, listed('counselor-2')] }
      expect(await save(3, more)).toMatchObject({ changed: { version: 4 } })
      // Who edits a ladder leaves no gap in any.
      const hours = { ...more, calendar: { ...more.calendar, hours: [] } }
      expect(await save(4, hours)).toEqual({ gaps: [gapOfGone] })
    })

    it('of what somebody else has changed meanwhile is refused with what stands, gaps or not', async () => {
      const first = await saved(0)
      for (const version of [0, 2, -1]) {
        expect(await save(version)).toEqual({ stale: first })
        expect(await save(version, {})).toEqual({ stale: first })
      }
      expect(await versions()).toEqual([1])
      expect(await changes()).toHaveLength(1)
    })

    it('with a rung whose only way this station has not is not kept', async () => {
      const on_call = structuredClone(usualOnCall)
      on_call.ladders.crisis.rungs[0] = { after_minutes: 0, to: [{ kind: 'role', role: 'ADMIN' }], channels: ['sms'] }
      policies = policiesOn(at.store, undefined, ['desktop', 'email'])
      expect(await save(0, somePolicy({ on_call }))).toEqual({
        gaps: [
          {
            path: ['on_call', 'ladders', 'crisis', 'rungs', 0, 'channels'],
            gap: expect.stringMatching(/^Step 1 only texts, and this station cannot text: /) as string,
          },
        ],
      })
      expect(await versions()).toEqual([])
      policies = policiesOn(at.store, undefined, ['desktop', 'sms'])
      await saved(0, somePolicy({ on_call }))
    })

    it('with gaps is not kept, and every gap is named', async () => {
      const policy = somePolicy({ people: [listed('counselor-1', { school_ids: [otherSchool] })] })
      expect(await save(0, policy)).toEqual({ gaps: gapsIn(policy, school) })
      const wrong = { ...somePolicy(), crisis_numbers: [{ name: '', contact: '555-0142' }] }
      wrong.people[1] = listed('counselor-1', { channels: { sms: '555', voice: null, email: null } })
      const change = await save(0, wrong)
      expect('gaps' in change && change.gaps.map(({ path }) => path)).toEqual([
        ['people', 1, 'channels', 'sms'],
        ['crisis_numbers', 0, 'name'],
      ])
      expect(await versions()).toEqual([])
      expect(await at.bodies()).toEqual([])
    })

    it('of what is written elsewhere is refused there, and nothing of it is kept', async () => {
      const gap = { path: ['crisis_numbers'], gap: 'are changed elsewhere' }
      policies = policiesOn(at.store, ({ crisis_numbers }) => (crisis_numbers.length > 0 ? [gap] : []))
      expect(await save(0)).toEqual({ gaps: [gap] })
      expect(await versions()).toEqual([])
      expect(await saved(0, somePolicy({ crisis_numbers: [] }))).toMatchObject({ version: 1 })
    })

    it('that no queue would take is a gap', async () => {
      const people = (count: number) => [
        listed('admin-1', { role: 'ADMIN' }),
        ...Array.from({ length: count }, (_, index) => listed(`counselor-${index}`, { name: '語'.repeat(100) })),
      ]
      expect(await save(0, somePolicy({ people: people(600) }))).toMatchObject({ gaps: [{ path: [] }] })
      expect(await versions()).toEqual([])
      await saved(0, somePolicy({ people: people(380) }))
      const [body = ''] = await at.bodies()
      expect(body.length).toBeGreaterThan(largestBody / 2)
      // As a topic hands it on without raw delivery, with a kilobyte of its own.
      expect(Buffer.byteLength(JSON.stringify({ Message: body, rest: 'x'.repeat(1024) }))).toBeLessThan(largestBody)
    })
  })

  it('whoever looks after students is in the directory, or nothing of it is kept', async () => {
    const assign = (person_id: string | null, student = 'a') =>
      policies.assign({ school_id: school, by, assignments: [{ student_hash: student.repeat(64), person_id }] })
    await expect(assign('counselor-1')).rejects.toMatchObject({ code: 'people_unknown', people: ['counselor-1'] })
    await saved(0)
    await assign('counselor-1')
    await assign(null, 'b')
    const assignments = ['counselor-1', 'somebody', 'nobody', 'somebody'].map((person_id, index) => ({
      student_hash: String(index).repeat(64),
      person_id,
    }))
    await expect(policies.assign({ school_id: school, by, assignments })).rejects.toMatchObject({
      people: ['somebody', 'nobody'],
    })
    expect(await at.rows('SELECT student_hash, person_id, assigned_by FROM assignments ORDER BY 1')).toEqual([
      { student_hash: 'a'.repeat(64), person_id: 'counselor-1', assigned_by: by },
      { student_hash: 'b'.repeat(64), person_id: null, assigned_by: by },
    ])
  })

  it('of several who save at once, each from what they saw, every version is one person’s whole work', async () => {
    // On PostgreSQL two stations; a file is one station's.
    const other = kind === 'file' ? null : await openStationStore(at.database)
    const stations = [policies, policiesOn(other ?? at.store)]
    let edits = 0
    const editor = fc.record({ station: fc.integer({ min: 0, max: 1 }), edits: fc.integer({ min: 1, max: 3 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(editor, { minLength: 1, maxLength: 5 }), async (editors) => {
        const before = await policies.read(school)
        const kept: KeptPolicy[] = []
        await Promise.all(
          editors.map(async ({ station, edits: wanted }) => {
            const { read, save: keep } = stations[station] as Policies
            let seen = before
            for (let done = 0; done < wanted;) {
              const policy = somePolicy({ crisis_numbers: [{ name: `Edit ${++edits}`, contact: '555-0142' }] })
              const change = await keep({ school_id: school, by: 'admin-1', version: seen.version, policy })
              if ('changed' in change) {
                kept.push(change.changed)
                done += 1
                seen = change.changed
              } else {
                // What is said to stand did stand: it is newer than what this editor saw.
                expect('stale' in change && change.stale.version).toBeGreaterThan(seen.version)
                seen = await read(school)
              }
            }
          }),
        )
        const numbers = kept.map(({ version }) => version).sort((a, b) => a - b)
        expect(numbers).toEqual(numbers.map((_, index) => before.version + 1 + index))
        const newest = kept.find(({ version }) => version === before.version + kept.length)
        expect(await policies.read(school)).toEqual(newest)
      }),
      { numRuns: 6 },
    )
    const all = await versions()
    expect(all).toEqual(all.map((_, index) => index + 1))
    const { evidenceKey } = await at.options.secretsOf(school)
    const told = (await changes()).map((event) => event.event_type === 'POLICY_CHANGED' && event.version)
    expect(told).toEqual(all)
    const rows = await at.rows('SELECT school_id, version, changed_at, changed_by, document FROM policies')
    const opened = rows.map(({ document, ...named }) =>
      evidenceKey.open(
        JSON.parse(String(document)) as { ciphertext: string; encrypted_key: string },
        policyPurpose(named as Parameters<typeof policyPurpose>[0]),
      ),
    )
    expect(new Set(opened).size).toBe(all.length)
    await other?.close()
  })
})

it('a change that cannot be told is not kept either: the disk is full, and saved again later it is version 1', async () => {
  at = await intakeSchool()
  policies = policiesOn(at.store)
  await at.run(`CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END`)
  await expect(save(0)).rejects.toThrow()
  expect(await policies.read(school)).toMatchObject({ version: 0 })
  await at.run('DROP TRIGGER full')
  expect(await saved(0)).toMatchObject({ version: 1 })
  await at.close()
})

describe('whatever is sent as a policy', () => {
  beforeEach(async () => {
    at = await intakeSchool()
    policies = policiesOn(at.store)
  })
  afterEach(() => at.close())

  /** Somewhere between a policy and none: right parts, wrong parts, and parts that contradict each other. */
  const part = <T>(right: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 20, arbitrary: right as fc.Arbitrary<unknown> }, fc.jsonValue())
  const clock = fc.constantFrom('08:00', '08:30', '09:15')
  const date = fc.constantFrom('2026-12-01', '2026-12-20', '2027-01-03')
  const person = fc
    .tuple(
      fc.constantFrom('p-1', 'p-2', 'p-3'),
      fc.constantFrom('ADMIN', 'COUNSELOR'),
      fc.constantFrom(school, otherSchool),
    )
    .map(([id, role, of]) => listed(id, { role: role as 'ADMIN', school_ids: [of] }))
  const policy = fc.record({
    people: part(
      fc.array(part(person), { maxLength: 2 }).map((others) => [listed('p-0', { role: 'ADMIN' }), ...others]),
    ),
    calendar: part(
      fc.record({
        time_zone: part(fc.constant('UTC')),
        closed: fc.array(fc.record({ name: fc.constant('Break'), from: date, to: date }), { maxLength: 2 }),
        periods: fc.array(
          fc.record({ name: fc.constant('Period'), weekday: fc.constantFrom(1, 2), from: clock, to: clock }),
          { maxLength: 3 },
        ),
      }),
    ),
    crisis_numbers: part(fc.constant([])),
  })

  it('is kept as it is read, or refused with gaps that point into it, and never both', async () => {
    let version = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: policy as fc.Arbitrary<unknown> }, fc.jsonValue()),
        async (given) => {
          const read = policySchema.safeParse(given)
          const gaps = read.success ? gapsIn(read.data, school) : null
          const change = await save(version, given)
          if (gaps?.length === 0) {
            version += 1
            expect(change).toMatchObject({ changed: { version, policy: read.data } })
          } else {
            if (!('gaps' in change)) throw new Error('kept with gaps')
            if (gaps) expect(change.gaps).toEqual(gaps)
            expect(change.gaps.length).toBeGreaterThan(0)
            for (const { path, gap } of change.gaps) {
              expect(gap).not.toBe('')
              expect(leadsInto(given, path), path.join('.')).toBe(true)
            }
          }
          expect(await policies.read(school)).toMatchObject({ version })
        },
      ),
      { numRuns: 150 },
    )
    expect(version).toBeGreaterThan(5)
    expect(eventSchema.parse(JSON.parse((await at.bodies()).at(-1) ?? ''))).toMatchObject({ version })
  })

  /** Whether a path leads to something that is there, or to what is missing of something that is. */
  function leadsInto(value: unknown, path: readonly (string | number)[]): boolean {
    const [step, ...rest] = path
    if (step === undefined) return true
    if (typeof value !== 'object' || value === null) return false
    return rest.length === 0 || leadsInto((value as Record<string, unknown>)[step], rest)
  }
})
