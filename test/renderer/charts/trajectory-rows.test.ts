import { describe, expect, it } from 'vitest'
import { draggedRange, gatherMarks, sessionRuns, trajectoryEntries } from '../../../renderer/charts/trajectory-rows.ts'
import type { TrajectoryPoint } from '../../../shared/views.ts'

const point = (
  at: number,
  score: number,
  session_id = 's1',
  tier: TrajectoryPoint['tier'] = 'ok',
): TrajectoryPoint => ({
  at,
  score,
  tier,
  session_id,
  message_id: null,
  categories: [],
  decided_by: null,
  decided_on: null,
})

describe('the solid lines of a trajectory', () => {
  it('join the messages of one session and never two sessions', () => {
    const runs = sessionRuns([point(0, 0.1), point(10, 0.2), point(110, 0.6, 's2'), point(120, 0.6, 's1')])
    expect(runs.map((run) => run.map(({ at }) => at))).toEqual([[0, 10], [110], [120]])
  })

  it('are none for no message', () => {
    expect(sessionRuns([])).toEqual([])
  })
})

describe('the table of a trajectory', () => {
  it('says messages and marks together, newest first, the alert above the message that raised it', () => {
    const entries = trajectoryEntries({
      from: 0,
      to: 100,
      total: 2,
      points: [point(10, 0.1), point(50, 0.95, 's1', 'crisis')],
      marks: [
        { at: 50, kind: 'alert', alert_key: 'k', tier: 'crisis' },
        { at: 70, kind: 'acknowledged', alert_key: 'k', tier: 'crisis' },
      ],
    })
    expect(entries.map((entry) => entry.mark?.kind ?? entry.point?.score)).toEqual(['acknowledged', 'alert', 0.95, 0.1])
  })
})

describe('marks close together', () => {
  it('are one mark with a count and the worst tier', () => {
    const marks = [
      { at: 0, kind: 'alert', alert_key: 'a', tier: 'high' },
      { at: 5, kind: 'alert', alert_key: 'b', tier: 'crisis' },
      { at: 6, kind: 'acknowledged', alert_key: 'a', tier: 'high' },
      { at: 50, kind: 'alert', alert_key: 'c', tier: 'high' },
    ] as const
    expect(gatherMarks(marks, 10).map(({ at, kind, tier, count }) => [at, kind, tier, count])).toEqual([
      [0, 'alert', 'crisis', 2],
      [6, 'acknowledged', 'high', 1],
      [50, 'alert', 'high', 1],
    ])
  })
})

describe('dragging over the chart', () => {
  const within = { from: 0, to: 10_000_000 }
  it('zooms to what was dragged over, in either direction', () => {
    expect(draggedRange(8_000_000, 2_000_000, within)).toEqual({ from: 2_000_000, to: 8_000_000 })
  })

  it('never leaves the range that is shown', () => {
    expect(draggedRange(-5, 2_000_000, within)).toEqual({ from: 0, to: 2_000_000 })
  })

  it('takes a click for a click', () => {
    expect(draggedRange(5_000_000, 5_000_900, within)).toBeNull()
  })

  it('never shows less than a minute', () => {
    const range = draggedRange(10_000, 40_000, { from: 0, to: 100_000 })
    expect(range && range.to - range.from).toBe(60_000)
  })
})
