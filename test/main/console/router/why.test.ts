import { describe, expect, it } from 'vitest'
import type { Alert } from '../../../../shared/alerts.ts'
import type { TriggerView } from '../../../../shared/views.ts'
import { why as bothOf } from '../../../../main/console/router/why.ts'
import { decidedOnSentences } from '../../../../shared/risk-words.ts'

const alert = { categories: ['suicidal_ideation'], about_other: false } as unknown as Alert
const trigger = (signals: TriggerView['signals'], decided_by: TriggerView['decided_by'] = 'floor'): TriggerView =>
  ({ tier: 'crisis', score: 0.95, decided_by, signals }) as TriggerView

const why = (...of: Parameters<typeof bothOf>): string => bothOf(...of).decided

describe('why there is an alert, in one sentence', () => {
  it('names explicit words where a listed phrase was found', () => {
    expect(why(alert, [trigger({ regex: 0.95, clinical: 0.95 })])).toContain('Decided by explicit words')
  })
  it('names the wording where no listed phrase was found', () => {
    const said = why(alert, [trigger({ regex: 0, clinical: 0.95 })])
    expect(said).toContain('the wording of the message as a whole')
    expect(said).not.toContain('explicit words')
  })
  it('names the wording where a clinical service saw nothing, or failed', () => {
    expect(why(alert, [trigger({ regex: 0, clinical: 0 })])).toContain('the wording of the message as a whole')
    expect(why(alert, [trigger({ regex: 0.7, clinical: null })])).toContain('the wording of the message as a whole')
  })
  it('is the sentence of the evidence that decided, where that is named; what was found stands apart', () => {
    const named = { ...trigger({ regex: 0.95 }), decided_on: 'jest' } as TriggerView
    expect(bothOf(alert, [named])).toEqual({
      decided: decidedOnSentences.jest,
      found: 'The student’s words match suicidal ideation.',
    })
    expect(bothOf(alert, [])).toEqual({ decided: 'The student’s words match suicidal ideation.', found: '' })
  })
  it('claims no clarity of what is less than a crisis', () => {
    const high = { ...trigger({ regex: 0.85, clinical: 0.85 }), tier: 'high' } as TriggerView
    expect(why(alert, [high])).toContain('may be a joke')
  })
  it('says so when the sender gave no signals', () => {
    expect(why(alert, [trigger(null, null)])).toContain('without the signals behind it')
  })
})
