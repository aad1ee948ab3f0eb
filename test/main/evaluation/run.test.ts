import { describe, expect, it } from 'vitest'
import { assessRows, readRows, reportOf, worstOf } from '../../../main/evaluation/index.ts'
import { engine } from '../../evaluation/engine.ts'

/** A stopwatch that moves one millisecond each time it is looked at. */
const stopwatch = (): (() => number) => {
  let now = 0
  return () => (now += 1)
}
const rowsOf = (...rows: object[]) => readRows(rows.map((row) => JSON.stringify(row)).join('\n'))

describe('an evaluation', () => {
  it('counts found and missed per threshold and slice, with intervals', () => {
    const rows = rowsOf(
      { id: 'a', text: 'I want to end my life', tier: 'crisis', slice: 'plain' },
      { id: 'b', text: 'I had a good day today', tier: 'crisis', slice: 'mislabelled' },
      { id: 'c', text: 'I had a good day today', tier: 'ok', slice: 'plain' },
    )
    const report = reportOf(assessRows(engine, rows, stopwatch()))
    expect(report.n).toBe(3)
    expect(report.thresholds.crisis).toMatchObject({ tp: 1, fn: 1, fp: 0, tn: 1, recall: 0.5 })
    expect(report.slices['plain']!.crisis).toMatchObject({ tp: 1, fn: 0, fp: 0, tn: 1, recall: 1 })
    expect(report.latency_ms).toEqual({ p50: 1, p95: 1, p99: 1 })
  })

  it('names the worst misses and false alarms by id', () => {
    const rows = rowsOf(
      { id: 'missed', text: 'I had a good day today', tier: 'crisis' },
      { id: 'alarm', text: 'I want to end my life', tier: 'ok' },
    )
    const { missed, false_alarms } = worstOf(assessRows(engine, rows, stopwatch()))
    expect(missed.map(({ id }) => id)).toEqual(['missed'])
    expect(false_alarms.map(({ id }) => id)).toEqual(['alarm'])
  })

  it('plays the messages before a row, so that the same danger again weighs more', () => {
    const text = 'it would be a permanent solution'
    const [alone, again] = assessRows(
      engine,
      rowsOf(
        { text, tier: 'high' },
        { text, tier: 'high', history: [text, { role: 'assistant', text: 'Tell me more.' }] },
      ),
      stopwatch(),
    )
    expect(alone!.tier).toBe('caution')
    expect(again!.tier).toBe('high')
  })
})
