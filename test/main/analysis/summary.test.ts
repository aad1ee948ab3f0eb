import { describe, expect, it } from 'vitest'
import { createEngine, type SummaryInput } from '../../../main/analysis/index.ts'
import { mean, rapidDrift, trendNotes } from '../../../main/analysis/signals/index.ts'
import { sessionSummarySchema } from '../../../shared/events.ts'
import { assess, detectionData, engine } from '../../evaluation/engine.ts'

const message = (sequence: number, sentiment: number, more: Partial<SummaryInput['messages'][number]> = {}) => ({
  sequence,
  role: 'student' as const,
  at: sequence * 1000,
  tier: 'ok' as const,
  sentiment,
  categories: [],
  markers: [],
  ...more,
})
const session = (messages: SummaryInput['messages']) =>
  engine.summarize({ session_id: 's', user_id: 'u', started_at: 0, ended_at: 90_000, messages })

describe('a session summary', () => {
  it('of nothing is empty and valid', () => {
    expect(sessionSummarySchema.parse(session([]))).toMatchObject({
      message_count: 0,
      duration_seconds: 90,
      notes: [],
      sentiment: { average: 0, trend: 'stable' },
    })
  })
  it('names categories, items, resources and escalations', () => {
    const summary = session([
      message(0, 0.5),
      { ...message(1, 0), role: 'assistant' },
      message(2, -0.9, { tier: 'high', categories: ['abuse_disclosure'] }),
      message(3, -0.8, {
        tier: 'crisis',
        categories: ['suicidal_ideation'],
        markers: [{ marker_type: 'PHQ9_ITEM_9' }],
      }),
      message(4, -0.7, { tier: 'crisis', categories: ['running_away'], markers: [{ marker_type: 'GAD7_ITEM_1' }] }),
    ])
    expect(sessionSummarySchema.safeParse(summary).success).toBe(true)
    expect(summary.risk).toMatchObject({
      highest_tier: 'crisis',
      tier_counts: { ok: 1, caution: 0, high: 1, crisis: 2 },
    })
    expect(summary.risk.flagged_keywords).toEqual([
      'abuse_disclosure',
      'suicidal_ideation',
      'running_away',
      'PHQ9_ITEM_9',
      'GAD7_ITEM_1',
    ])
    expect(summary.suggested_resources.some(({ link }) => link === 'tel:988')).toBe(true)
    expect(summary.suggested_resources.some(({ link }) => link === undefined)).toBe(true)
    expect(summary.sentiment.trend).toBe('declining')
    expect(summary.notes).toContain('crisis in 2 messages, first in message 3')
    expect(summary.notes).toContain('several negative messages in a row')
    expect(summary.sentiment.top[0]).toEqual({ sequence: 2, sentiment: -0.9 })
    expect(
      session([message(0, 0, { tier: 'crisis' }), message(1, 0, { tier: 'high' }), message(2, 0, { tier: 'high' })])
        .notes,
    ).toEqual(['crisis in 1 message, first in message 0', 'high risk in 2 messages'])
  })
  it('suggests nothing for what the keyword map does not name', () => {
    const seen = [message(0, 0, { categories: ['running_away'], markers: [{ marker_type: 'PHQ9_ITEM_1' }] })]
    expect(session(seen).suggested_resources.map(({ label }) => label)).toEqual(
      session([message(0, 0, { categories: ['running_away'] })]).suggested_resources.map(({ label }) => label),
    )
    const bare = createEngine({ ...detectionData, resources: { ...detectionData.resources, by_category: {} } })
    const summary = bare.summarize({ session_id: 's', user_id: 'u', started_at: 0, ended_at: 0, messages: seen })
    expect(summary.suggested_resources).toEqual([])
    expect(summary.risk.flagged_keywords).toEqual(['running_away', 'PHQ9_ITEM_1'])
  })
  it('tells improvement', () => {
    expect(session([-0.5, -0.5, 0.5, 0.5].map((value, index) => message(index, value))).sentiment.trend).toBe(
      'improving',
    )
    expect(session([0.1, 0.1, 0.1, 0.1].map((value, index) => message(index, value))).sentiment.trend).toBe('stable')
  })
})

describe('sentiment', () => {
  it('knows direction, denial, strength and signs', () => {
    expect(assess('I am happy').sentiment).toBeGreaterThan(0.2)
    expect(assess('I am not happy').sentiment).toBeLessThan(0)
    expect(assess('I am so happy').sentiment).toBeGreaterThan(assess('I am happy').sentiment)
    expect(assess('😭').sentiment).toBeLessThan(0)
    expect(assess('🎉 🌲').sentiment).toBeGreaterThan(0)
    expect(assess('the table').sentiment).toBe(0)
  })
  it('notes deterioration, recovery and runs of negative turns', () => {
    const turns = (values: number[], tier: 'ok' | 'caution' = 'ok') => values.map((sentiment) => ({ sentiment, tier }))
    expect(trendNotes(turns([0.5, 0.5, 0.5, -0.5, -0.5, -0.5]))).toEqual([
      'deteriorating mood',
      'several negative messages in a row',
    ])
    expect(trendNotes(turns([0.9, 0.9, 0.9, 0.3, 0.3, 0.3], 'caution'))).toEqual(['deteriorating mood'])
    expect(trendNotes(turns([-0.5, -0.5, -0.5, 0.2, 0.2, 0.2]))).toEqual(['recovering'])
    expect(trendNotes(turns([0.1]))).toEqual([])
    expect(mean([])).toBe(0)
    expect(rapidDrift([], -1)).toBe(false)
  })
  it.each(['high', 'crisis'] as const)('calls no session recovering in which something was %s', (tier) => {
    const [first, ...rest] = [-0.5, -0.5, -0.5, 0.2, 0.2, 0.2].map((sentiment) => ({ sentiment, tier: 'ok' as const }))
    expect(trendNotes([first!, ...rest])).toEqual(['recovering'])
    expect(trendNotes([{ ...first!, tier }, ...rest])).toEqual([])
  })
})
