import { describe, expect, it } from 'vitest'
import { firstCall } from '../../../renderer/alerts/first-call.ts'
import { whereText } from '../../../renderer/alerts/where-text.ts'
import { words } from '../../../renderer/words/index.ts'
import type { Guardian } from '../../../shared/guardians.ts'

const lesson = { kind: 'lesson', subject: 'Biology', room: 'room 208', period: '3', until: 1, changes_at: 1 } as const
const said = (where: Parameters<typeof whereText>[0]) => whereText(where, words.alerts.who.now, () => '10:45')

describe('where a student is now', () => {
  it('says what the timetable says, and that it says so', () => {
    expect(said(lesson)).toBe('Now: Biology, room 208 (timetable, period 3, until 10:45)')
    expect(said({ ...lesson, period: 'Lunch A', room: '' })).toBe('Now: Biology (timetable, Lunch A, until 10:45)')
    expect(said({ ...lesson, period: null })).toBe('Now: Biology, room 208 (timetable, until 10:45)')
    expect(said({ kind: 'no lesson', changes_at: 1 })).toBe('No class right now (timetable).')
    expect(said({ kind: 'closed', name: 'Winter break', changes_at: 1 })).toBe('No school today: Winter break.')
  })

  it('says nothing where no timetable does', () => {
    expect(said({ kind: 'unknown', changes_at: 1 })).toBeNull()
  })
})

describe('the first call', () => {
  const guardian = (name: string, changes: Partial<Guardian> = {}): Guardian => ({
    ...{ name, relation: '', language: '', email: '', do_not_contact: null },
    phones: [{ written: '555-0142', e164: null }],
    ...changes,
  })

  it('is the first guardian who may be contacted and can be called', () => {
    const guardians = [
      guardian('forbidden', { do_not_contact: '' }),
      guardian('no number', { phones: [] }),
      guardian('words', { phones: [{ written: 'at work', e164: null }] }),
      guardian('mother'),
      guardian('father'),
    ]
    const emergency = [{ name: 'Emergency services', contact: '911' }]
    expect(firstCall({ guardians, emergency, school: [] })).toMatchObject({
      guardian: { of: { name: 'mother' }, phone: { written: '555-0142' } },
      emergency: { phone: { written: '911' } },
    })
  })

  it('is nobody’s where every guardian must not be contacted', () => {
    const guardians = [guardian('one', { do_not_contact: 'court order' })]
    expect(firstCall({ guardians, emergency: [], school: [] })).toEqual({ guardian: null, emergency: null })
  })
})
