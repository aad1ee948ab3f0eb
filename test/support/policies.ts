/** A school's directory and calendar, as tests save it. */
import { usualDetection } from '../../shared/detection.ts'
import { defaultGuide } from '../../shared/guide.ts'
import { usualOnCall, usualSchoolHours } from '../../shared/on-call.ts'
import type { Policy } from '../../shared/policy.ts'
import { school } from './intake-school.ts'

/** A person of a directory. */
export function listed(id: string, changes: Partial<Policy['people'][number]> = {}): Policy['people'][number] {
  const channels = { sms: null, voice: null, email: null }
  return { id, name: `Name of ${id}`, role: 'COUNSELOR', school_ids: [school], channels, ...changes }
}

/** A policy without gaps: an admin, a counselor who can be reached, a calendar. */
export function somePolicy(changes: Partial<Policy> = {}): Policy {
  return {
    people: [
      listed('admin-1', { role: 'ADMIN' }),
      listed('counselor-1', { channels: { sms: '+15550142777', voice: null, email: 'counselor@school.example' } }),
    ],
    calendar: {
      time_zone: 'America/New_York',
      closed: [{ name: 'Winter break', from: '2026-12-20', to: '2027-01-03' }],
      periods: [{ name: 'Period 1', weekday: 1, from: '08:00', to: '08:45' }],
      hours: structuredClone(usualSchoolHours),
    },
    crisis_numbers: [{ name: 'Counseling office', contact: '555-0142' }],
    guide: [...defaultGuide],
    on_call: structuredClone(usualOnCall),
    detection: structuredClone(usualDetection),
    ...changes,
  }
}
