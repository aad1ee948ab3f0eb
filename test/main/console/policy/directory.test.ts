/** What a console knows of its school's directory, and what it tells the station by itself; on a real encrypted file. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createDirectory,
  stationHere,
  type Directory,
  type OwnSchool,
  type PolicyService,
} from '../../../../main/console/policy/index.ts'
import { appendAudit, insertSchoolKey, savePerson, saveRoster } from '../../../../main/store/console/index.ts'
import { keyRing } from '../../../../main/console/enrolment/index.ts'
import { evidenceKey } from '../../../../main/platform/envelope.ts'
import { usualDetection } from '../../../../shared/detection.ts'
import { ConsoleError } from '../../../../shared/errors.ts'
import type { Person } from '../../../../shared/people.ts'
import { policyPurpose } from '../../../../shared/policy.ts'
import { minutes, seconds } from '../../../../shared/time.ts'
import { recordingLogger } from '../../../support/intake-school.ts'
import { filledPolicy, listed, policyKeeper, type PolicyKeeper } from '../../../support/policy-station.ts'
import { marlow, openRecord, type OpenRecord } from '../../../support/record.ts'
import { hashOf, noon, school } from '../../../support/wire.ts'

const dean: Person = { id: 'dean', name: 'A. Dean', role: 'ADMIN', school_id: school }
const schoolKey = Buffer.alloc(32, 7)

let at: OpenRecord
let keeper: PolicyKeeper
let directory: Directory
let opened: Directory[]
let failing: ConsoleError | null
let own: Omit<OwnSchool, 'school_id'> | null
beforeEach(() => {
  at = openRecord()
  opened = []
  failing = null
  own = null
  keeper = policyKeeper(undefined, ({ version, policy, changed_by }) => {
    if (version > 0) at.append(policyChanged(version, policy, changed_by ?? ''))
  })
})
afterEach(async () => {
  for (const each of opened) await each.stop()
  at.close()
})

const policyChanged = (version: number, policy: object, changed_by = 'dean') => ({
  schema_version: 2,
  event_type: 'POLICY_CHANGED',
  idempotency_key: `policy-${school}-${version}`,
  school_id: school,
  timestamp: new Date(noon).toISOString(),
  version,
  changed_by,
  sealed: evidenceKey(schoolKey).seal(
    JSON.stringify(policy),
    policyPurpose({ school_id: school, version, changed_at: noon, changed_by }),
  ),
})
/** The station of the test, away while `failing`. */
const station = (): PolicyService => {
  const here = stationHere(keeper.station)
  const work = async <T>(call: () => Promise<T>): Promise<T> => {
    if (failing) throw failing
    return call()
  }
  return {
    read: (as) => work(() => here.read(as)),
    save: (as, version, policy, how) => work(() => here.save(as, version, policy, how)),
    assign: (as, some) => work(() => here.assign(as, some)),
    testAlert: (as) => work(() => here.testAlert(as)),
  }
}
const away = new ConsoleError({ code: 'station_away', happened: 'a', safe: 'b', todo: 'c' })
const { logger } = recordingLogger()
/** Whatever could go on by itself has. */
const settled = () => setImmediate()

/** `elsewhere`: asked with the token of the admin. */
function open(where: 'none' | 'elsewhere' | 'here'): Directory {
  const { db, changes, clock, ownSchool } = at
  directory = createDirectory({
    ...{ db, changes, clock, logger, consoleId: 'c' },
    evidenceKey: keyRing({ db, own: at.key, schoolId: () => ownSchool.id }),
    schoolId: () => ownSchool.id,
    station: where === 'elsewhere' ? station() : null,
    speaker: () => (where === 'elsewhere' ? dean : null),
    own: own && (() => own as Omit<OwnSchool, 'school_id'>),
    find: (id) => (id === dean.id ? dean : null),
  })
  opened.push(directory)
  if (where === 'here') directory.serve(station())
  return directory
}
const approve = () =>
  insertSchoolKey(at.db, {
    school_id: school,
    key_id: 'k',
    content_key: schoolKey,
    fingerprint: 'f',
    approved_at: noon,
  })
const row = (id: string, counselor_id: string | null) => ({
  ...{ student_id: id, name: id, grade: '', class: '', guardian_contact: '', guardians: [], student_hash: hashOf(id) },
  ...{ counselor: counselor_id ?? '', counselor_id },
})
/** As the audit has what somebody did. */
const act = (what: string, who = 'dean') =>
  appendAudit(at.db, { at: at.clock.now(), who, role: 'ADMIN', what, subject: '', why: '', console_id: 'c' })
/** Somebody changes an account. */
const change = (who: string) =>
  at.changes.commit((altered) => {
    act('account.role_changed', who)
    altered.add({ school_changed: true })
  })
const importRoster = (...rows: ReturnType<typeof row>[]) =>
  at.changes.commit((altered) => {
    savePerson(at.db, marlow, noon)
    saveRoster(at.db, school, rows, noon)
    act('roster.import')
    altered.add({ every_student: true })
  })

describe('reading', () => {
  it('shows what was heard last, without any station, as soon as a key opens it', async () => {
    open('none')
    expect(directory.view(marlow)).toMatchObject({ station: 'none', sealed: false, kept: null })
    await at.receive(policyChanged(4, filledPolicy))
    expect(directory.view(marlow)).toMatchObject({ sealed: true, kept: null })
    approve()
    expect(directory.view(marlow)).toMatchObject({
      sealed: false,
      kept: { version: 4, policy: filledPolicy, changed_at: noon, changed_by: 'dean' },
      changed_by_name: 'A. Dean',
    })
    expect(directory.view({ ...marlow, school_id: 'another' }).kept).toBeNull()
  })

  it('stays what could be read last where something newer cannot be', async () => {
    approve()
    open('none')
    await at.receive(policyChanged(4, filledPolicy))
    const sealed = evidenceKey(Buffer.alloc(32, 8)).seal(JSON.stringify(filledPolicy))
    await at.receive({ ...policyChanged(5, {}), timestamp: new Date(noon + 1000).toISOString(), sealed })
    expect(directory.view(marlow)).toMatchObject({ sealed: true, kept: { version: 4, policy: filledPolicy } })
  })

  it('is not what a student wrote, nor an older version told as a newer one, though the school’s key opens both', async () => {
    approve()
    open('none')
    await at.receive(policyChanged(4, filledPolicy))
    const later = { timestamp: new Date(noon + 1000).toISOString() }
    const typed = evidenceKey(schoolKey).seal(JSON.stringify({ ...filledPolicy, crisis_numbers: [] }))
    await at.receive({ ...policyChanged(5, {}), ...later, sealed: typed })
    const { sealed } = policyChanged(3, { ...filledPolicy, crisis_numbers: [] })
    await at.receive({ ...policyChanged(6, {}), ...later, sealed })
    expect(directory.view(marlow)).toMatchObject({ sealed: true, kept: { version: 4, policy: filledPolicy } })
  })

  it('is no invention where what came is of no known form', async () => {
    approve()
    await at.receive(policyChanged(1, { people: 'MARKED' }))
    expect(open('none').view(marlow)).toMatchObject({ sealed: true, kept: null })
  })
})

describe('editing', () => {
  it('asks the station, is audited without content, and says so where there is none', async () => {
    await expect(open('none').edit(dean)).rejects.toMatchObject({ code: 'no_station' })
    open('elsewhere')
    expect((await directory.edit(dean)).version).toBe(0)
    expect(await directory.save(dean, 0, filledPolicy)).toMatchObject({ changed: { version: 1 } })
    expect(at.rows(`SELECT who, subject FROM audit WHERE what = 'directory.changed'`)).toEqual([
      { who: 'dean', subject: `school ${school}, version 1` },
    ])
    expect(await directory.save(dean, 0, { ...filledPolicy, crisis_numbers: [] })).toMatchObject({
      stale: { version: 1 },
    })
    expect(at.count(`audit WHERE what = 'directory.changed'`)).toBe(1)
  })

  it('of how messages are read is made on whatever others save meanwhile, and audited with its reason', async () => {
    approve()
    open('elsewhere')
    expect(directory.detection(dean)).toEqual(usualDetection)
    const change = { operating_point: 'more_caution', weights: null, why: 'after the spring' } as const
    await directory.save(dean, 0, filledPolicy)
    const save = keeper.station.save.bind(keeper.station)
    let others = 0
    keeper.station.save = async (asked) => {
      if (others++ === 0) await save({ ...asked, by: 'other', policy: { ...filledPolicy, crisis_numbers: [] } })
      return save(asked)
    }
    const kept = await directory.chooseDetection(dean, change)
    const { why, ...choice } = change
    expect(kept).toEqual({ ...choice, chosen: { by: 'dean', at: at.clock.now(), why } })
    expect(keeper.at(school).policy).toMatchObject({ crisis_numbers: [], detection: kept })
    expect(directory.detection(dean)).toEqual(kept)
    expect(at.rows(`SELECT who, subject, why FROM audit WHERE what = 'detection.chosen'`)).toEqual([
      { who: 'dean', subject: `school ${school}, more_caution, weights recommended`, why },
    ])
  })

  it('of how messages are read says why where the station does not keep it, and is not audited then', async () => {
    open('elsewhere')
    const change = { operating_point: 'balanced', weights: null, why: 'a try' } as const
    const save = keeper.station.save.bind(keeper.station)
    keeper.station.save = async () => ({ gaps: [{ path: ['people'], gap: 'Nobody is an admin.' }] })
    await expect(directory.chooseDetection(dean, change)).rejects.toMatchObject({
      code: 'detection_not_saved',
      happened: expect.stringContaining('Nobody is an admin.') as string,
    })
    keeper.station.save = async (asked) => {
      await save({ ...asked, policy: filledPolicy })
      return save(asked)
    }
    await expect(directory.chooseDetection(dean, change)).rejects.toMatchObject({ code: 'detection_not_saved' })
    expect(at.count(`audit WHERE what = 'detection.chosen'`)).toBe(0)
  })

  it('takes its own saving, whose answer was lost, for saved', async () => {
    open('elsewhere')
    await keeper.station.save({ school_id: school, by: 'dean', version: 0, policy: filledPolicy })
    expect(await directory.save(dean, 0, filledPolicy)).toMatchObject({ changed: { version: 1 } })
    await keeper.station.save({ school_id: school, by: 'osei', version: 1, policy: filledPolicy })
    expect(await directory.save(dean, 1, filledPolicy)).toMatchObject({ stale: { version: 2 } })
  })
})

describe('a desk', () => {
  const deskOf = (...people: Person[]) => ({ people, former: [], crisis_numbers: [], time_zone: 'America/Chicago' })

  it('fills a directory that nobody has saved, in its own time zone, and not again', async () => {
    own = deskOf(dean, marlow)
    await open('here').assignmentsSent()
    expect(keeper.at(school)).toMatchObject({ version: 1, changed_by: 'system' })
    const { people, calendar } = keeper.at(school).policy
    expect(people.map(({ id, name, role }) => [id, name, role])).toEqual([
      ['dean', 'A. Dean', 'ADMIN'],
      ['marlow', 'J. Marlow', 'COUNSELOR'],
    ])
    expect(calendar.time_zone).toBe('America/Chicago')
    await directory.assignmentsSent()
    await open('here').assignmentsSent()
    expect(keeper.at(school).version).toBe(1)
  })

  it('follows its accounts in the name of who changed them, and keeps what was typed of them', async () => {
    own = deskOf(dean)
    await open('here').assignmentsSent()
    const kept = keeper.at(school).policy
    const reached = { sms: '+15550100', voice: null, email: null }
    await directory.save(dean, 1, { ...kept, people: kept.people.map((each) => ({ ...each, channels: reached })) })
    own = { ...deskOf({ ...dean, name: 'A. Dean-Ruiz' }, marlow), former: [] }
    change('dean')
    await directory.assignmentsSent()
    expect(keeper.at(school)).toMatchObject({
      version: 3,
      changed_by: 'dean',
      policy: { people: [{ id: 'dean', name: 'A. Dean-Ruiz', channels: reached }, { id: 'marlow' }] },
    })
    own = { ...deskOf(dean), former: ['marlow'] }
    change('dean')
    await directory.assignmentsSent()
    expect(keeper.at(school).policy.people.map(({ id }) => id)).toEqual(['dean'])
  })

  it('still knows after a restart who changed it, and takes nobody else for it', async () => {
    own = deskOf(dean)
    await open('here').assignmentsSent()
    importRoster(row('1', marlow.id))
    failing = away
    own = deskOf(dean, marlow)
    change('osei')
    await directory.assignmentsSent()
    await directory.stop()
    failing = null
    await open('here').assignmentsSent()
    expect(keeper.at(school)).toMatchObject({ version: 2, changed_by: 'osei' })
    expect(keeper.by).toEqual(['dean'])
    // What nobody here did is the desk's own doing, whoever acted last.
    await directory.stop()
    own = deskOf({ ...dean, name: 'A. Dean-Ruiz' }, marlow)
    await open('here').assignmentsSent()
    expect(keeper.at(school)).toMatchObject({ version: 3, changed_by: 'system' })
  })

  it('keeps its own part of what an admin saves', async () => {
    own = { ...deskOf(dean), crisis_numbers: [{ name: 'Front desk', contact: '555-0100' }] }
    await open('here').assignmentsSent()
    await directory.save(dean, 1, { ...filledPolicy, people: [listed('guest', 'A Guest', 'ADMIN')] })
    const { people, crisis_numbers } = keeper.at(school).policy
    expect([people.map(({ id }) => id), crisis_numbers]).toEqual([['guest', 'dean'], own.crisis_numbers])
  })
})

describe('whose students are whose', () => {
  beforeEach(() => keeper.station.save({ school_id: school, by: 'dean', version: 0, policy: filledPolicy }))

  it('is told after the import, by hash and person and nothing else', async () => {
    open('elsewhere')
    importRoster(row('1', marlow.id), row('2', null))
    expect(await directory.assignmentsSent()).toEqual({ waiting: 0, problem: null, sending: false })
    expect(keeper.assignments).toEqual(
      new Map([
        [hashOf('1'), marlow.id],
        [hashOf('2'), null],
      ]),
    )
    expect(keeper.by).toEqual(['dean'])
  })

  it('waits in the database where the station is away, and is told by the next start or the next try', async () => {
    failing = away
    open('elsewhere')
    importRoster(row('1', marlow.id))
    expect(await directory.assignmentsSent()).toEqual({
      waiting: 1,
      problem: { code: 'station_away', happened: 'a', safe: 'b', todo: 'c' },
      sending: false,
    })
    at.clock.advance(seconds(15))
    expect((await directory.assignmentsSent()).waiting).toBe(1)
    failing = null
    at.clock.advance(minutes(10))
    await expect.poll(() => directory.view(dean).assignments).toEqual({ waiting: 0, problem: null, sending: false })
    importRoster(row('2', marlow.id))
    failing = away
    await directory.assignmentsSent()
    await directory.stop()
    failing = null
    expect(await open('elsewhere').assignmentsSent()).toEqual({ waiting: 0, problem: null, sending: false })
    expect(keeper.assignments.get(hashOf('2'))).toBe(marlow.id)
  })

  it('is tried again when the time has come and no sooner, whatever the station says each time', async () => {
    let calls = 0
    const failures = [away, new ConsoleError({ code: 'station_busy', happened: 'x', safe: 'y', todo: 'z' })]
    const reading = keeper.station.read
    keeper.station.read = async () => {
      throw failures[calls++ % 2]
    }
    open('elsewhere')
    importRoster(row('1', marlow.id))
    const tries: number[] = []
    at.changes.listen(({ assignments }) => assignments && tries.push(calls))
    for (const wait of [0, seconds(15), minutes(1), minutes(5), minutes(10)]) {
      const before = tries.length
      at.clock.advance(wait)
      await expect.poll(() => tries.length).toBe(before + 1)
      await settled()
    }
    expect([tries, calls]).toEqual([[1, 2, 3, 4, 5], 5])
    keeper.station.read = reading
    at.clock.advance(minutes(10))
    await expect.poll(() => directory.view(dean).assignments.waiting).toBe(0)
  })

  it('waits for those who are not in the directory yet, and holds up nobody else', async () => {
    open('elsewhere')
    savePerson(at.db, { ...marlow, id: 'new' }, noon)
    importRoster(row('1', 'new'), row('2', marlow.id))
    expect(await directory.assignmentsSent()).toEqual({ waiting: 1, problem: null, sending: false })
    await directory.save(dean, 1, { ...filledPolicy, people: [...filledPolicy.people, listed('new', 'N. New')] })
    at.changes.tell({ policy: true })
    await expect.poll(() => keeper.assignments.get(hashOf('1'))).toBe('new')
  })

  it('is told of thousands in calls of a size that a station takes', async () => {
    open('elsewhere')
    importRoster(...Array.from({ length: 2500 }, (_, index) => row(String(index), marlow.id)))
    expect((await directory.assignmentsSent()).waiting).toBe(0)
    expect(keeper.calls.map((some) => some.length)).toEqual([1000, 1000, 500])
  })

  it('waits in sight where there is no station', async () => {
    open('none')
    importRoster(row('1', marlow.id))
    expect(await directory.assignmentsSent()).toEqual({ waiting: 1, problem: null, sending: false })
  })
})
