import { describe, expect, it } from 'vitest'
import { assessRows, printReport, readRows, reportOf, worstOf } from '../../../main/evaluation/index.ts'
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
    const text = 'i am checking out early'
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

  it('counts item markers found and missed, by item and all together, apart from tiers', () => {
    const rows = rowsOf(
      { text: 'i cant sleep at night', markers: ['PHQ9_ITEM_3'] },
      { text: 'the bus was late', markers: ['PHQ9_ITEM_3'] },
      { text: 'i have insomnia and i am exhausted', markers: ['PHQ9_ITEM_3'], tier: 'ok' },
      { text: 'we had tacos', markers: [] },
      { text: 'i feel worthless', label: 0 },
    )
    const report = reportOf(assessRows(engine, rows, stopwatch()))
    expect(report.n).toBe(5)
    const { tp, fn, fp, tn } = report.thresholds.crisis
    expect(tp + fn + fp + tn).toBe(2)
    expect(report.markers!.items.PHQ9_ITEM_3).toEqual({ recall: 0.6667, precision: 1, n: 3 })
    expect(report.markers!.items.PHQ9_ITEM_4).toEqual({ recall: null, precision: 0, n: 0 })
    expect(report.markers!.items.PHQ9_ITEM_6).toEqual({ recall: null, precision: null, n: 0 })
    expect(report.markers!.micro).toEqual({ recall: 0.6667, precision: 0.6667, n: 3 })
    const printed = printReport(report)
    expect(printed).toMatch(/Item markers +recall +66\.7% +precision +66\.7% +\(3 expected\)/)
    expect(printed).toMatch(/PHQ9_ITEM_3 +recall +66\.7%.*Sleep/)
    expect(printed).not.toContain('PHQ9_ITEM_6')
  })

  it('says nothing of markers where no row does, and calls no row without a tier a miss', () => {
    const report = reportOf(assessRows(engine, rowsOf({ text: 'a quiet day', label: 0 }), stopwatch()))
    expect(report).not.toHaveProperty('markers')
    const { missed, false_alarms } = worstOf(
      assessRows(engine, rowsOf({ text: 'I want to end my life', markers: ['PHQ9_ITEM_9'] }), stopwatch()),
    )
    expect([missed, false_alarms]).toEqual([[], []])
  })
})
