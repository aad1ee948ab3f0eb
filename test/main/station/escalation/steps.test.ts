import { expect, it } from 'vitest'
import { actionStep, readSteps } from '../../../../main/station/escalation/steps.ts'
import { createReduction } from '../../../../shared/reduction.ts'
import { start, trigger } from '../../../support/alerts.ts'

it('the ladder goes on whatever somebody says for whom nobody vouches', () => {
  const crisis = trigger()
  const stateAfter = (fields: object) => {
    const said = {
      ...{ schema_version: 2, event_type: 'ALERT_ACTION', action: 'acknowledged', idempotency_key: 'a', ack_id: 'a' },
      ...{
        session_id: 'session',
        student_hash: crisis.student_hash,
        alert_key: 'any',
        covers: [crisis.idempotency_key],
      },
      ...{ console_id: 'console-1', by: 'marlow', at: new Date(start).toISOString() },
      timestamp: new Date(start).toISOString(),
    }
    const step = actionStep({ ...said, ...fields })?.step
    const { actions } = readSteps(step ? [step] : [], null)
    const reduction = createReduction()
    reduction.add([crisis], actions)
    return reduction.alerts()[0]?.state
  }
  expect(stateAfter({})).toBe('acknowledged')
  expect(stateAfter({ unvouched: 'unsigned' })).toBe('open')
  expect(stateAfter({ unvouched: 'console not approved' })).toBe('open')
})
