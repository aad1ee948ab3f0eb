import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { countdown, holderText, reopenedByText, whyText } from '../../../renderer/alerts/row-text.ts'
import { showTimesIn } from '../../../renderer/controls/time-text.ts'
import { hours, minutes, seconds } from '../../../shared/time.ts'
import type { ActionView, AlertRow } from '../../../shared/views.ts'
import { alertRowAt } from '../../support/alert-row.ts'

const now = Date.UTC(2026, 2, 3, 10, 15)
beforeAll(() => showTimesIn('UTC', 'en-US-u-hc-h23'))

const row = (change: Partial<AlertRow> = {}) => alertRowAt(now, change)

describe('the line that says why', () => {
  it('names categories in plain words', () => {
    expect(whyText(row())).toBe('suicidal intent, hopelessness')
  })
  it('says first that it is about someone else', () => {
    expect(whyText(row({ about_other: true, categories: ['self_harm'] }))).toBe('about someone else: self-harm')
  })
  it('has words without a category', () => {
    expect(whyText(row({ categories: [] }))).toBe('high overall risk, no specific reason given')
  })
})

describe('the countdown to five minutes', () => {
  it('runs down while nobody has acknowledged, then counts what is over', () => {
    expect(countdown(row(), now + seconds(42))).toEqual({ text: 'acknowledge within 4:18', over: false })
    expect(countdown(row(), now + minutes(5) + seconds(80))).toEqual({ text: 'Overdue by 1:20', over: true })
    expect(countdown(row(), now + hours(14))?.text).toBe('Overdue by 13 h')
  })
  it('gives nobody more than that, and says no time below zero, wherever a clock was set to', () => {
    expect(countdown(row(), now - hours(2))).toEqual({ text: 'acknowledge within 5:00', over: false })
    fc.assert(
      fc.property(fc.integer({ min: -hours(30), max: hours(90) }), (jump) => {
        const shown = countdown(row(), now + jump)
        expect(shown?.text).not.toMatch(/-|NaN/)
        expect(shown?.over).toBe(jump > minutes(5))
      }),
    )
  })
  it('begins again when the alert is opened again', () => {
    const reopened = row({ reopened: { at: now + minutes(30), reason: 'by a person' } })
    expect(countdown(reopened, now + minutes(30) + seconds(42))).toEqual({
      text: 'acknowledge within 4:18',
      over: false,
    })
    expect(countdown(reopened, now + minutes(36))).toEqual({ text: 'Overdue by 1:00', over: true })
  })
  it('is silent once somebody holds the alert', () => {
    expect(countdown(row({ state: 'acknowledged' }), now)).toBeNull()
    expect(countdown(row({ only_past: true }), now + hours(14))).toBeNull()
    expect(holderText(row({ only_past: true }), 'me', now)).toBe('imported, no deadline')
  })
})

describe('who holds it', () => {
  const held = row({ state: 'acknowledged', owner: { id: 'p1', name: 'A. Rivera' }, due_at: now + minutes(15) })
  it('tells me from others, and a due time from a missed one', () => {
    expect(holderText(held, 'p1', now)).toBe('you hold it · due 10:30')
    expect(holderText(held, 'p2', now + minutes(20))).toBe('A. Rivera holds it · due 5 min ago')
  })
  it('gives the day of a due time that is not today', () => {
    const tomorrow = { ...held, due_at: now + hours(14) }
    expect(holderText(tomorrow, 'p1', now)).toBe('you hold it · due Mar 4, 00:15')
  })
  it('keeps the giver until a hand-off is accepted', () => {
    const given = { ...held, hand_off_to: { id: 'p2', name: 'K. Osei', urgent: false } }
    expect(holderText(given, 'p1', now)).toBe('A. Rivera → waiting for K. Osei')
    expect(holderText(given, 'p2', now)).toBe('A. Rivera handed it to you')
  })
  it('says nothing while nobody holds it', () => {
    expect(holderText(row(), 'p1', now)).toBeNull()
  })
})

it('says of what was opened again by whom, the reader among others, and else why', () => {
  const action = { kind: 'reopened', at: now, by: 'p1', by_name: 'A. Rivera', applied: true } as ActionView
  const reopened = { at: now, reason: 'by a person' as const }
  expect(reopenedByText({ reopened, actions: [action] }, 'p1')).toBe('reopened by you')
  expect(reopenedByText({ reopened, actions: [action] }, 'p2')).toBe('reopened by A. Rivera')
  expect(reopenedByText({ reopened, actions: [] }, 'p2')).toBe('reopened')
  expect(reopenedByText({ reopened: { at: now, reason: 'due time passed' }, actions: [action] }, 'p1')).toBe(
    'reopened: the due time passed',
  )
  expect(reopenedByText({ reopened: null, actions: [] }, 'p1')).toBeNull()
})
