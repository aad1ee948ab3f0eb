import { expect, it } from 'vitest'
import { coverageView, type Listed } from '../../../main/console/who-would-be-told.ts'

const listed = (id: string, role: Listed['role']): Listed => ({ id, name: `Name of ${id}`, role })
const people = [
  ...['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => listed(id, 'COUNSELOR')),
  ...['a1', 'a2'].map((id) => listed(id, 'ADMIN')),
  listed('p1', 'CLINICIAN'),
]
const told = (...to: string[]) =>
  coverageView({ rungs: [{ after_s: 300, to, channels: ['sms'] }], policy_version: 1 }, people).rungs[0]?.told
const person = (id: string) => ({ kind: 'person', name: `Name of ${id}` })

it('names up to three people, and of more how many they are', () => {
  expect(told('c1', 'c2', 'a1')).toEqual([person('c1'), person('c2'), person('a1')])
  expect(told('c1', 'c2', 'c3', 'a1')).toEqual([{ kind: 'people', count: 4 }])
})

it('names a role whose every member is told, and not a role of one', () => {
  expect(told('c1', 'c2', 'c3', 'c4', 'c5', 'a1', 'a2')).toEqual([
    { kind: 'role', role: 'COUNSELOR' },
    { kind: 'role', role: 'ADMIN' },
  ])
  expect(told('a1', 'p1', 'a2')).toEqual([person('p1'), { kind: 'role', role: 'ADMIN' }])
})

it('names the counselor of the student, and nobody by an id', () => {
  expect(told('assigned')).toEqual([{ kind: 'assigned' }])
  expect(told('assigned', 'c1', 'unknown-id', 'another-id')).toEqual([
    { kind: 'assigned' },
    person('c1'),
    { kind: 'people', count: 2 },
  ])
})

it('counts those whom the heartbeat had no room to name', () => {
  const more = (to: string[], count: number) =>
    coverageView({ rungs: [{ after_s: 0, to, more: count, channels: ['sms'] }], policy_version: 1 }, people).rungs[0]
      ?.told
  expect(more(['c1', 'c2', 'p1', 'a1'], 1_980)).toEqual([{ kind: 'people', count: 1_984 }])
  expect(more(['a1', 'a2'], 5)).toEqual([
    { kind: 'people', count: 5 },
    { kind: 'role', role: 'ADMIN' },
  ])
})

it('keeps when a rung comes, and when the next gap does', () => {
  const coverage = { rungs: [{ after_s: 300, to: ['c1'], channels: [] }], next_gap: 7, policy_version: 1 }
  expect(coverageView(coverage, people)).toMatchObject({ rungs: [{ after_s: 300 }], next_gap: 7 })
  expect(coverageView({ rungs: [], policy_version: 1 }, [])).toEqual({ rungs: [], next_gap: null })
})
