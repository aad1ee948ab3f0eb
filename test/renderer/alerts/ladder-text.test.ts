import { describe, expect, it } from 'vitest'
import { handOffWaits, isHandOffWaiting, nextText, stepText, toldText } from '../../../renderer/alerts/ladder-text.ts'
import { showTimesIn } from '../../../renderer/controls/index.ts'
import { minutes, seconds } from '../../../shared/time.ts'
import type { NotificationView } from '../../../shared/views.ts'

showTimesIn('UTC', 'en-GB')
const now = Date.UTC(2026, 0, 20, 10, 16)

const told = (change: Partial<NotificationView> = {}): NotificationView => ({
  ...{ id: 'd', escalated: false, layer: 1, rung: 0, channel: 'sms', to_name: 'A. Rivera', at: now },
  ...{ outcome: 'delivered', outcome_at: now + seconds(3), reason: null, late_by_ms: null },
  ...change,
})

describe('the next step', () => {
  it('is counted down in a row, is on its way for a moment, and is late after that', () => {
    expect(stepText({ next_step_at: now + seconds(258) }, now, 'station')).toBe('escalates in 4:18')
    expect(stepText({ next_step_at: now - seconds(4) }, now, 'station')).toBe('escalating now')
    expect(stepText({ next_step_at: now - seconds(40) }, now, 'station')).toBe('next step 0:40 late')
    expect(stepText({ next_step_at: null }, now, 'station')).toBeNull()
  })

  it('is counted down only where somebody runs the ladder, and where that is known', () => {
    const row = { next_step_at: now + seconds(258) }
    expect(stepText(row, now, 'off')).toBeNull()
    expect(stepText(row, now, 'unknown')).toBe('escalation not known')
    expect(stepText({ next_step_at: null }, now, 'unknown')).toBeNull()
    const ladder = { next: { at: now + minutes(9), who: ['K. Osei'] } }
    expect(nextText(ladder, now, 'off')).toBeNull()
    expect(nextText(ladder, now, 'unknown')).toBe('Not known now whether anyone is told next, or when.')
  })

  it('names whom it tells; many are counted', () => {
    const at = now + minutes(9)
    const next = (...who: string[]) => nextText({ next: { at, who } }, now, 'station')
    expect(next('K. Osei')).toBe('K. Osei is told next, at 10:25 (in 9:00)')
    expect(next('K. Osei', 'A. Rivera')).toBe('K. Osei, A. Rivera are told next, at 10:25 (in 9:00)')
    expect(next('a', 'b', 'c', 'd')).toBe('4 people are told next, at 10:25 (in 9:00)')
    expect(next()).toBe('The next people are told at 10:25 (in 9:00)')
    expect(nextText({ next: { at: now - minutes(1), who: ['K. Osei'] } }, now, 'station')).toContain('(1:00 late)')
    expect(nextText({ next: null }, now, 'station')).toBeNull()
  })
})

describe('what was done', () => {
  it('says who was told how, when that was certain, and why it failed', () => {
    expect(toldText(told(), now)).toBe('A. Rivera by text 10:16:03: delivered')
    expect(toldText(told({ outcome: 'attempted' }), now)).toBe('A. Rivera by text 10:16:00: sent, no answer yet')
    expect(toldText(told({ channel: 'voice', outcome: 'failed', reason: 'no answer' }), now)).toBe(
      'A. Rivera by phone call 10:16:00: failed, no answer from the provider',
    )
    expect(toldText(told({ to_name: null, outcome: 'failed', reason: 'EAUTH' }), now)).toBe(
      'Someone on call by text 10:16:00: failed, EAUTH',
    )
  })

  it('names a rung by its place from one, why it told nobody, and how late it was', () => {
    const step = { escalated: true, channel: 'ladder', rung: 1 }
    expect(toldText(told(step), now)).toBe('Step 2 at 10:16:00')
    expect(toldText(told({ ...step, reason: 'nobody assigned' }), now)).toBe(
      'Step 2 at 10:16:00: no counselor is assigned',
    )
    expect(toldText(told({ ...step, late_by_ms: minutes(14) }), now)).toBe('Step 2 at 10:16:00 (14 min late)')
    expect(toldText(told({ ...step, late_by_ms: 0 }), now)).toBe('Step 2 at 10:16:00 (late)')
  })
})

it('several reasons are said behind each other, and a console that showed nothing is no provider', () => {
  const step = { escalated: true, rung: 0, reason: 'nobody assigned, away' }
  expect(toldText(told(step), now)).toBe('Step 1 at 10:16:00: no counselor is assigned; they are away')
  expect(toldText(told({ channel: 'desktop', outcome: 'failed', reason: 'no answer' }), now)).toBe(
    'A. Rivera at the console 10:16:00: failed, no console showed it',
  )
  expect(toldText(told({ ...step, reason: 'opened again: worse' }), now)).toContain('the alert was opened again')
})

describe('an urgent hand-off that is not answered', () => {
  const handed = {
    ...{ to: 'o', to_name: 'K. Osei', by: 'r', by_name: 'A. Rivera', at: now - seconds(28), urgent: true },
  }
  const alert = (change: Partial<Parameters<typeof handOffWaits>[0]> = {}) => ({
    ...{ state: 'acknowledged' as const, hand_off: handed, ladder: { told: [], next: null } },
    ...change,
  })
  it('says whom it waits for, until when, and who is told then; nothing beside it says otherwise', () => {
    const waits = (...who: string[]) =>
      handOffWaits(alert({ ladder: { told: [], next: { at: now, who } } }), now, 'station')
    expect(waits('A. Dean')).toBe('K. Osei has until 10:17 (1:32 left) to accept; if not, A. Dean is told.')
    expect(waits('A. Dean', 'B. Lee')).toContain('if not, A. Dean, B. Lee are told.')
    expect(waits('a', 'b', 'c', 'd')).toContain('if not, 4 people are told.')
    expect(waits('K. Osei', 'A. Dean')).toContain('if not, A. Dean is told.')
    expect(waits('K. Osei')).toContain('if not, the next people are told.')
    expect(isHandOffWaiting(alert(), now, 'station')).toBe(true)
    expect(isHandOffWaiting(alert(), now + minutes(2), 'station')).toBe(false)
    expect(isHandOffWaiting(alert({ state: 'open', hand_off: null }), now, 'station')).toBe(false)
  })

  it('counts the two minutes down, and says what happened after them', () => {
    expect(handOffWaits(alert(), now, 'station')).toContain('(1:32 left) to accept; if not, the next people are told.')
    expect(handOffWaits(alert(), now + minutes(2), 'station')).toContain('has not answered for 2 min')
    const wentOn = told({ escalated: true, reason: 'hand-off not accepted', at: now + seconds(93) })
    const ladder = { told: [told({ ...wentOn, at: now - minutes(9) }), wentOn], next: null }
    expect(handOffWaits(alert({ ladder }), now + minutes(3), 'station')).toBe(
      'K. Osei did not answer within 2 minutes. The next people were told at 10:17.',
    )
  })
  it('promises nothing where nothing escalates, and denies nothing where that is not known', () => {
    expect(handOffWaits(alert(), now, 'off')).toContain('Nothing here tells anyone else')
    expect(handOffWaits(alert(), now, 'unknown')).toContain('Not known whether anyone else is told')
  })
  it('is none once it was answered, and where it is not urgent', () => {
    expect(handOffWaits(alert({ hand_off: null }), now, 'station')).toBeNull()
    expect(handOffWaits(alert({ hand_off: { ...handed, urgent: false } }), now, 'station')).toBeNull()
    expect(handOffWaits(alert({ state: 'resolved' }), now, 'station')).toBeNull()
  })
})
