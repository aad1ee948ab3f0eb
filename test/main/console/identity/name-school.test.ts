import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameSchool, ownSchool, settleAtStart } from '../../../../main/console/identity/index.ts'
import { retryQuarantined } from '../../../../main/console/event-queue/index.ts'
import { verifyAudit } from '../../../../main/store/console/index.ts'
import { alertCounts, inboxPage, savePerson } from '../../../../main/store/console/index.ts'
import type { Person } from '../../../../shared/people.ts'
import { days, minutes } from '../../../../shared/time.ts'
import { dump, marlow, openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, noon, school } from '../../../support/wire.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
const owner: Person = { id: 'local:me', name: 'me', role: 'COUNSELOR', school_id: '' }

let at: OpenRecord
const running = new AbortController()
beforeEach(() => {
  at = openRecord({ school: '' })
  savePerson(at.db, owner, noon)
})
afterEach(() => at.close())

const settling = (schoolId: string) => ({
  ...{ db: at.db, eventLog: at.eventLog, changes: at.changes, evidenceKey: at.key },
  ...{ schoolId, now: at.clock.now(), consoleId: 'console-1' },
})
const name = (schoolId: string) => {
  nameSchool(settling(schoolId), owner)
  at.ownSchool.id = schoolId
}
const start = async (schoolId: string) => {
  at.ownSchool.id = schoolId
  await settleAtStart({ ...settling(schoolId), clock: at.clock }, running.signal)
}
const inbox = (of: string) =>
  inboxPage(at.db, { school: of, person: 'p', filter: 'all', offset: 0, limit: 100, now: noon })
    .rows.map(({ session_id }) => session_id)
    .sort()
const waiting = () =>
  at.rows('SELECT reason, names_crisis FROM quarantine WHERE ended_at IS NULL ORDER BY names_crisis DESC, id')
const anotherSchool = (names_crisis: number) => ({ reason: 'belongs to another school', names_crisis })

describe('until a school is named', () => {
  it('the alerts of every school are shown and counted, each with its school', async () => {
    await at.receive(
      crisis({ session_id: 'ours' }),
      crisis({ session_id: 'theirs', school_id: otherSchool }),
      crisis({ session_id: 'whose', school_id: undefined }),
    )
    expect(inbox('')).toEqual(['ours', 'theirs', 'whose'])
    expect(alertCounts(at.db, '', 'p', noon)).toMatchObject({ open: 3, unacknowledged: 3 })
    expect(
      inboxPage(at.db, { school: '', person: 'p', filter: 'all', offset: 0, limit: 9, now: noon })
        .rows.map(({ student }) => student.school)
        .sort(),
    ).toEqual(['', school, otherSchool])
    expect(at.count('quarantine')).toBe(0)
  })

  it('no start sets anything aside or gives anything a school', async () => {
    await at.receive(crisis({ school_id: otherSchool }), crisis({ session_id: 'whose', school_id: undefined }))
    const before = dump(at.db)
    await start('')
    expect(dump(at.db)).toEqual(before)
    expect(at.count('quarantine')).toBe(0)
  })
})

describe('naming the school', () => {
  it('is kept, audited, told, and makes those who sit here people of it', async () => {
    await at.receive(crisis())
    name(school)
    expect(ownSchool(at.db, '')()).toBe(school)
    expect(at.rows('SELECT id, school_id FROM people')).toEqual([{ id: owner.id, school_id: school }])
    expect(at.rows('SELECT who, what, subject FROM audit')).toEqual([
      { who: owner.id, what: 'school.name', subject: `school ${school}` },
    ])
    expect(verifyAudit(at.db).ok).toBe(true)
    expect(at.heard.at(-1)).toMatchObject({ every_student: true })
  })

  it('sets other schools’ crises aside in sight from then on, without a restart', async () => {
    name(school)
    await at.receive(
      crisis({ session_id: 'ours' }),
      crisis({ session_id: 'theirs', school_id: otherSchool }),
      analyzed({ session_id: 'also', school_id: otherSchool, tier: 'crisis', level: 'CRISIS', score: 0.97 }),
      analyzed({ session_id: 'calm', school_id: otherSchool }),
    )
    expect(inbox(school)).toEqual(['ours'])
    expect(waiting()).toEqual([anotherSchool(1), anotherSchool(1), anotherSchool(0)])
    expect(at.heard.at(-1)).toMatchObject({ quarantined: { entries: 3, crises: 2 } })
  })

  it('brings in sight what was stored of other schools, each event once, and says how many name a crisis', async () => {
    await at.receive(
      crisis({ session_id: 'ours' }),
      crisis({ session_id: 'theirs', school_id: otherSchool, message_id: 'm1' }),
      analyzed({ session_id: 'theirs', school_id: otherSchool, message_id: 'm2', tier: 'high', score: 0.8 }),
      crisis({ session_id: 'done', school_id: otherSchool }),
    )
    const [done] = at.rows(`SELECT key FROM alerts WHERE session_id = 'done'`)
    at.lifecycle.act(String(done?.['key']), marlow, { action: 'resolved', disposition: 'duplicate', note: 'Twice.' })
    name(school)
    expect(waiting()).toEqual([anotherSchool(1), anotherSchool(0)])
    expect(at.heard.at(-1)).toMatchObject({ quarantined: { entries: 2, crises: 1 } })
    // The same event again counts up, and is no second entry.
    await start(school)
    expect(waiting()).toHaveLength(2)
    expect(at.heard.at(-1)).toMatchObject({ quarantined: { entries: 0, crises: 0 } })
  })

  it('leaves what is resolved where it is, beside an open alert of the same session', async () => {
    const theirs = { session_id: 'theirs', school_id: otherSchool }
    await at.receive(crisis({ ...theirs, at: noon - minutes(60) }), crisis(theirs))
    const [earlier] = at.rows('SELECT key FROM alerts ORDER BY opened_at')
    const resolution = { action: 'resolved', disposition: 'duplicate', note: 'Twice.' } as const
    at.lifecycle.act(String(earlier?.['key']), marlow, resolution)
    name(school)
    expect(waiting()).toEqual([anotherSchool(1)])
  })

  it('takes a roster that was imported before for its own, which named and gave nothing a school until then', async () => {
    await at.receive(crisis({ session_id: 'whose', school_id: undefined }))
    const [{ student_hash } = {}] = at.rows('SELECT student_hash FROM alerts')
    at.db
      .prepare(`INSERT INTO roster VALUES ('', ?, '1', 'Early', '', '', '', NULL, '', 1, 0, NULL, '[]')`)
      .run(student_hash)
    const named = (of: string) =>
      inboxPage(at.db, { school: of, person: 'p', filter: 'all', offset: 0, limit: 9, now: noon }).rows.map(
        ({ student }) => student.name,
      )
    await start('')
    await at.receive(crisis({ session_id: 'whose else', school_id: undefined, student_hash }))
    expect(named('')).toEqual([null, null])
    name(school)
    expect(named(school)).toEqual(['Early', 'Early'])
  })

  it('takes what named no school for its own', async () => {
    await at.receive(crisis({ session_id: 'whose', school_id: undefined }))
    name(school)
    expect(at.rows('SELECT school_id, session_id FROM alerts')).toEqual([{ school_id: school, session_id: 'whose' }])
    expect(at.heard.at(-1)?.alerts).toMatchObject([{ opened: false }])
  })

  it('is done once', () => {
    name(school)
    expect(() => name(otherSchool)).toThrow(expect.objectContaining({ code: 'school_known' }))
    expect(() => nameSchool(settling(otherSchool), marlow)).toThrow(expect.objectContaining({ code: 'school_known' }))
    expect(ownSchool(at.db, '')()).toBe(school)
  })
})

describe('at every start', () => {
  it('what an older version stored and hid comes in sight', async () => {
    await at.receive(crisis({ session_id: 'theirs', school_id: otherSchool }))
    await start(school)
    expect(waiting()).toEqual([anotherSchool(1)])
    expect(inbox(school)).toEqual([])
  })

  it('what a person has dismissed stays dismissed', async () => {
    await at.receive(crisis({ session_id: 'theirs', school_id: otherSchool }))
    await start(school)
    at.db.exec(`UPDATE quarantine SET ended_at = 1, ended_by = 'p', ended_how = 'dismissed'`)
    await start(school)
    expect(waiting()).toEqual([])
  })

  it('what was set aside and turns out to be the console’s own is taken in', async () => {
    at.ownSchool.id = otherSchool
    await at.receive(crisis({ session_id: 'ours' }))
    expect(waiting()).toEqual([anotherSchool(1)])
    await start(school)
    expect(waiting()).toEqual([])
    expect(inbox(school)).toEqual(['ours'])
  })

  it('what is stored and turns out to be the console’s own is no longer set aside', async () => {
    await at.receive(crisis({ session_id: 'ours' }))
    await start(otherSchool)
    expect(waiting()).toEqual([anotherSchool(1)])
    await start(school)
    expect(waiting()).toEqual([])
    expect(at.count('events')).toBe(1)
  })
})

it('reads quarantined bodies again at a start only where the console’s school, the rosters or the program are others', async () => {
  name(school)
  await at.receive(crisis({ session_id: 'theirs', school_id: otherSchool }))
  await start(school)
  // Whatever stood in it now, it is not opened again.
  at.db.prepare('UPDATE quarantine SET raw = ?').run(JSON.stringify(at.key.seal(JSON.stringify(crisis()))))
  await start(school)
  expect(waiting()).toHaveLength(1)
  at.db.exec(`UPDATE settings SET value = 'an older program' WHERE name = 'quarantine_read_by'`)
  await start(school)
  expect(waiting()).toEqual([])
})

it('settles a school in slices, between which others have their turn, until it is stopped', async () => {
  for (const student of ['a', 'b', 'c'])
    await at.receive(...Array.from({ length: 3 }, () => crisis({ session_id: student, school_id: undefined })))
  at.ownSchool.id = school
  // A clock by which everything takes a second.
  let seconds = 0
  const clock = { now: () => 1000 * ++seconds }
  const stopped = new AbortController()
  at.changes.listen(({ alerts }) => alerts.length > 0 && stopped.abort())
  await settleAtStart({ ...settling(school), clock }, stopped.signal)
  expect(at.rows(`SELECT school_id FROM alerts WHERE school_id <> ''`)).toHaveLength(1)
  expect(inbox(school)).toEqual(['a', 'b', 'c'])
  await start(school)
  expect(at.rows(`SELECT school_id FROM alerts WHERE school_id <> ''`)).toHaveLength(3)
})

it('an event of another school that is tried again stays in sight', async () => {
  name(school)
  await at.receive(crisis({ session_id: 'theirs', school_id: otherSchool }))
  const { accepted } = retryQuarantined({ ...settling(school), by: owner }, [1])
  expect(accepted).toBe(0)
  expect(waiting()).toEqual([anotherSchool(1)])
  expect(at.count('events')).toBe(0)
})

it('what was too far ahead of our clock is read at the next start after its time has come nearer', async () => {
  await at.receive(crisis({ at: noon + days(2) }))
  await start(school)
  expect(waiting()).toEqual([{ reason: 'time too far ahead', names_crisis: 1 }])
  at.clock.advance(days(1))
  await start(school)
  expect(waiting()).toEqual([])
  expect(inbox(school)).toEqual(['session-1'])
})
