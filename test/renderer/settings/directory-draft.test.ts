import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  draftOf,
  isChanged,
  mergeDraft,
  problemsOf,
  readDraft,
  type Draft,
} from '../../../renderer/settings/directory-draft.ts'
import type { Policy } from '../../../shared/policy.ts'
import { filledPolicy, listed } from '../../support/policy-station.ts'
import { testSchool } from '../../support/sign-in.ts'

const draft = () => draftOf(filledPolicy)
const read = (of: Draft) => readDraft(of, testSchool)
/** Problems by row and field, the row as its place in the draft. */
const problemsIn = (of: Draft): Record<string, string | null> => {
  const rows = [...of.people, ...of.closed, ...of.periods, ...of.numbers]
  return Object.fromEntries(
    [...read(of).problems].map(([field, problem]) => {
      const row = rows.find(({ key }) => field.startsWith(`${key}.`))
      return [row ? `${row.name}: ${field.split('.')[1]}` : field, problem]
    }),
  )
}
const withPerson = (part: Partial<Draft['people'][number]>): Draft => {
  const { people, ...rest } = draft()
  return { ...rest, people: people.map((person, index) => (index === 0 ? { ...person, ...part } : person)) }
}

describe('what is typed', () => {
  it('is the policy again where nothing was typed, with one line for lessons of several days', () => {
    expect(draft().periods).toMatchObject([{ name: 'First lesson', weekdays: [1, 2, 3] }])
    expect(read(draft())).toEqual({ policy: filledPolicy, problems: new Map() })
    expect(isChanged(draft(), filledPolicy)).toBe(false)
    expect(isChanged(withPerson({ sms: '+1 555 0101' }), filledPolicy)).toBe(true)
  })

  it('may have phone numbers as people write them, and none', () => {
    const written = withPerson({ sms: ' +1 (555) 014-2000', voice: '+49 30\u20111234.567', email: ' ' })
    expect(read(written).policy.people[0]?.channels).toEqual({
      sms: '+15550142000',
      voice: '+49301234567',
      email: null,
    })
  })

  it('is wrong at its field', () => {
    expect(problemsIn(withPerson({ name: 'X', sms: '555-0100', email: 'dean', id: '' }))).toEqual({
      'X: sms': null,
      'X: email': null,
      'X: id': null,
    })
    const { closed, periods, numbers, ...rest } = draft()
    const wrong: Draft = {
      ...rest,
      time_zone: 'Nowhere/Here',
      closed: [
        ...closed.map((row) => ({ ...row, to: '2026-12-01' })),
        { key: 'new', name: 'Open end', from: '', to: '' },
      ],
      periods: [...periods, { key: 'dayless', name: 'Lunch', from: '12:00', to: '12:30', weekdays: [] }],
      numbers: [...numbers, { key: 'number', name: 'Nurse', contact: 'room four' }],
    }
    expect(problemsIn(wrong)).toEqual({
      time_zone: null,
      'Open end: from': null,
      'Open end: to': null,
      'Lunch: weekdays': null,
      'Nurse: contact': null,
    })
  })

  it('says what a policy lacks where its form is right', () => {
    const { periods, ...rest } = draft()
    const overlapping: Draft = {
      ...rest,
      periods: [...periods, { key: 'new', name: 'Choir', from: '08:30', to: '09:00', weekdays: [3, 5] }],
    }
    expect(problemsIn(overlapping)).toEqual({ 'Choir: to': '“Choir” overlaps “First lesson”.' })
    expect(problemsIn({ ...draft(), people: [] })).toEqual({
      people: 'No one is an admin, so no one could change this again.',
    })
    const twice = withPerson({ id: 'marlow' })
    expect(problemsIn({ ...twice, people: twice.people.toReversed() })).toMatchObject({
      'A. Dean: id': 'A. Dean is listed twice.',
    })
  })

  it('takes gaps that the station found to the same fields', () => {
    const of = draft()
    const gaps = [
      { path: ['people', 1, 'channels', 'sms'], gap: 'no text message gets there' },
      { path: ['calendar', 'periods', 2, 'to'], gap: 'too long' },
      { path: ['something', 'new'], gap: 'of a newer station' },
    ]
    expect([...problemsOf(of, gaps)]).toEqual([
      [`${of.people[1]?.key}.sms`, 'no text message gets there'],
      [`${of.periods[0]?.key}.to`, 'too long'],
      ['form', 'of a newer station'],
    ])
  })

  it('leaves out lines in which nothing stands, and takes a day without an end for one day', () => {
    const { closed, periods, numbers, ...rest } = draft()
    const lines: Draft = {
      ...rest,
      closed: [
        { key: '1', name: ' ', from: '', to: '' },
        ...closed,
        { key: '2', name: 'Fair', from: '2026-05-01', to: '' },
      ],
      periods: [{ key: '3', name: '', from: '', to: '', weekdays: [1] }, ...periods],
      numbers: [{ key: '4', name: '', contact: '' }, ...numbers],
    }
    expect(read(lines)).toEqual({
      problems: new Map(),
      policy: {
        ...filledPolicy,
        calendar: {
          ...filledPolicy.calendar,
          closed: [...filledPolicy.calendar.closed, { name: 'Fair', from: '2026-05-01', to: '2026-05-01' }],
        },
      },
    })
  })
})

describe('what somebody else saved meanwhile', () => {
  const person = (id: string, name = id) => listed(id, name)
  const people = (...of: Policy['people']): Policy => ({ ...filledPolicy, people: of })
  const merge = (base: Policy, mine: Policy, theirs: Policy) => {
    const { draft: merged, differences } = mergeDraft(base, draftOf(mine), theirs)
    return { policy: read(merged).policy, differences }
  }

  it('stands beside what was typed, and what both changed is told', () => {
    const base = people(person('dean'), person('osei'), person('reed'), person('ruiz'))
    const mine = people(person('dean', 'Dean, mine'), person('osei'), person('ruiz', 'Ruiz, mine'), person('new'))
    const theirs: Policy = {
      ...people(person('dean', 'Dean, theirs'), person('osei', 'Osei, theirs'), person('reed'), person('other')),
      crisis_numbers: [],
    }
    const { policy, differences } = merge(base, mine, theirs)
    expect(policy.people.map(({ name }) => name)).toEqual(['Dean, mine', 'Osei, theirs', 'Ruiz, mine', 'new', 'other'])
    expect(policy.crisis_numbers).toEqual([])
    expect(differences).toEqual([
      {
        part: 'person',
        what: 'changed',
        name: 'Dean, theirs',
        kept: 'yours',
        field: { of: 'name', theirs: 'Dean, theirs', yours: 'Dean, mine' },
      },
      {
        part: 'person',
        what: 'changed',
        name: 'Osei, theirs',
        kept: 'theirs',
        field: { of: 'name', theirs: 'Osei, theirs', yours: 'osei' },
      },
      { part: 'person', what: 'removed', name: 'ruiz', kept: 'yours' },
      { part: 'person', what: 'added', name: 'other', kept: 'theirs' },
      { part: 'number', what: 'removed', name: 'Counseling office', kept: 'theirs' },
    ])
  })

  it('is kept field by field: their phone beside my e-mail, and both values where we typed into one', () => {
    const of = (part: Partial<Policy['people'][number]['channels']>) =>
      people({ ...person('dean'), channels: { sms: null, voice: null, email: null, ...part } })
    const mine = draftOf(of({ email: 'mine@school.test', voice: '+15550101' }))
    const {
      draft: merged,
      differences,
      theirs,
    } = mergeDraft(of({}), mine, of({ sms: '+15550100', voice: '+15550102' }))
    expect(merged.people[0]).toMatchObject({ sms: '+15550100', voice: '+15550101', email: 'mine@school.test' })
    expect(differences.map(({ kept, field }) => [kept, field])).toEqual([
      ['theirs', { of: 'sms', theirs: '+15550100', yours: '' }],
      ['yours', { of: 'voice', theirs: '+15550102', yours: '+15550101' }],
    ])
    expect([...theirs]).toEqual([[`${merged.people[0]?.key}.voice`, '+15550102']])
  })

  it('makes no second line of one that both changed, and leaves one of the same name alone', () => {
    const days = (...of: [string, string, string][]): Policy => ({
      ...filledPolicy,
      calendar: { ...filledPolicy.calendar, closed: of.map(([name, from, to]) => ({ name, from, to })) },
    })
    const fair: [string, string, string] = ['Fair', '2026-05-01', '2026-05-01']
    const base = days(fair, ['Break', '2026-12-21', '2026-12-31'], ['Fair', '2026-09-01', '2026-09-01'])
    const mine = days(fair, ['Break', '2026-12-21', '2027-01-02'], ['Fair', '2026-09-01', '2026-09-02'])
    const theirs = days(fair, ['Break', '2026-12-20', '2027-01-04'], ['Fair', '2026-09-01', '2026-09-01'])
    const { draft: merged, differences, theirs: beside } = mergeDraft(base, draftOf(mine), theirs)
    expect(read(merged).policy.calendar.closed).toEqual(
      days(fair, ['Break', '2026-12-20', '2027-01-02'], ['Fair', '2026-09-01', '2026-09-02']).calendar.closed,
    )
    expect(differences.map(({ name, kept, field }) => [name, kept, field?.of])).toEqual([
      ['Break', 'theirs', 'from'],
      ['Break', 'yours', 'to'],
    ])
    expect([...beside]).toEqual([[`${merged.closed[1]?.key}.to`, '2027-01-04']])
  })

  it('has lessons of several days in one line, and their end of one day beside it', () => {
    const lessons = (to: string, weekdays: number[]): Policy => ({
      ...filledPolicy,
      calendar: {
        ...filledPolicy.calendar,
        periods: weekdays.map((weekday) => ({ name: 'First', weekday, from: '08:00', to })),
      },
    })
    const { draft: merged, theirs } = mergeDraft(
      lessons('08:45', [1, 2]),
      draftOf(lessons('08:50', [1, 2])),
      lessons('08:55', [1, 2]),
    )
    expect(merged.periods).toMatchObject([{ name: 'First', weekdays: [1, 2], to: '08:50' }])
    expect([...theirs]).toEqual([[`${merged.periods[0]?.key}.to`, '08:55']])
  })

  it('tells that crisis numbers stand in another order, and keeps theirs where I moved none', () => {
    const numbers = (...names: string[]): Policy => ({
      ...filledPolicy,
      crisis_numbers: names.map((name) => ({ name, contact: '555-0100' })),
    })
    const reordered = { part: 'number', what: 'reordered', name: '' }
    const theirs = merge(numbers('a', 'b'), numbers('a', 'b', 'c'), numbers('b', 'a'))
    expect(theirs.policy.crisis_numbers.map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect(theirs.differences).toEqual([{ ...reordered, kept: 'theirs' }])
    const mine = merge(numbers('a', 'b', 'c'), numbers('c', 'a', 'b'), numbers('b', 'a', 'c'))
    expect(mine.policy.crisis_numbers.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    expect(mine.differences).toEqual([{ ...reordered, kept: 'yours' }])
  })

  it('is everything where nothing was typed, and nothing where it is the same', () => {
    const ids = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd'))
    const policies = fc.record({ ids, zone: fc.constantFrom('UTC', 'Europe/Berlin'), name: fc.constantFrom('x', 'y') })
    const made = policies.map(({ ids: of, zone, name }): Policy => ({
      ...people(...of.map((id) => person(id, `${id}${name}`))),
      calendar: { ...filledPolicy.calendar, time_zone: zone },
    }))
    const sorted = ({ people: of, ...rest }: Policy) => ({
      ...rest,
      people: of.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    })
    fc.assert(
      fc.property(made, made, made, (base, mine, theirs) => {
        expect(sorted(merge(base, base, theirs).policy)).toEqual(sorted(theirs))
        expect(merge(base, mine, base)).toMatchObject({ policy: mine, differences: [] })
        expect(merge(base, mine, mine)).toMatchObject({ differences: [] })
        const merged = merge(base, mine, theirs).policy.people.map(({ id }) => id)
        const before = new Set(base.people.map(({ id }) => id))
        for (const { id } of [...mine.people, ...theirs.people]) if (!before.has(id)) expect(merged).toContain(id)
        expect(new Set(merged).size).toBe(merged.length)
      }),
    )
  })
})
