import { describe, expect, it } from 'vitest'
import { estimate, historySignal } from '../../../../main/analysis/signals/index.ts'
import { days } from '../../../../shared/time.ts'

const at = Date.UTC(2026, 0, 31)
const mark = (
  marker_type: 'PHQ9_ITEM_2' | 'PHQ9_ITEM_9' | 'PHQ9_ITEM_4' | 'GAD7_ITEM_1',
  ago: number,
  confidence = 0.7,
) => ({ marker_type, confidence, at: at - days(ago) })
const dayStarts = (...ago: number[]): number[] => ago.map((n) => at - days(n))
const item = (view: ReturnType<typeof estimate>, name: string) =>
  view.items.find(({ marker_type }) => marker_type === name)!

describe('an estimate', () => {
  it('without evidence knows nothing, and says unknown rather than 0', () => {
    const view = estimate('phq9', [], [], at, 30)
    expect(view).toMatchObject({ estimate: 0, known_items: 0, band: 'minimal', days_with_messages: 0 })
    expect(view.items.every(({ score }) => score === null)).toBe(true)
  })
  it('gives ⌊confidence × 3⌋ of the surest marker', () => {
    expect(
      item(
        estimate('phq9', [mark('PHQ9_ITEM_2', 1), mark('PHQ9_ITEM_2', 2, 0.4)], dayStarts(1, 2, 3, 4, 5, 6), at, 30),
        'PHQ9_ITEM_2',
      ),
    ).toMatchObject({ by_confidence: 2, by_frequency: 1, score: 2 })
    expect(item(estimate('phq9', [mark('PHQ9_ITEM_9', 1, 1)], dayStarts(1), at, 30), 'PHQ9_ITEM_9').score).toBe(3)
  })
  it('gives 2 for half of the days with messages, 3 for four fifths', () => {
    const low = (ago: number) => mark('PHQ9_ITEM_4', ago, 0.3)
    const of = (marks: number[], messages: number[]) =>
      item(estimate('phq9', marks.map(low), dayStarts(...messages), at, 30), 'PHQ9_ITEM_4').by_frequency
    expect(of([1], [1, 2, 3])).toBe(1)
    expect(of([1, 2], [1, 2, 3, 4])).toBe(2)
    expect(of([1, 2], [1, 2])).toBe(2)
    expect(of([1, 2, 3, 4], [1, 2, 3, 4, 5])).toBe(3)
    expect(of([1, 2], [1, 2, 3, 4, 5])).toBe(1)
  })
  it('looks at its window only', () => {
    expect(estimate('phq9', [mark('PHQ9_ITEM_2', 20)], dayStarts(20), at, 14).known_items).toBe(0)
    expect(estimate('phq9', [mark('PHQ9_ITEM_2', 20)], dayStarts(20), at, 30).known_items).toBe(1)
  })
  it('counts a day with evidence that the list of days does not hold', () => {
    expect(estimate('gad7', [mark('GAD7_ITEM_1', 2)], [], at, 30).estimate).toBe(2)
  })
})

describe('the history signal', () => {
  const many = (ago: number, count: number) =>
    (['PHQ9_ITEM_2', 'PHQ9_ITEM_4', 'PHQ9_ITEM_9'] as const).slice(0, count).map((name) => mark(name, ago, 1))
  it('is 0 without markers of the PHQ-9 in 30 days', () => {
    expect(historySignal([], at)).toEqual({ value: 0, trend: 'unknown' })
    expect(historySignal([mark('GAD7_ITEM_1', 1), mark('PHQ9_ITEM_2', 40)], at).value).toBe(0)
  })
  it('does not take silence for improvement', () => {
    expect(historySignal(many(10, 3), at)).toEqual({ value: 0.1667, trend: 'unknown' })
  })
  it('tells declining, improving and stable', () => {
    expect(historySignal([...many(2, 3), ...many(10, 1)], at)).toEqual({ value: 0.2667, trend: 'declining' })
    expect(historySignal([...many(2, 1), ...many(10, 3)], at)).toEqual({ value: 0.0667, trend: 'improving' })
    expect(historySignal([...many(2, 2), ...many(10, 2)], at)).toEqual({ value: 0.1111, trend: 'stable' })
  })
})
