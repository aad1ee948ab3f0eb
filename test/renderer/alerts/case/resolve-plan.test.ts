import { expect, it } from 'vitest'
import { staysOpen, stepsLeft } from '../../../../renderer/alerts/case/resolve-plan.ts'
import type { Commitment } from '../../../../shared/alerts.ts'
import { defaultNextAction } from '../../../../shared/thresholds.ts'
import type { FollowUp, StepView } from '../../../../shared/views.ts'

const owner = { id: 'rivera', name: 'A. Rivera' }
const promised = (id: string, change: Partial<Commitment> = {}): Commitment => ({
  ...{ id, what: id, due_at: 10, owner, plan: false, met: null, made: { at: 0, by_name: owner.name } },
  ...change,
})
const followUp: FollowUp = {
  ...{ id: 'f', what: 'Check in', due_at: 5, owner, set: { at: 0, by: 'a', by_name: owner.name }, alert_key: null },
  student: { school_id: '', student_hash: 'h', pseudonym: '7F3A', name: null, grade: null, class: null },
}

it('commitments and follow-ups that nobody ended stay, by when they are due', () => {
  const done = promised('done', { met: { at: 1, by_name: owner.name } })
  const kept = staysOpen([promised('call home'), done, promised('someday', { due_at: null })], [followUp])
  expect(kept.map(({ id }) => id)).toEqual(['f', 'call home', 'someday'])
})

it('the plan of every acknowledgement ends with the alert; one in words of somebody’s own does not', () => {
  const plan = promised('plan', { plan: true, what: defaultNextAction })
  expect(staysOpen([plan, promised('own', { plan: true })], []).map(({ id }) => id)).toEqual(['own'])
})

it('asks for required steps that nobody has done', () => {
  const step = (id: string, required: boolean, isDone: boolean): StepView => ({
    ...{ id, title: id, hint: '', required },
    done: isDone ? { record: 'r', at: 1, by_name: owner.name, note: null } : null,
  })
  const steps = [step('a', true, true), step('b', true, false), step('c', false, false)]
  expect(stepsLeft({ steps }).map(({ id }) => id)).toEqual(['b'])
})
