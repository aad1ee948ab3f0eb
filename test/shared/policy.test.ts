import { describe, expect, it } from 'vitest'
import { gapsIn, policySchema, type Policy } from '../../shared/policy.ts'

const school = 'school-a'
const admin = {
  id: 'person-1',
  name: 'R. Admin',
  role: 'ADMIN' as const,
  school_ids: [school],
  channels: { sms: null, voice: null, email: null },
}

function policyWith(parts: Partial<Policy['calendar']> & { people?: Policy['people'] } = {}): Policy {
  const { people = [admin], ...calendar } = parts
  return policySchema.parse({
    people,
    calendar: { time_zone: 'America/New_York', closed: [], periods: [], ...calendar },
    crisis_numbers: [],
  })
}

describe('gaps in a policy', () => {
  it('are none where somebody may edit it again and nothing contradicts itself', () => {
    expect(gapsIn(policyWith(), school)).toEqual([])
  })

  it('name a person who is listed twice, or is of other schools alone', () => {
    const elsewhere = { ...admin, id: 'person-2', name: 'K. Osei', school_ids: ['school-b'] }
    expect(gapsIn(policyWith({ people: [admin, admin, elsewhere] }), school)).toEqual([
      { path: ['people', 1, 'id'], gap: 'R. Admin is listed twice.' },
      { path: ['people', 2, 'school_ids'], gap: 'K. Osei is not at this school.' },
    ])
  })

  it('name the lack of an admin', () => {
    expect(gapsIn(policyWith({ people: [{ ...admin, role: 'COUNSELOR' }] }), school)).toEqual([
      { path: ['people'], gap: 'No one is an admin, so no one could change this again.' },
    ])
  })

  it('name days and periods that end before they begin, and periods that overlap', () => {
    const policy = policyWith({
      closed: [{ name: 'Winter break', from: '2026-12-24', to: '2026-12-20' }],
      periods: [
        { name: 'Period 1', weekday: 1, from: '08:00', to: '08:45' },
        { name: 'Period 2', weekday: 1, from: '08:40', to: '09:30' },
        { name: 'Period 1', weekday: 2, from: '08:00', to: '08:00' },
      ],
    })
    expect(gapsIn(policy, school).map(({ gap }) => gap)).toEqual([
      '“Winter break” ends before it starts.',
      '“Period 2” overlaps “Period 1”.',
      '“Period 1” ends before it starts.',
    ])
  })
})

describe('a phone number', () => {
  it.each(['555-0142', '+0155501420', '15550142', '+1555', 'tel:+15550142', '+1555014200000000'])(
    'is refused as %s',
    (sms) => {
      const people = [{ ...admin, channels: { ...admin.channels, sms } }]
      expect(policySchema.shape.people.safeParse(people).success).toBe(false)
    },
  )
})
