import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../../main/console/alerts/index.ts'
import { createWindows, type Windows } from '../../../../main/console/identity/index.ts'
import {
  createDueReminder,
  createStudentRecords,
  type DueReminder,
  type KeepingAboutStudent,
  type StudentRecords,
} from '../../../../main/console/student-records/index.ts'
import { systemRandomness } from '../../../../main/platform/randomness.ts'
import { hours, minutes, seconds } from '../../../../shared/time.ts'
import { marlow, openRecord, osei, type OpenRecord } from '../../../support/record.ts'
import { crisis, hashOf, noon, school } from '../../../support/wire.ts'

let at: OpenRecord
let windows: Windows
let reminder: DueReminder
let records: StudentRecords
let lifecycle: OpenRecord['lifecycle']
let notified: string[]
const student = { school_id: school, student_hash: hashOf('1') }

beforeEach(() => {
  at = openRecord()
  notified = []
  windows = createWindows(null, at.clock)
  const recording = {
    ...{ db: at.db, eventLog: at.eventLog, changes: at.changes, clock: at.clock, keys: at.keys },
    ...{ randomness: systemRandomness, consoleId: 'console-1', wordsKey: () => null, hasAckQueue: true },
  }
  records = createStudentRecords(recording)
  lifecycle = createLifecycle(recording)
  reminder = createDueReminder({
    ...{ db: at.db, changes: at.changes, clock: at.clock, windows },
    shell: { notify: ({ title, body }) => void notified.push(`${title}. ${body}`) },
    schoolId: () => at.ownSchool.id,
  })
  windows.seat('window', marlow.id)
})
afterEach(() => {
  reminder.stop()
  windows.stop()
  at.close()
})

const said = ['Something you planned is due. My day shows what. Open PsyFlo Console.']
const followUp = (due_at: number, more: Partial<KeepingAboutStudent> = {}): string =>
  records.keep(student, marlow, {
    event_type: 'FOLLOW_UP_SET',
    next_action: 'MARKED words',
    due_at,
    owner: marlow.id,
    owner_name: marlow.name,
    ...more,
  } as KeepingAboutStudent)

describe('a follow-up that becomes due', () => {
  it('is told once, on the second, without a name', () => {
    reminder.start()
    followUp(noon + hours(2))
    at.clock.advance(hours(2) - 1)
    expect(notified).toEqual([])
    at.clock.advance(1)
    expect(notified).toEqual(said)
    at.clock.advance(hours(24))
    followUp(noon + hours(200))
    at.clock.advance(minutes(1))
    expect(notified).toEqual(said)
  })

  it('is told again where it was moved to another time, and not where it was done', () => {
    reminder.start()
    const follow_up = followUp(noon + hours(1))
    at.clock.advance(hours(1))
    followUp(noon + hours(3), { follow_up })
    at.clock.advance(hours(2))
    expect(notified).toEqual([...said, ...said])
    followUp(noon + hours(5), { follow_up })
    records.keep(student, marlow, { event_type: 'FOLLOW_UP_DONE', follow_up, outcome: 'done' })
    at.clock.advance(hours(5))
    expect(notified).toHaveLength(2)
  })

  it('that fell due while nothing ran, or its owner was away, is told once they sit at a window', () => {
    followUp(noon + hours(1), { owner: osei.id, owner_name: osei.name })
    at.clock.advance(hours(15))
    reminder.start()
    at.clock.advance(minutes(5))
    expect(notified).toEqual([])
    windows.seat('another window', osei.id)
    at.clock.advance(seconds(1))
    expect(notified).toEqual(said)
    windows.leave('another window')
    windows.seat('another window', osei.id)
    at.clock.advance(hours(1))
    expect(notified).toEqual(said)
  })
})

describe('a commitment', () => {
  const commit = async (): Promise<string> => {
    await at.receive(crisis({ session_id: 'session-1' }))
    const key = String(at.rows('SELECT key FROM alerts')[0]?.['key'])
    lifecycle.act(key, marlow, { action: 'acknowledged' })
    lifecycle.act(key, marlow, {
      action: 'commitment_made',
      next_action: 'Call home',
      due_at: noon + hours(1),
      owner: marlow.id,
      owner_name: marlow.name,
    })
    return key
  }

  it('about an alert that somebody holds is not told here: it rings by itself', async () => {
    await commit()
    reminder.start()
    at.clock.advance(hours(2))
    expect(notified).toEqual([])
  })

  it('about a resolved alert is told', async () => {
    const key = await commit()
    lifecycle.act(key, marlow, { action: 'resolved', disposition: 'referred', note: 'Done.' })
    reminder.start()
    at.clock.advance(hours(2))
    expect(notified[0]).toEqual(said[0])
  })
})

describe('a sleep of the machine, and a clock that is set', () => {
  it.each([hours(9), -hours(2)])('by %d ms: what is due is said once, within seconds of being due', (jump) => {
    reminder.start()
    followUp(noon + minutes(10))
    at.clock.advance(seconds(2))
    at.clock.jump(jump)
    if (jump < 0) at.clock.advance(-jump)
    at.clock.advance(minutes(10) + seconds(6))
    expect(notified).toEqual(said)
    at.clock.jump(-hours(2))
    at.clock.advance(hours(3))
    expect(notified.length).toBeLessThanOrEqual(2)
  })
})
