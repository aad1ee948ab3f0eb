import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importRoster } from '../../../../main/console/identity/index.ts'
import { createEventLog, schoolsResolved } from '../../../../main/store/console/index.ts'
import { dump, openRecord, type OpenRecord } from '../../../support/record.ts'
import { analyzed, crisis, ended, hashOf, heartbeat, noon, school, started } from '../../../support/wire.ts'

const otherSchool = '99999999-6b1e-4d57-9c2a-8a1d5e6f7a90'
const salt = 'the salt'
const inRoster = (studentId: string) => createHmac('sha256', salt).update(studentId).digest('hex')
const roster = (of: string, ...ids: string[]) =>
  importRoster(at.db, { csv: `id,name\n${ids.map((id) => `${id},Name ${id}\n`).join('')}`, salt }, of, noon)
const unknown = (changes: Record<string, unknown> = {}) => crisis({ school_id: undefined, ...changes })
const schools = () => at.rows('SELECT school_id FROM events ORDER BY seq').map(({ school_id }) => school_id)
const resolve = (own = '') => at.eventLog.append(schoolsResolved(at.db, own, noon))
const rebuilt = () => {
  at.eventLog.rebuild()
  return dump(at.db)
}

let at: OpenRecord
beforeEach(() => (at = openRecord({ school: '' })))
afterEach(() => at.close())

describe('the school of an event', () => {
  it('is its own, whatever the roster and the console say', () => {
    roster(school, '1')
    at.ownSchool.id = school
    at.append(crisis({ school_id: otherSchool, student_hash: inRoster('1') }))
    expect(schools()).toEqual([otherSchool])
  })

  it('is else that of the only roster which knows the student', () => {
    roster(otherSchool, '1')
    at.ownSchool.id = school
    at.append(unknown({ student_hash: inRoster('1') }))
    expect(schools()).toEqual([otherSchool])
  })

  it('is else the console’s own: two rosters that know the student say nothing', () => {
    roster(otherSchool, '1')
    roster(school, '1')
    at.append(unknown({ student_hash: inRoster('1') }))
    at.ownSchool.id = school
    at.append(unknown({ student_hash: inRoster('1') }))
    expect(schools()).toEqual(['', school])
  })

  describe('that is an action without a school', () => {
    const ack = (of: object, changes: object = {}) => {
      const { idempotency_key, session_id, student_hash, timestamp } = of as Record<string, unknown>
      return {
        ...{ event_type: 'ALERT_ACTION', action: 'acknowledged', ack_id: 'a', idempotency_key: 'a', alert_key: 'k' },
        ...{ session_id, student_hash, timestamp, at: timestamp, covers: [idempotency_key], console_id: 'c', by: 'p' },
        ...changes,
      }
    }
    const states = () => at.rows('SELECT school_id, state FROM alerts')

    it('is that of the triggers it covers, while no school is named', async () => {
      const trigger = crisis({ school_id: otherSchool })
      await at.receive(trigger)
      await at.receive(ack(trigger))
      expect(states()).toEqual([{ school_id: otherSchool, state: 'acknowledged' }])
    })

    it('is that of the triggers it came together with, and of those it names by their ids', async () => {
      const trigger = crisis({ school_id: otherSchool })
      await at.receive(ack(trigger), trigger)
      expect(states()).toEqual([{ school_id: otherSchool, state: 'acknowledged' }])
      const [{ id } = {}] = at.rows('SELECT id FROM triggers')
      await at.receive(ack(trigger, { ack_id: 'b', idempotency_key: 'b', trigger_ids: [id] }))
      expect(at.rows('SELECT DISTINCT school_id FROM actions')).toEqual([{ school_id: otherSchool }])
    })

    it('is the own one’s where its triggers are, whatever another school’s roster says', async () => {
      roster(otherSchool, '1')
      at.ownSchool.id = school
      const trigger = crisis({ student_hash: inRoster('1') })
      await at.receive(trigger)
      await at.receive(ack(trigger))
      expect(states()).toEqual([{ school_id: school, state: 'acknowledged' }])
      expect(at.count('quarantine')).toBe(0)
    })

    it('is that of any other event where its triggers are not known', async () => {
      at.ownSchool.id = school
      await at.receive(ack(crisis()))
      expect(schools()).toEqual([school])
    })
  })

  it('is else unknown, and the console’s own is asked at each commit', async () => {
    await at.receive(unknown(), heartbeat({ school_id: undefined }))
    at.ownSchool.id = school
    await at.receive(unknown())
    expect(schools()).toEqual(['', '', school])
  })

  it('stands in the log row with the student, and the body stays as it came', () => {
    at.ownSchool.id = school
    at.append(unknown({ session_id: 's' }))
    expect(at.rows('SELECT school_id, student_hash, body FROM events')).toEqual([
      { school_id: school, student_hash: hashOf('s'), body: expect.not.stringContaining(school) as string },
    ])
  })
})

describe('a school that becomes known later', () => {
  const said = (student: string, message: string, changes: Record<string, unknown> = {}) =>
    analyzed({
      school_id: undefined,
      student_hash: inRoster(student),
      message_id: message,
      tier: 'high',
      score: 0.8,
      sentiment: 0.3,
      markers: [{ marker_type: 'PHQ9_ITEM_2', confidence: 0.9, start: 0, end: 4 }],
      ...changes,
    })

  it('moves everything of the student under the school, and a rebuild gives the same', () => {
    at.append(started({ school_id: undefined, student_hash: inRoster('1'), session_id: 's' }))
    at.append(said('1', 'm1', { session_id: 's' }))
    at.append(unknown({ student_hash: inRoster('1'), session_id: 's', message_id: 'm1' }))
    at.append(ended({ school_id: undefined, student_hash: inRoster('1'), session_id: 's' }))
    at.append(said('2', 'm1', { session_id: 't' }))
    const [before] = at.rows(`SELECT key, first_seen_at FROM alerts WHERE session_id = 's'`)
    roster(school, '1')
    const { alerts, gone, added } = resolve()
    expect(added).toBe(1)
    // The alert is the one it was: nothing opened, nothing merged; it left the unknown school.
    expect(gone).toMatchObject([{ school_id: '' }])
    expect(alerts).toEqual([{ key: before?.['key'], opened: false, reopened: false, worse: false, told: null }])
    for (const table of [
      'sessions',
      'messages',
      'markers',
      'students',
      'student_days',
      'risk_points',
      'triggers',
      'alerts',
      'alert_keys',
    ])
      expect(
        at.rows(`SELECT school_id, count(*) > 0 AS some FROM ${table} GROUP BY school_id ORDER BY school_id`),
        table,
      ).toEqual([
        { school_id: '', some: 1 },
        { school_id: school, some: 1 },
      ])
    expect(at.rows(`SELECT school_id, message_count, ended_at FROM sessions WHERE id = 's'`)).toEqual([
      { school_id: school, message_count: 1, ended_at: noon },
    ])
    const now = dump(at.db)
    expect(rebuilt()).toEqual(now)
    expect(at.rows(`SELECT event_type, origin, school_id FROM events ORDER BY seq DESC LIMIT 1`)).toEqual([
      { event_type: 'SCHOOL_RESOLVED', origin: 'console', school_id: school },
    ])
  })

  it('is noted once, and again only for events of unknown school that came after', () => {
    at.append(said('1', 'm1'))
    expect(resolve(school).added).toBe(1)
    expect(resolve(school).added).toBe(0)
    at.append(said('1', 'm2'))
    expect(resolve(school).added).toBe(1)
    expect(at.rows('SELECT DISTINCT school_id FROM messages')).toEqual([{ school_id: school }])
    expect(at.rows('SELECT messages FROM student_days')).toEqual([{ messages: 2 }])
    const now = dump(at.db)
    expect(rebuilt()).toEqual(now)
  })

  it('takes what was done about the alert along', () => {
    at.append(said('1', 'm1', { session_id: 's' }))
    const [{ key }] = at.rows('SELECT key FROM alerts') as [{ key: string }]
    at.lifecycle.act(key, { id: 'p', name: 'P', role: 'COUNSELOR', school_id: '' }, { action: 'acknowledged' })
    resolve(school)
    expect(at.rows('SELECT school_id, state, owner_id FROM alerts')).toEqual([
      { school_id: school, state: 'acknowledged', owner_id: 'p' },
    ])
    expect(at.lifecycle.find(key)?.school_id).toBe(school)
    const now = dump(at.db)
    expect(rebuilt()).toEqual(now)
  })

  it('leaves the other student of a session that two share, by mistake of a sender, complete', () => {
    at.append(said('1', 'm1', { session_id: 's' }))
    at.append(said('2', 'm2', { session_id: 's' }))
    at.append(said('2', 'm3', { session_id: 't' }))
    roster(school, '1')
    resolve()
    expect(at.rows('SELECT school_id, session_id, message_id FROM messages ORDER BY message_id')).toEqual([
      { school_id: school, session_id: 's', message_id: 'm1' },
      { school_id: '', session_id: 's', message_id: 'm2' },
      { school_id: '', session_id: 't', message_id: 'm3' },
    ])
    expect(at.rows(`SELECT messages FROM student_days WHERE school_id = ''`)).toEqual([{ messages: 2 }])
    expect(at.rows('SELECT school_id, message_count FROM sessions ORDER BY school_id, id')).toEqual([
      { school_id: '', message_count: 1 },
      { school_id: '', message_count: 1 },
      { school_id: school, message_count: 1 },
    ])
    const now = dump(at.db)
    expect(rebuilt()).toEqual(now)
  })

  it('is never told by the queue', async () => {
    const note = { event_type: 'SCHOOL_RESOLVED', idempotency_key: 'k', timestamp: new Date(noon).toISOString(),
      student_hash: inRoster('1'), school_id: school } // prettier-ignore
    await at.receive(note)
    expect([at.count('events'), at.count('quarantine')]).toEqual([0, 1])
  })
})

it('projections that another version wrote are made anew when the log is opened', () => {
  at.append(crisis())
  const before = dump(at.db)
  at.db.exec(`DELETE FROM alerts; UPDATE settings SET value = '1' WHERE name = 'projections_version'`)
  createEventLog(at.db)
  expect(dump(at.db)).toEqual(before)
})
