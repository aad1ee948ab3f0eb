import { describe, expect, it } from 'vitest'
import { arrivalSentence } from '../../../renderer/alerts/arrived-text.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import type { AlertRow } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const now = Date.UTC(2026, 2, 3, 10, 15)
const row = (change: Partial<AlertRow> = {}) => alertRowAt(now, change)
const student = (pseudonym: string) => ({ ...row().student, pseudonym })
const say = (...rows: AlertRow[]) => arrivalSentence(rows, now)

describe('one alert that came', () => {
  it('is said with its student and why', () => {
    expect(say(row())).toBe('New crisis alert: Student AAAA, suicidal intent, hopelessness')
    expect(say(row({ tier: 'high', categories: ['self_harm'] }))).toBe('New alert, high: Student AAAA, self-harm')
  })
  it('says first that it is late, or that it waited here unheard', () => {
    expect(say(row({ late_by_ms: hours(14) }))).toMatch(/^14 hours late\. New crisis alert: Student AAAA/)
    expect(say(row({ received_at: now - minutes(20) }))).toMatch(/^Waiting for 20 minutes\. New crisis alert/)
    expect(say(row({ received_at: now - seconds(30) }))).toMatch(/^New crisis alert/)
  })
  it('is said to be handed over, or back, and by whom, when a colleague held it', () => {
    const held = { state: 'acknowledged', owner: { id: 'a', name: 'A. Rivera' } } as const
    const handed = {
      ...held,
      hand_off_to: { id: 'k', name: 'K. Osei', urgent: false },
      categories: ['self_harm' as const],
    }
    expect(say(row(handed))).toBe('Crisis alert handed to you by A. Rivera: Student AAAA, self-harm')
    expect(say(row({ ...handed, tier: 'high' }))).toBe(
      'Alert, high, handed to you by A. Rivera: Student AAAA, self-harm',
    )
    expect(say(row({ ...held, categories: ['self_harm'] }))).toBe(
      'Hand-off declined, you still hold the alert: Student AAAA, self-harm',
    )
  })
  it('is not called new when it was re-opened', () => {
    expect(
      say(row({ reopened: { at: now, reason: 'worse' }, received_at: now - hours(2), categories: ['self_harm'] })),
    ).toBe('Crisis alert again: Student AAAA, self-harm; reopened: a more serious message came in')
  })
})

describe('several that came together', () => {
  const high = row({ key: 'h', tier: 'high', student: student('BBBB') })
  it('are said crises first, whichever came first', () => {
    expect(say(high, row())).toMatch(/^New crisis alert: Student AAAA.*\. New alert, high: Student BBBB/)
  })
  it('are one sentence and a number when they are more than a few', () => {
    const many = Array.from({ length: 17 }, (_, index) => ({ ...high, key: `h${index}` }))
    expect(say(...many, row())).toBe('New crisis alert: Student AAAA, suicidal intent, hopelessness, and 17 more')
    expect(say(...many, row(), row({ key: 'k2' }))).toMatch(/, and 18 more, 1 of them a crisis$/)
  })
})
